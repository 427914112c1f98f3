import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '../ui/class-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { HomeLink } from './home-link.tsx'
import { lazyPart } from './lazy-part.ts'
import { SidebarNav } from './sidebar-nav.tsx'
import { useUnfolded } from './use-unfolded.ts'

const Drawer = lazyPart(() => import('./drawer.tsx'))

export type SidebarProps = { isDrawerOpen: boolean; onDrawerChange: (isOpen: boolean) => void }

/** The way around: beside the page on a desk, wide or as a rail of icons; a drawer on a phone. */
export function Sidebar({ isDrawerOpen, onDrawerChange }: SidebarProps) {
  const [isWide, setWide] = useUnfolded('sidebar', true)
  const [wasDrawerOpen, setDrawerOpened] = useState(isDrawerOpen)
  if (isDrawerOpen && !wasDrawerOpen) setDrawerOpened(true)
  return (
    <>
      <nav
        aria-label="Main"
        className={classNames(
          'hidden shrink-0 flex-col transition-[width] duration-150 desk:flex',
          isWide ? 'w-sidebar' : 'w-15',
        )}
      >
        <HomeLink isWide={isWide} />
        <SidebarNav isWide={isWide} />
        <div className="p-2">
          <IconButton
            aria-label={isWide ? 'Fold the sidebar' : 'Unfold the sidebar'}
            aria-expanded={isWide}
            onPress={() => setWide(!isWide)}
            className="aria-expanded:bg-transparent"
          >
            {isWide ? <PanelLeftClose size={18} aria-hidden /> : <PanelLeftOpen size={18} aria-hidden />}
          </IconButton>
        </div>
      </nav>
      {wasDrawerOpen && <Drawer isOpen={isDrawerOpen} onOpenChange={onDrawerChange} />}
    </>
  )
}

import { PanelLeftClose, PanelLeftOpen, X } from 'lucide-react'
import { Suspense } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { Link } from 'wouter'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { classNames } from '../ui/class-names.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Mark } from './brand.tsx'
import { lazyPart } from './lazy-part.ts'
import { SidebarNav } from './sidebar-nav.tsx'
import { useUnfolded } from './use-unfolded.ts'

const WorldFooter = lazyPart(() => import('../features/director/world-footer.tsx'))

export type SidebarProps = { isDrawerOpen: boolean; onDrawerChange: (isOpen: boolean) => void }

/** The way around: beside the page on a desk, wide or as a rail of icons; a drawer on a phone. */
export function Sidebar({ isDrawerOpen, onDrawerChange }: SidebarProps) {
  const [isWide, setWide] = useUnfolded('sidebar', true)
  const isSimulated = useStore(useRoot().server)?.simulator === true
  return (
    <>
      <nav
        aria-label="Main"
        className={classNames(
          'hidden shrink-0 flex-col transition-[width] duration-150 desk:flex',
          isWide ? 'w-sidebar' : 'w-15',
        )}
      >
        <Brand isWide={isWide} />
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
      <ModalOverlay
        isDismissable
        isOpen={isDrawerOpen}
        onOpenChange={onDrawerChange}
        className="fixed inset-0 z-40 bg-veil transition-opacity duration-150 data-entering:opacity-0 data-exiting:opacity-0"
      >
        <Modal className="h-full w-70 max-w-[85vw] bg-surface shadow-soft transition-transform duration-150 data-entering:-translate-x-full data-exiting:-translate-x-full">
          <Dialog aria-label="Menu" className="flex h-full flex-col outline-none">
            <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col">
              <div className="flex items-center pr-2">
                <div className="min-w-0 flex-1">
                  <Brand isWide />
                </div>
                <IconButton aria-label="Close menu" onPress={() => onDrawerChange(false)}>
                  <X size={18} aria-hidden />
                </IconButton>
              </div>
              <SidebarNav isWide onGo={() => onDrawerChange(false)} />
            </nav>
            {isSimulated && (
              <Suspense fallback={null}>
                <WorldFooter className="px-5 py-2 tablet:hidden" />
              </Suspense>
            )}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </>
  )
}

function Brand({ isWide }: { isWide: boolean }) {
  return (
    <Link
      href="/"
      aria-label="Frostline, Dashboard"
      className="flex h-header shrink-0 items-center gap-3 px-5 text-accent -outline-offset-4"
    >
      <Mark size={20} />
      {isWide && <span className="font-semibold text-ink tracking-tight">Frostline</span>}
    </Link>
  )
}

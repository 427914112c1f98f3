import { X } from 'lucide-react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { HomeLink } from './home-link.tsx'
import { lazyPart } from './lazy-part.ts'
import { SidebarNav } from './sidebar-nav.tsx'

const WorldFooter = lazyPart(() => import('../features/director/world-footer.tsx'), null, false)

export type DrawerProps = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }

/** The way around on a phone: it comes in over the page. */
export default function Drawer({ isOpen, onOpenChange }: DrawerProps) {
  const isSimulated = useStore(useRoot().server)?.simulator === true
  return (
    <ModalOverlay
      isDismissable
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      className="fixed inset-0 z-40 bg-veil transition-opacity duration-150 data-entering:opacity-0 data-exiting:opacity-0"
    >
      <Modal className="h-full w-70 max-w-[85vw] bg-surface shadow-soft transition-transform duration-150 data-entering:-translate-x-full data-exiting:-translate-x-full">
        <Dialog aria-label="Menu" className="flex h-full flex-col outline-none">
          <nav aria-label="Main" className="flex min-h-0 flex-1 flex-col">
            <div className="flex items-center pr-2">
              <div className="min-w-0 flex-1">
                <HomeLink isWide />
              </div>
              <IconButton aria-label="Close menu" onPress={() => onOpenChange(false)}>
                <X size={18} aria-hidden />
              </IconButton>
            </div>
            <SidebarNav isWide onGo={() => onOpenChange(false)} />
          </nav>
          {isSimulated && <WorldFooter className="px-5 py-2 tablet:hidden" />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

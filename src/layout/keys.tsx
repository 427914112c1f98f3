import { Dialog } from '../ui/dialog.tsx'
import { KeyList } from './key-list.tsx'

/** The window of all keys. */
export default function Keys({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" isOpen onOpenChange={onClose} className="max-w-180">
      <KeyList />
    </Dialog>
  )
}

import { Toaster as Sonner } from 'sonner'
import 'sonner/dist/styles.css'

/** Where toasts appear. Colours are ours: sonner's own rich colours fail contrast. */
export default function Toaster() {
  return (
    <Sonner
      position="bottom-right"
      offset={16}
      closeButton
      toastOptions={{
        unstyled: true,
        classNames: {
          toast: 'floating flex w-full items-center gap-3 px-4 py-3 text-body text-ink',
          error: 'text-hot',
          icon: 'shrink-0',
          content: 'min-w-0 flex-1 text-ink',
          description: 'text-dense text-ink-soft',
          closeButton:
            'order-last shrink-0 size-6 flex items-center justify-center rounded-small text-ink-faint hover:bg-hover',
        },
      }}
    />
  )
}

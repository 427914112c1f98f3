import { type CSSProperties, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { Toaster as Sonner, toast } from 'sonner'
import 'sonner/dist/styles.css'

/**
 * Puts the place of toasts on the page, beside the portal, and answers how to show one. It comes with the first toast:
 * most visits to the sign-in page need none.
 */
export function mountToaster(page: Document): Promise<typeof toast> {
  return new Promise((resolve) => {
    const place = page.createElement('div')
    page.body.append(place)
    createRoot(place).render(<Toaster onReady={() => resolve(toast)} />)
  })
}

/** px */
const EDGE = 4
/** what happened to which device on two lines, so that it is no higher than the header */
const WIDTH = { '--width': '448px' } as CSSProperties

/** Colours are ours: sonner's own rich colours fail contrast. */
function Toaster({ onReady }: { onReady: () => void }) {
  // A toast shown before its place listens would be lost.
  useEffect(onReady, [onReady])
  return (
    <Sonner
      // On the header: below it they would lie on headings and first fields, at the foot on the button that is pressed next.
      position="top-center"
      offset={{ top: EDGE }}
      mobileOffset={{ top: EDGE, left: 8, right: 8 }}
      style={WIDTH}
      closeButton
      icons={{ close: <span aria-hidden>×</span> }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast: 'floating flex w-full items-center gap-3 px-4 py-1.5 font-sans text-body',
          error: 'text-error',
          icon: 'shrink-0',
          content: 'min-w-0 flex-1 text-ink',
          title: 'font-medium',
          description: 'text-dense text-ink-soft',
          actionButton:
            'flex h-control shrink-0 items-center rounded-small px-3 font-medium text-accent-strong hover:bg-hover',
          closeButton:
            'order-last flex size-6 shrink-0 items-center justify-center rounded-small text-ink-faint hover:bg-hover',
        },
      }}
    />
  )
}

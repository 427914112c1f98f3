import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { buttonLook } from '../../ui/button-look.ts'

type Props = {
  title?: string
  /** the bare error; null: there is none */
  detail?: string | null | undefined
  isTrying?: boolean
  onReload: () => void
  /** what happened, and what becomes of what was typed */
  children: ReactNode
}

/**
 * The documents' window of a network error, over whatever page. It is there before anything else is, so it is made of the
 * browser's own dialog: a kit that must be fetched first could not be.
 */
export function NetworkErrorWindow({
  title = 'Network Error, Please Reload Page',
  detail = 'No details are known.',
  isTrying = false,
  onReload,
  children,
}: Props) {
  const [areDetailsShown, setDetailsShown] = useState(false)
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const wordsId = useId()
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      aria-describedby={wordsId}
      onCancel={(event) => event.preventDefault()}
      onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
      className="floating m-auto max-h-full w-full max-w-110 overflow-auto p-0 text-ink backdrop:bg-veil max-tablet:mb-2 max-tablet:max-w-[calc(100%-1rem)]"
    >
      <h1 id={titleId} className="px-5 py-4 font-semibold text-title">
        {title}
      </h1>
      <div className="px-5 pb-5">
        <p id={wordsId} role="status" className="text-ink-soft">
          {children}
        </p>
        {areDetailsShown && (
          <pre className="mt-3 max-h-60 overflow-auto rounded-panel bg-sunken p-3 text-dense whitespace-pre-wrap">
            {detail}
          </pre>
        )}
      </div>
      <div className="flex flex-wrap justify-end gap-2 px-5 pb-5">
        {detail !== null && (
          <button
            type="button"
            aria-expanded={areDetailsShown}
            className={buttonLook('quiet')}
            onClick={() => setDetailsShown(!areDetailsShown)}
          >
            Details
          </button>
        )}
        <button
          type="button"
          // biome-ignore lint/a11y/noAutofocus: the one thing to do in a window that must be answered
          autoFocus
          aria-disabled={isTrying}
          className={buttonLook('primary')}
          onClick={() => isTrying || onReload()}
        >
          {isTrying ? 'Trying…' : 'Reload Page'}
        </button>
      </div>
    </dialog>
  )
}

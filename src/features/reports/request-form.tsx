import { type ReactNode, useEffect, useRef } from 'react'
import type { ReportRequest } from '../../actors/report-request.ts'
import { Button } from '../../ui/button.tsx'
import { focusFirstWrong } from '../../ui/first-wrong.ts'
import { RequestDialog } from './request-dialog.tsx'

export type RequestFormProps = {
  /** what it is, for the screen reader: 'Distance Report' */
  title: string
  request: ReportRequest
  /** word on the button */
  button: string
  /** what would be asked for now, in words */
  summary?: ReactNode
  /** beside the button: the way back */
  previous?: ReactNode
  /** the fields */
  children: ReactNode
}

/** Around the fields of a report's request: what it comes to, the button, why it was not taken, the dialog. */
export function RequestForm({ title, request, button, summary, previous, children }: RequestFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { refusals, isSending, error } = request
  useEffect(() => {
    if (refusals > 0) focusFirstWrong(form.current)
  }, [refusals])
  return (
    <>
      <form
        ref={form}
        noValidate
        aria-label={title}
        aria-busy={isSending}
        onSubmit={(event) => {
          event.preventDefault()
          request.submit()
        }}
        className="flex min-w-0 flex-col gap-2"
      >
        {children}
        <div role="alert">
          {error !== null && (
            <p className="text-error">
              The report is not requested: {error}{' '}
              <span className="text-ink-soft">
                What you chose is still here. Press {button} to try again.
              </span>
            </p>
          )}
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <output className="tabular min-w-0 flex-1 basis-60 text-ink-soft">{summary}</output>
          {previous}
          {/* neither disabled nor pending: it keeps the focus, and pressed again it does nothing */}
          <Button type="submit" kind="primary" className={isSending ? 'cursor-progress opacity-60' : ''}>
            {isSending ? 'Requesting…' : button}
          </Button>
        </div>
      </form>
      <RequestDialog request={request} />
    </>
  )
}

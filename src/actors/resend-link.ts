import { useCallback, useState } from 'react'
import { USER_CALLS } from '#machines/contracts/calls/user-calls.ts'
import { failureMessage } from '../effects/call-failures.ts'
import { useRoot } from './use-root.ts'

/** Sends somebody their activation mail again, once at a time, and says what came of it. */
export function useResendLink(): { resending: ReadonlySet<string>; resend: (id: string) => void } {
  const { http, toasts } = useRoot()
  const [resending, setResending] = useState<ReadonlySet<string>>(new Set())
  const resend = useCallback(
    async (id: string) => {
      setResending((ids) => new Set(ids).add(id))
      try {
        toasts.success((await http.ask(USER_CALLS.resendLink, { body: { id } })).message)
      } catch (error) {
        const message = failureMessage(error)
        if (message !== undefined) toasts.error(message)
      }
      setResending((ids) => new Set([...ids].filter((each) => each !== id)))
    },
    [http, toasts],
  )
  return { resending, resend: (id) => void resend(id) }
}

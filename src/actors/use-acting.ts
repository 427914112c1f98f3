import { useState } from 'react'
import { failureMessage } from '../effects/call-failures.ts'
import { useRoot } from './use-root.ts'

/** Something done by one press: one at a time; a refusal is shown as a toast. */
export function useActing(): { isActing: boolean; act: (work: () => Promise<void>) => Promise<void> } {
  const { toasts } = useRoot()
  const [isActing, setActing] = useState(false)
  return {
    isActing,
    async act(work) {
      if (isActing) return
      setActing(true)
      try {
        await work()
      } catch (error) {
        const message = failureMessage(error)
        if (message !== undefined) toasts.error(message)
      } finally {
        setActing(false)
      }
    },
  }
}

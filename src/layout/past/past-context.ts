import { createContext, useCallback, useContext } from 'react'
import { useRoot } from '../../actors/use-root.ts'

/** Why nothing can be changed, anywhere in the shell: one looks back. undefined: now. */
export const PastContext = createContext<string | undefined>(undefined)
export const useOnlyNow = (): string | undefined => useContext(PastContext)

/** Begins to change something, unless one looks back: then it says at once how to get back, before anything is asked or typed. */
export function useWhenNow(): (begin: () => void) => void {
  const onlyNow = useOnlyNow()
  const { toasts } = useRoot()
  return useCallback(
    (begin) => {
      if (onlyNow === undefined) begin()
      else toasts.error(onlyNow)
    },
    [onlyNow, toasts],
  )
}

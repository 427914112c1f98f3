import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { AnyStruct } from '#machines/contracts/calls/call.ts'
import { useRoot } from './use-root.ts'

/** State that stands again where the page had to go for want of an answer. `contract`: what was kept must be of this. */
export function useKeptState<T>(
  name: string,
  contract: AnyStruct,
  begin: T | (() => T),
): [T, (next: T) => void] {
  const { drafts } = useRoot()
  const [value, setValue] = useState<T>(
    () => drafts.kept(name, contract) ?? (begin instanceof Function ? begin() : begin),
  )
  useDraft(name, () => value)
  return [value, setValue]
}

/**
 * What a form holds is kept where the page has to go for want of an answer; `drafts.kept` has it when one is back.
 * `read` answers undefined where nothing is worth keeping.
 */
export function useDraft(name: string, read: () => unknown): void {
  const { drafts } = useRoot()
  const latest = useRef(read)
  useLayoutEffect(() => {
    latest.current = read
  })
  useEffect(() => drafts.hold(name, () => latest.current()), [drafts, name])
}

/** Something on the page is never written down: a password, a code, a file. */
export function useSecret(isThere = true): void {
  const { drafts } = useRoot()
  useEffect(() => (isThere ? drafts.holdSecret() : undefined), [drafts, isThere])
}

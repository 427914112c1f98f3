import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { string } from 'superstruct'
import type { AnyStruct } from '#machines/contracts/choice.ts'
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

/**
 * The record a window is open for, which stands open again as soon as `find` has it; null: none. It stays what it was when
 * the window opened, whatever becomes of it meanwhile.
 */
export function useKeptRecord<T>(
  name: string,
  idOf: (record: T) => string,
  find: (id: string) => T | undefined,
): [T | null, (record: T | null) => void] {
  const { drafts } = useRoot()
  const [record, setRecord] = useState<T | null>(null)
  const [kept, setKept] = useState(() => drafts.kept(name, string()))
  useDraft(name, () => (record === null ? kept : idOf(record)))
  const found = kept === undefined ? undefined : find(kept)
  if (found !== undefined) {
    setKept(undefined)
    setRecord(found)
  }
  return [record, setRecord]
}

/** Something on the page is never written down: a password, a code, a file. */
export function useSecret(isThere = true): void {
  const { drafts } = useRoot()
  useEffect(() => (isThere ? drafts.holdSecret() : undefined), [drafts, isThere])
}

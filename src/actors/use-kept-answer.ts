import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { AnswerOf, Call, RequestOf } from '#machines/contracts/calls/call.ts'
import type { ChangedSubject } from '#machines/contracts/live-messages.ts'
import { type Failure, failureOf } from './failure-words.ts'
import { useChanges } from './use-changes.ts'
import { useRoot } from './use-root.ts'

/** `answer`: the newest there is, undefined before the first. `failure`: why the last try brought none. */
export type KeptAnswer<T> = {
  answer: T | undefined
  failure: Failure | null
  ask: () => void
}

/** An answer of a node that has not come as far as the visitor was told is followed by another so much later, ms. */
const AGAIN_MS = 5_000

type Options = {
  /** nobody waits for it: the page stands without it */
  isBackground?: boolean
  /** false: nothing is requested */
  isWanted?: boolean
  /** what the answer is about, the key where left out: an answer about the same stays until the next is there */
  about?: string
  /** requested again when others change one of these; `id`: only when it is about this one */
  changes?: readonly ChangedSubject[]
  id?: string
}

/** The answer to a call, kept as `useKept` does. */
export function useKeptAnswer<C extends Call>(
  call: C,
  request: RequestOf<C>,
  options?: Options,
): KeptAnswer<AnswerOf<C>> {
  const { http } = useRoot()
  const key = JSON.stringify(request)
  return useKept<AnswerOf<C>>({ key, request: (given) => http.ask(call, request, given), ...options })
}

type Kept<T> = {
  /** another key is another request, made at once, or once the one under way is answered where that is about the same */
  key: string
  request: (options: { signal: AbortSignal; isBackground: boolean; onBehind(): void }) => Promise<T>
}

/**
 * Requests, and again with `ask()`: once at a time, however often, and once more when `ask()` was called or the key became
 * another meanwhile. What is known stays until there is something newer, also when a later try fails; nobody waits for what is
 * newer about the same. `isOld`: the answer is of an earlier key.
 */
export function useKept<T>(given: Kept<T> & Options): KeptAnswer<T> & { isOld: boolean } {
  const { key, about = key, isBackground = false, isWanted = true, changes = [], id } = given
  const [kept, setKept] = useState<{ key: string; about: string } & Omit<KeptAnswer<T>, 'ask'>>()
  const latest = useRef<Kept<T>>(given)
  const again = useRef(() => {})
  const requestedKey = useRef<string>(undefined)
  /** what there is something of to show */
  const shown = useRef<string>(undefined)
  useEffect(() => {
    latest.current = given
  })

  useEffect(() => {
    const aborter = new AbortController()
    const { signal } = aborter
    let isUnderWay = false
    let isWantedAgain = false
    let later: ReturnType<typeof setTimeout> | undefined
    const onBehind = () => {
      clearTimeout(later)
      later = setTimeout(() => void answered(), AGAIN_MS)
    }
    async function answered(): Promise<void> {
      isWantedAgain = true
      if (isUnderWay) return
      isUnderWay = true
      while (isWantedAgain && !signal.aborted) {
        isWantedAgain = false
        const { key, request } = latest.current
        requestedKey.current = key
        try {
          const answer = await request({
            signal,
            isBackground: isBackground || shown.current === about,
            onBehind,
          })
          shown.current = about
          setKept({ key, about, answer, failure: null })
        } catch (error) {
          if (signal.aborted) return
          const failure = failureOf(error)
          setKept((before) => ({
            key,
            about,
            answer: before?.about === about ? before.answer : undefined,
            failure,
          }))
        }
      }
      isUnderWay = false
    }
    again.current = isWanted ? () => void answered() : () => {}
    again.current()
    return () => {
      clearTimeout(later)
      aborter.abort()
    }
  }, [about, isBackground, isWanted])
  useEffect(() => {
    if (requestedKey.current !== key) again.current()
  }, [key])

  const ask = useCallback(() => again.current(), [])
  useChanges(changes, ask, id)
  return useMemo(
    () =>
      kept?.about === about
        ? { answer: kept.answer, failure: kept.failure, isOld: kept.key !== key, ask }
        : { answer: undefined, failure: null, isOld: false, ask },
    [kept, key, about, ask],
  )
}

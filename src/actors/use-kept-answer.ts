import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { AnswerOf, Call, RequestOf } from '#machines/contracts/calls/call.ts'
import { type Failure, failureOf } from './use-answer.ts'
import { useRoot } from './use-root.ts'

/** `answer`: the newest there is, undefined before the first. `failure`: why the last try brought none. */
export type KeptAnswer<T> = {
  answer: T | undefined
  failure: Failure | null
  ask: () => void
}

/**
 * Asks, and again with `ask()`: once at a time, however often, and once more when it was asked meanwhile. What is known
 * stays until there is something newer, also when a later try fails. For lists that follow what others change (useChanges).
 */
export function useKeptAnswer<C extends Call>(call: C, request: RequestOf<C>): KeptAnswer<AnswerOf<C>> {
  const { http } = useRoot()
  const key = JSON.stringify(request)
  const [kept, setKept] = useState<{ key: string } & Omit<KeptAnswer<AnswerOf<C>>, 'ask'>>()
  const asking = useRef(() => {})

  // biome-ignore lint/correctness/useExhaustiveDependencies: the request is compared by what it says
  useEffect(() => {
    const aborter = new AbortController()
    let isUnderWay = false
    /** there is something to show: what is newer is asked for behind it */
    let isShown = false
    let isWantedAgain = false
    async function answered(): Promise<void> {
      isWantedAgain = true
      if (isUnderWay) return
      isUnderWay = true
      while (isWantedAgain && !aborter.signal.aborted) {
        isWantedAgain = false
        try {
          const answer = await http.ask(call, request, { signal: aborter.signal, isBackground: isShown })
          isShown = true
          setKept({ key, answer, failure: null })
        } catch (error) {
          if (aborter.signal.aborted) return
          const failure = failureOf(error)
          setKept((before) => ({ key, answer: before?.key === key ? before.answer : undefined, failure }))
        }
      }
      isUnderWay = false
    }
    asking.current = () => void answered()
    asking.current()
    return () => aborter.abort()
  }, [http, call, key])

  const ask = useCallback(() => asking.current(), [])
  return useMemo(
    () =>
      kept?.key === key
        ? { answer: kept.answer, failure: kept.failure, ask }
        : { answer: undefined, failure: null, ask },
    [kept, key, ask],
  )
}

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { AnswerOf, Call, RequestOf } from '#machines/contracts/calls/call.ts'
import type { ChangedSubject } from '#machines/contracts/live-messages.ts'
import { CallRefused } from '../effects/call-failures.ts'
import { useStore } from './store.ts'
import { useRoot } from './use-root.ts'

/** `answer`: the newest there is, undefined before the first. `failure`: why the last try brought none. */
export type Followed<T> = {
  answer: T | undefined
  /** `status`: of the server's refusal, undefined where there was no answer */
  failure: { message: string; status: number | undefined } | null
  ask: () => void
}

/** Which groups, users or settings an answer tells of; `any`: whichever the visitor sees. */
export type About = { [S in ChangedSubject]?: readonly string[] | 'any' }

/**
 * Asks, and asks anew whenever the server says that something of what the answer is about is another now, and when the
 * link is back: meanwhile anything may have changed. What is known stays shown until then.
 */
export function useFollowed<C extends Call>(
  call: C,
  request: RequestOf<C>,
  about: About,
): Followed<AnswerOf<C>> {
  const { http, live, link } = useRoot()
  const feed = useStore(live)?.feed
  const key = JSON.stringify(request)
  const [told, setTold] = useState<{ key: string } & Omit<Followed<AnswerOf<C>>, 'ask'>>()
  const asking = useRef(() => {})
  const ask = useCallback(() => asking.current(), [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: the request is compared by what it says
  useEffect(() => {
    const aborter = new AbortController()
    let isUnderWay = false
    /** more has changed since the question under way was asked */
    let isOutdated = false
    async function answered(): Promise<void> {
      if (isUnderWay) {
        isOutdated = true
        return
      }
      isUnderWay = true
      do {
        isOutdated = false
        try {
          const answer = await http.ask(call, request, { signal: aborter.signal, isBackground: true })
          setTold({ key, answer, failure: null })
        } catch (error) {
          if (aborter.signal.aborted) return
          setTold((before) => ({
            key,
            answer: before?.key === key ? before.answer : undefined,
            failure: failureOf(error),
          }))
        }
      } while (isOutdated && !aborter.signal.aborted)
      isUnderWay = false
    }
    asking.current = () => void answered()
    asking.current()
    return () => aborter.abort()
  }, [http, call, key])

  const watched = JSON.stringify(about)
  useEffect(() => {
    const mine: About = JSON.parse(watched)
    const changes = feed?.changes$.subscribe(({ subject, ids }) => {
      const known = mine[subject]
      if (known === undefined) return
      if (known === 'any' || ids.length === 0 || ids.some((id) => known.includes(id))) ask()
    })
    return () => changes?.unsubscribe()
  }, [feed, watched, ask])

  useEffect(() => {
    let wasCut = false
    return link.subscribe(() => {
      const isCut = link.get().state !== 'live'
      if (wasCut && !isCut) ask()
      wasCut = isCut
    })
  }, [link, ask])

  const isOfThis = told?.key === key
  return useMemo(
    () => ({
      answer: isOfThis ? told?.answer : undefined,
      failure: isOfThis ? (told?.failure ?? null) : null,
      ask,
    }),
    [told, isOfThis, ask],
  )
}

function failureOf(error: unknown): { message: string; status: number | undefined } {
  return {
    message: error instanceof Error ? error.message : String(error),
    status: error instanceof CallRefused ? error.status : undefined,
  }
}

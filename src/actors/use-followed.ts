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

/**
 * Asks, and asks anew whenever the server says that something of `subject` is another now (one of `ids`, where they are
 * given), and when the link is back: meanwhile anything may have changed. What is known stays shown until then.
 */
export function useFollowed<C extends Call>(
  call: C,
  request: RequestOf<C>,
  subject: ChangedSubject,
  ids?: readonly string[],
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

  const watched = ids?.join()
  useEffect(() => {
    const mine = watched?.split(',')
    const changes = feed?.changes$.subscribe((change) => {
      if (change.subject !== subject) return
      if (mine === undefined || change.ids.length === 0 || change.ids.some((id) => mine.includes(id))) ask()
    })
    return () => changes?.unsubscribe()
  }, [feed, subject, watched, ask])

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

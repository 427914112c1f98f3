import { useCallback, useEffect, useRef, useState } from 'react'
import type { AnswerOf, Call, RequestOf } from '#machines/contracts/calls/call.ts'
import { CallRefused } from '../effects/call-failures.ts'
import { useRoot } from './use-root.ts'

/** Why there is no answer. `status`: of the server's refusal, undefined where there was none. */
export type Failure = { message: string; status: number | undefined }

export type Answer<T> = { state: 'loading' } | { state: 'ready'; answer: T } | ({ state: 'failed' } & Failure)

/**
 * Asks once, and again with `ask()`. `request` is read when asked: ask again when it changes.
 * What the visitor is shown stays until the new answer is there. `isBackground`: the page stands without it.
 */
export function useAnswer<C extends Call>(
  call: C,
  request: RequestOf<C>,
  { isBackground = false }: { isBackground?: boolean } = {},
): Answer<AnswerOf<C>> & { ask: () => void } {
  const { http } = useRoot()
  const [answer, setAnswer] = useState<Answer<AnswerOf<C>>>({ state: 'loading' })
  const [round, setRound] = useState(0)
  const key = JSON.stringify(request)
  const isShown = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the request is compared by what it says; a round asks again
  useEffect(() => {
    const aborter = new AbortController()
    const options = { signal: aborter.signal, isBackground: isBackground || isShown.current }
    http.ask(call, request, options).then(
      (given) => {
        isShown.current = true
        setAnswer({ state: 'ready', answer: given })
      },
      (error: unknown) => {
        if (!aborter.signal.aborted) setAnswer({ state: 'failed', ...failureOf(error) })
      },
    )
    return () => aborter.abort()
  }, [http, call, key, round])

  return { ...answer, ask: useCallback(() => setRound((n) => n + 1), []) }
}

/** What to say of an error that a call ended with. */
export function failureOf(error: unknown): Failure {
  return {
    message: error instanceof Error ? error.message : String(error),
    status: error instanceof CallRefused ? error.status : undefined,
  }
}

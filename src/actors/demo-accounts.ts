import { useEffect } from 'react'
import type { AnswerOf } from '#machines/contracts/calls/call.ts'
import { HOUSE_CALLS } from '#machines/contracts/calls/house-calls.ts'
import { useKeptAnswer } from './use-kept-answer.ts'

/** Between two questions, ms. */
const ASK_EVERY = 5000

/**
 * Accounts of the scenario that is played, also when a director opens another meanwhile: nobody is signed in, so nobody is
 * told, and it is asked for as long as somebody looks. undefined: not known yet.
 */
export function useDemoAccounts(): AnswerOf<typeof HOUSE_CALLS.demoAccounts> | 'failed' | undefined {
  const { answer, failure, ask } = useKeptAnswer(HOUSE_CALLS.demoAccounts, {})
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) ask()
    }, ASK_EVERY)
    return () => clearInterval(timer)
  }, [ask])
  return answer ?? (failure === null ? undefined : 'failed')
}

import { useEffect } from 'react'
import { SERVER_CALLS } from '#machines/contracts/calls/server-calls.ts'
import { useKeptAnswer } from './use-kept-answer.ts'

/** Between two questions, ms. */
const ASK_EVERY = 5000

/**
 * Accounts of the scenario that is played, also when a director opens another meanwhile: nobody is signed in, so nobody is
 * told, and it is asked for as long as somebody looks.
 */
export function useDemoAccounts() {
  const accounts = useKeptAnswer(SERVER_CALLS.demoAccounts, {}, { isBackground: true })
  const { ask } = accounts
  useEffect(() => {
    const timer = setInterval(() => document.hidden || ask(), ASK_EVERY)
    return () => clearInterval(timer)
  }, [ask])
  return accounts
}

import { ContractError } from '#machines/contracts/decode.ts'
import { SOMETHING_WENT_WRONG, Unreachable } from '../effects/call-failures.ts'

const NO_ANSWER = 'No answer from the server. Try again in a moment.'

/**
 * What a visitor is told of a failure: the server's own words, or ours where it said none. Addresses, and what the browser
 * or a contract says for those who build the portal, stay out.
 */
export function wordsOf(error: unknown): string {
  if (error instanceof Unreachable) return NO_ANSWER
  const isForBuilders = error instanceof ContractError || error instanceof TypeError
  return error instanceof Error && !isForBuilders ? error.message : SOMETHING_WENT_WRONG
}

import { ContractError } from '#machines/contracts/decode.ts'
import { CallRefused, SOMETHING_WENT_WRONG } from '../effects/call-failures.ts'

/** Why there is no answer. `status`: of the server's refusal, undefined where there was none. */
export type Failure = { message: string; status: number | undefined }

export function failureOf(error: unknown): Failure {
  return { message: wordsOf(error), status: error instanceof CallRefused ? error.status : undefined }
}

/**
 * What a visitor is shown of a failure: the server's own words, or ours where it said none. Addresses, and what the browser
 * or a contract says for those who build the portal, stay out.
 */
export function wordsOf(error: unknown): string {
  const isForBuilders = error instanceof ContractError || error instanceof TypeError
  return error instanceof Error && !isForBuilders ? error.message : SOMETHING_WENT_WRONG
}

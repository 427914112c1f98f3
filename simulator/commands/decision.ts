import type { NewFact } from '#machines/contracts/facts.ts'

/** Why a command was not followed. `status` as HTTP says it; `extra` goes into the answer beside code and message. */
export type Refused = {
  status: 400 | 401 | 403 | 404 | 409
  message: string
  extra?: Record<string, unknown>
}

/** What a decider answers: facts, a refusal, or both (a refused sign-in is itself a fact). */
export type Decision = { facts: NewFact[]; refused?: Refused }

export const decided = (...facts: NewFact[]): Decision => ({ facts })
export const refuse = (status: Refused['status'], message: string): Decision => ({
  facts: [],
  refused: { status, message },
})

/** Said of what does not exist and of what the asker may not see: the two must not differ. */
export const NOT_FOUND = 'Not found'

import { CHANGED_MEANWHILE } from '#machines/contracts/entities/changes.ts'
import type { NewFact } from '#machines/contracts/facts.ts'

/** Why a command was not followed. `status` as in HTTP; `extra` goes into the answer beside code and message. */
export type Refused = {
  status: 400 | 401 | 403 | 404 | 409 | 412 | 422 | 429
  message: string
  extra?: Record<string, unknown>
}

/** What a decider answers: facts, a refusal, or both (a refused sign-in is itself a fact). */
export type Decision = { facts: NewFact[]; refused?: Refused }

/** No facts: the command changes nothing and is answered as done. */
export const decided = (...facts: NewFact[]): Decision => ({ facts })
/** Refused, and nothing recorded. `message` is read by whoever sent the command. */
export const refuse = (status: Refused['status'], message: string): Decision => ({
  facts: [],
  refused: { status, message },
})

/** What is wrong with which field: the first is the message, all are in `errors`. */
export const faulty = (faults: readonly { path: string; message: string }[]): Decision => ({
  facts: [],
  refused: {
    status: 422,
    message: faults[0]?.message ?? '',
    extra: { path: faults[0]?.path ?? '', errors: faults },
  },
})

/** Somebody else was first: the answer is what there is now. */
export const stale = (): Decision => refuse(412, CHANGED_MEANWHILE)

/** Of what does not exist and of what the requester may not see: the two must not differ. */
export const NOT_FOUND = 'Not found'

import { type Infer, integer, is, min, nullable, number, type } from 'superstruct'
import type { SharedValues } from '../cluster/cluster.ts'

export const PAST_EVALUATION = 'past-evaluation'

/**
 * How far the evaluation of before the record is, which began at `recordFrom`: nothing before `before` is evaluated to its end
 * yet (null: all is), and `done` of `of` steps are over; `of` 0: it is not going to be. Times in epoch ms.
 */
const PastEvaluation = type({
  recordFrom: number(),
  before: nullable(number()),
  done: min(integer(), 0),
  of: min(integer(), 0),
})
export type PastEvaluation = Infer<typeof PastEvaluation>

/** What counts of violations lack: they are being evaluated, or only those from a time on are. */
export type Lacking = { pending?: { done: number; of: number }; countedFrom?: string }

/** What is not counted of a range that begins at `from`, epoch ms. */
export function lackingFrom(values: Pick<SharedValues, 'get'>, from: number): Lacking {
  const known = values.get(PAST_EVALUATION)
  if (!is(known, PastEvaluation) || known.before === null || from >= known.before) return {}
  const { done, of, recordFrom } = known
  return of > 0 ? { pending: { done, of } } : { countedFrom: new Date(recordFrom).toISOString() }
}

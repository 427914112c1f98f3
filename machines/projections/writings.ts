import type { Delivery } from '../contracts/entities/notifications.ts'
import type { FactOf, FactType } from '../contracts/facts.ts'

/** Nobody is written to about a violation later than this, ms on the server's clock. */
const LATEST_ALERT = 3 * 24 * 60 * 60_000

/** One who was written to. `at`: epoch ms. */
export type Written = Omit<Delivery, 'userName' | 'at'> & { userId: string; at: number }

/** Mails and messages about one violation, and what became of them: a fold of facts, in place. */
export type Writings = {
  readonly recordedAt: number
  /** `seq` of the violation, and of where it was shelved no more */
  readonly tellings: Set<number>
  /** by the `seq` of the fact that somebody is to be written to */
  readonly written: Map<number, Written>
}

const WRITTEN_TYPES = [
  'violation.unshelved',
  'alert.raised',
  'mail.sent',
  'mail.failed',
  'sms.sent',
  'sms.failed',
] as const satisfies readonly FactType[]
export type WritingFact = FactOf<(typeof WRITTEN_TYPES)[number]>
export const WRITING_FACTS: readonly FactType[] = WRITTEN_TYPES

/** @param fact the one the violation is told by */
export const writingsOf = ({ seq, recordedAt }: { seq: number; recordedAt: number }): Writings => ({
  recordedAt,
  tellings: new Set([seq]),
  written: new Map(),
})

/** Whether so late a fact says nothing more of it. */
export const isAfterWritings = ({ recordedAt }: Writings, fact: { recordedAt: number }): boolean =>
  fact.recordedAt > recordedAt + LATEST_ALERT

/** Why somebody was not told of what an alert was about. */
export const NOTHING_LEFT = 'its addressee did not see it any more by then, or had turned it off'

/** Folds one fact after the violation in, in place. */
export function evolveWritings({ tellings, written }: Writings, fact: WritingFact): void {
  if (fact.type === 'violation.unshelved') {
    if (fact.data.opened !== null && tellings.has(fact.data.opened)) tellings.add(fact.seq)
    return
  }
  if (fact.type === 'alert.raised') {
    const { about, userId, channel } = fact.data
    if (about.some((one) => tellings.has(one)))
      written.set(fact.seq, { userId, channel, at: fact.at, state: 'waiting', detail: '' })
    return
  }
  const alert = written.get(fact.data.about)
  if (alert === undefined) return
  alert.at = fact.at
  const isLeftOut = 'leftOut' in fact.data && fact.data.leftOut?.some((one) => tellings.has(one)) === true
  const isSent = (fact.type === 'mail.sent' || fact.type === 'sms.sent') && !isLeftOut
  alert.state = isSent ? 'sent' : 'failed'
  if ('reason' in fact.data) alert.detail = fact.data.reason
  else if (isLeftOut) alert.detail = NOTHING_LEFT
}

import type { FactOf, FactType } from '#machines/contracts/facts.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import { whyAcknowledged } from '#machines/rules/case-words.ts'
import type { ReportSource } from '../order.ts'
import { LOOK_BACK_DAYS } from './last-word.ts'

const DAY = 86_400_000

/** What somebody did about a violation of a device: `since` it was out, `why` in their words. */
export type Care = {
  at: number
  type: ViolationType
  since: number
  what: 'Acknowledged' | 'Taken' | 'Commented'
  who: string
  why: string
}

const OPENINGS = ['violation.opened', 'violation.found', 'violation.found-late'] as const
const DONE = ['violation.acknowledged', 'violation.taken', 'notification.commented'] as const
const WANTED = [...OPENINGS, 'violation.revised', 'violation.cleared', ...DONE] as const
type Opening = FactOf<(typeof OPENINGS)[number]>
type Done = FactOf<(typeof DONE)[number]>

/** A violation as it is known by now. `openedAt`: when it was published; `to` null: it lasts. Epoch ms. */
export type KnownViolation = { type: ViolationType; since: number; openedAt: number; to: number | null }

/**
 * The violations of a device that were published in a span, or were not over when it began and were published at most 31 days before, and what
 * people did about them, oldest first.
 */
export async function careOf(
  source: Pick<ReportSource, 'facts' | 'deviceOf'>,
  no: number,
  from: number,
  to: number,
): Promise<{ violations: KnownViolation[]; care: Care[] }> {
  /** by their id, and by that of the notification, which is the fact that published it: what people do names that */
  const known = new Map<string, KnownViolation>()
  const done: { fact: Done; violation: KnownViolation }[] = []
  for await (const facts of source.facts(WANTED, from - LOOK_BACK_DAYS * DAY))
    for (const fact of facts) {
      const { data } = fact
      const violation = known.get('notificationId' in data ? data.notificationId : data.violationId)
      if (isOpening(fact)) {
        const opened = { type: fact.data.type, since: fact.data.since, openedAt: fact.at, to: endOf(fact) }
        if (source.deviceOf(fact)?.no === no && opened.since < to)
          known.set(fact.data.violationId, opened).set(fact.id, opened)
      } else if (violation === undefined) continue
      else if (fact.type === 'violation.cleared') violation.to = fact.at
      else if (fact.type === 'violation.revised') {
        const { before, after } = fact.data
        Object.assign(violation, after ? { since: after.since, to: after.clearedAt } : { to: before.since })
      } else done.push({ fact, violation })
    }
  const isMeant = ({ openedAt, to }: KnownViolation): boolean => openedAt >= from || to === null || to > from
  return {
    violations: [...new Set(known.values())].filter(isMeant),
    care: done
      .flatMap(({ fact, violation }) => (isMeant(violation) ? careBy(fact, violation) : []))
      .sort((a, b) => a.at - b.at),
  }
}

const isOpening = (fact: FactOf<(typeof WANTED)[number]>): fact is Opening =>
  (OPENINGS as readonly FactType[]).includes(fact.type)
const endOf = ({ type, data }: Opening): number | null =>
  type === 'violation.opened' ? null : data.clearedAt

function careBy(fact: Done, { type, since }: KnownViolation): Care {
  const about = { at: fact.at, type, since, who: fact.data.userName }
  if (fact.type === 'violation.taken') return { ...about, what: 'Taken', why: '' }
  if (fact.type === 'notification.commented') return { ...about, what: 'Commented', why: fact.data.comment }
  return { ...about, what: 'Acknowledged', why: whyAcknowledged(fact.data) }
}

import type { Fact, FactData, FactOf, FactType } from '#machines/contracts/facts.ts'
import { type Device, deviceOfFact } from '#machines/projections/directory.ts'
import type { EventLog } from '../../../store/store.ts'
import type { AlertSource } from './concerned.ts'

/** What tells of a violation first: that it opened, or that it was found late. */
type Opened = FactOf<'violation.opened'> | FactOf<'violation.found-late'>

/** A violation as it stood when somebody was alerted of it. */
export type AlertedViolation = {
  opened: Opened
  /** how it ended, where it was over by then */
  ended: Pick<FactData<'violation.cleared'>, 'durationSeconds' | 'worst' | 'reason'> | undefined
  device: Device
  /** name of the device's group; null where it has none */
  groupName: string | null
}

const TYPES: FactType[] = [
  'violation.opened',
  'violation.found-late',
  'violation.unshelved',
  'violation.cleared',
]
const FACTS_A_STEP = 1000

/**
 * What an alert tells of, worst first: those that last before those that ended, then by how far beyond the threshold they were, in
 * clear margins, by which °C and % can be compared. The same whenever it is asked, but for names and what is left out, of which
 * `leftOut` has the facts.
 */
export function alertedViolations(
  { seq, data: { about } }: FactOf<'alert.raised'>,
  { directory, log, isLeftOut }: AlertSource,
): { violations: AlertedViolation[]; leftOut: number[] } {
  const leftOut: number[] = []
  const wanted = new Set(about)
  const violations = new Map<string, AlertedViolation>()
  for (let from = (about[0] as number) - 1; from < seq; ) {
    const facts = log.readFacts(from, { types: TYPES, limit: FACTS_A_STEP })
    for (const fact of facts) {
      if (fact.seq > seq) break
      if (wanted.has(fact.seq)) {
        const opened = openingOf(fact, log)
        const device = opened && deviceOfFact(directory, opened)
        if (opened === undefined || device === undefined || violations.has(opened.data.violationId)) continue
        if (isLeftOut?.(fact.seq, { device, type: opened.data.type })) {
          leftOut.push(fact.seq)
          continue
        }
        const groupName = directory.groups.get(device.groupId ?? '')?.name ?? null
        violations.set(opened.data.violationId, { opened, ended: endOf(opened), device, groupName })
      } else if (fact.type === 'violation.cleared') {
        const one = violations.get(fact.data.violationId)
        if (one) one.ended = fact.data
      }
    }
    from = facts.length < FACTS_A_STEP ? seq : (facts.at(-1)?.seq ?? seq)
  }
  return { violations: [...violations.values()].sort(worstFirst), leftOut }
}

/** The fact that opened what another is about: itself, or what lasted when it was shelved no more. */
function openingOf(fact: Fact, log: Pick<EventLog, 'readFacts'>): Opened | undefined {
  if (fact.type === 'violation.opened' || fact.type === 'violation.found-late') return fact
  if (fact.type !== 'violation.unshelved' || fact.data.opened === null) return undefined
  const [opened] = log.readFacts(fact.data.opened - 1, { limit: 1 })
  return opened?.type === 'violation.opened' || opened?.type === 'violation.found-late' ? opened : undefined
}

/** What was found late may have been over by then: nothing else says so. */
function endOf(opened: Opened): AlertedViolation['ended'] {
  if (opened.type !== 'violation.found-late' || opened.data.clearedAt === null) return undefined
  const { since, clearedAt, worst } = opened.data
  return { durationSeconds: Math.round((clearedAt - since) / 1000), worst, reason: 'back-inside' }
}

/** The value that was farthest beyond the threshold, as far as it was known. */
export const worstOf = ({ opened, ended }: AlertedViolation): number =>
  ended?.worst ?? (opened.type === 'violation.found-late' ? opened.data.worst : opened.data.value)

const worstFirst = (a: AlertedViolation, b: AlertedViolation): number =>
  Number(a.ended !== undefined) - Number(b.ended !== undefined) ||
  severity(b) - severity(a) ||
  a.opened.seq - b.opened.seq

/** A margin of nothing would make everything infinitely bad. */
const LEAST_MARGIN = 0.1

const severity = (violation: AlertedViolation): number =>
  Math.abs(worstOf(violation) - violation.opened.data.threshold) /
  Math.max(LEAST_MARGIN, violation.opened.data.clearMargin)

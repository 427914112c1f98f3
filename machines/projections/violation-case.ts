import type { CaseEvent, CaseVersion, ViolationCase } from '../contracts/entities/violation-case.ts'
import type { Fact, FactOf, FactType } from '../contracts/facts.ts'
import { whyAcknowledged } from '../rules/case-words.ts'
import { foundLateOf } from '../rules/found-late.ts'
import { signedOff } from '../rules/sign-off-words.ts'

/** A fact that a violation is told by first. */
export type ViolationFact =
  | FactOf<'violation.opened'>
  | FactOf<'violation.found'>
  | FactOf<'violation.found-late'>

/** What happened to one violation: a fold of facts, in place. */
export type CaseRecord = Pick<ViolationCase, 'events' | 'versions' | 'closed'> & {
  readonly opening: ViolationFact
  /** why it ended, as the fact of its end says it */
  clearReason: FactOf<'violation.cleared'>['data']['reason'] | null
  acknowledged: FactOf<'violation.acknowledged'> | null
}

const iso = (at: number): string => new Date(at).toISOString()

/** A violation as it was published at first. */
export function caseOf(opening: ViolationFact): CaseRecord {
  const { type, at, recordedAt, data } = opening
  const late = foundLateOf(opening)
  const isWhole = type === 'violation.found'
  const clearedAt = type === 'violation.opened' ? null : data.clearedAt
  const version: CaseVersion = {
    knownAt: iso(recordedAt),
    since: iso(data.since),
    openedAt: iso(at),
    clearedAt: clearedAt === null ? null : iso(clearedAt),
    threshold: data.threshold,
    worst: type === 'violation.opened' ? null : data.worst,
    neverWas: false,
    readingsLate: type === 'violation.found-late' ? data.readingsLate : 0,
  }
  const what = isWhole ? 'found' : late === undefined ? 'opened' : 'found-late'
  const events = [{ ...entry(what), at: iso(late === undefined ? at : recordedAt) }]
  if (clearedAt !== null) events.push({ ...entry('ended'), at: iso(clearedAt) })
  const clearReason = type === 'violation.found' ? data.reason : null
  return { opening, events, versions: [version], closed: null, clearReason, acknowledged: null }
}

/**
 * Folds one fact in, in place; facts of other violations change nothing. Facts of shelving may be older than the violation: what
 * was silenced before it opened was silenced when it did.
 */
export function evolveCase(record: CaseRecord, fact: Fact): void {
  const apply = APPLY[fact.type] as ((record: CaseRecord, fact: Fact) => void) | undefined
  apply?.(record, fact)
}

type Apply = { [T in FactType]?: (record: CaseRecord, fact: FactOf<T>) => void }

const APPLY: Apply = {
  'violation.cleared': (record, { at, recordedAt, data }) => {
    if (!isIt(record, data)) return
    note(record, at, entry('ended'))
    record.clearReason = data.reason
    const now = record.versions.at(-1) as CaseVersion
    // the end belongs to what is known, it does not make it otherwise
    if (now.clearedAt === null)
      record.versions[record.versions.length - 1] = { ...now, clearedAt: iso(at), worst: data.worst }
    else record.versions.push({ ...now, knownAt: iso(recordedAt), clearedAt: iso(at), worst: data.worst })
  },
  'violation.revised': (record, { recordedAt, data }) => {
    if (!isIt(record, data)) return
    const { before, after, readingsLate } = data
    const episode = after ?? before
    note(record, recordedAt, entry('revised'))
    if (after?.clearedAt != null) record.clearReason = null
    record.versions.push({
      knownAt: iso(recordedAt),
      since: iso(episode.since),
      ...(episode.isSinceBefore && { isSinceBefore: true }),
      openedAt: iso(episode.openedAt),
      clearedAt: episode.clearedAt === null ? null : iso(episode.clearedAt),
      threshold: episode.threshold,
      worst: episode.worst,
      neverWas: after === null,
      readingsLate,
    })
  },
  'violation.acknowledged': (record, fact) => {
    const { at, data } = fact
    if (!isIt(record, data) || record.acknowledged !== null) return
    record.acknowledged = fact
    note(record, at, entry('acknowledged', data.userName, whyAcknowledged(data)))
  },
  'violation.taken': (record, { at, data }) => {
    if (isIt(record, data)) note(record, at, entry('taken', data.userName))
  },
  'violation.released': (record, { at, data }) => {
    if (isIt(record, data)) note(record, at, entry('released', data.userName))
  },
  'violation.shelved': (record, { at, data }) => {
    if (!isItsKind(record, data) || isOver(record, at) || data.until <= record.opening.at) return
    note(record, at, { ...entry('shelved', data.userName, data.reason), until: iso(data.until) })
  },
  'violation.unshelved': (record, { at, data }) => {
    if (!isItsKind(record, data) || isOver(record, at) || at <= record.opening.at) return
    if (record.events.findLast(({ what }) => what === 'shelved' || what === 'unshelved')?.what === 'shelved')
      note(record, at, entry('unshelved', data.userName ?? ''))
  },
  'notification.commented': (record, { at, data }) => {
    if (data.notificationId === record.opening.id)
      note(record, at, entry('commented', data.userName, data.comment))
  },
  'case.closed': (record, { at, data }) => {
    if (!isIt(record, data) || record.closed !== null) return
    record.closed = { reason: data.reason, signOff: signedOff(data.signOff) }
    note(record, at, entry('closed', data.signOff.name, data.reason))
  },
}

/** The facts that what happened to a violation is a fold of. */
export const CASE_FACTS = Object.keys(APPLY) as FactType[]

/** What of it may be older than the violation. */
export const SHELVING_FACTS: readonly FactType[] = ['violation.shelved', 'violation.unshelved']

const HOUR = 3_600_000
/** A chart of more shows nothing, ms. */
const LONGEST_SPAN = 31 * 24 * HOUR

/** What is shown of the device: the violation, and as much around it as it lasted, half an hour to six. Epoch ms, up to `now`. */
export function caseSpan(
  { versions }: Pick<CaseRecord, 'versions'>,
  now: number,
): { from: number; to: number } {
  const { since, openedAt, clearedAt } = versions.at(-1) as CaseVersion
  const from = Date.parse(since)
  const end = clearedAt === null ? now : Date.parse(clearedAt)
  const to = Math.min(Math.max(end, Date.parse(openedAt)), from + LONGEST_SPAN)
  const room = Math.min(Math.max(to - from, HOUR / 2), 6 * HOUR)
  return { from: from - room, to: Math.max(from + 1, Math.min(to + room, now)) }
}

const entry = (what: CaseEvent['what'], who = '', text = ''): Omit<CaseEvent, 'at'> => ({ what, who, text })

/** By when it happened; what happened at one instant in the order of the record. */
function note({ events }: CaseRecord, at: number, event: Omit<CaseEvent, 'at'>): void {
  const when = iso(at)
  const next = events.findIndex((one) => one.at > when)
  events.splice(next === -1 ? events.length : next, 0, { ...event, at: when })
}

const isIt = ({ opening }: CaseRecord, { violationId }: { violationId: string }): boolean =>
  opening.data.violationId === violationId

const isItsKind = ({ opening }: CaseRecord, { imei, type }: { imei: string; type: string }): boolean =>
  opening.data.imei === imei && opening.data.type === type

const isOver = ({ versions }: CaseRecord, at: number): boolean => {
  const { clearedAt, neverWas } = versions.at(-1) as CaseVersion
  return neverWas || (clearedAt !== null && Date.parse(clearedAt) <= at)
}

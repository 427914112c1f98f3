import { setImmediate as breath } from 'node:timers/promises'
import type { Notification, NotificationType } from '#machines/contracts/entities/notifications.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { ViolationType } from '#machines/contracts/scalars.ts'
import { NOTIFICATION_FACTS } from '#machines/projections/notification-type.ts'
import type { ViolationFact } from '#machines/projections/violation-case.ts'
import { endOf } from '#machines/projections/violations.ts'
import type { SharedValues } from '../cluster/cluster.ts'
import type { EventLog } from '../store/store.ts'
import type { Cut } from './cut.ts'
import { type KnownLoss, KnownLosses, type LossesRequest } from './known-losses.ts'
import { KnownNotifications, type LateRow, type Revision } from './known-notifications.ts'
import { LONGEST_VIOLATION, LongViolations } from './long-violations.ts'
import type { Loss } from './loss-spans.ts'
import { isViolationFact, notificationOf } from './notification-of.ts'
import { TYPES } from './notification-rows.ts'
import { type Lacking, lackingFrom } from './past-evaluation.ts'
import type { ReadModels } from './read-models.ts'

/** `from` and `to` included, epoch ms; `isRequested` says of a device number whether it is meant. */
export type InRange = { from: number; to: number; isRequested(no: number): boolean }
/** No `types`: all. */
export type NotificationQuery = InRange & {
  types?: readonly NotificationType[]
  skip: number
  limit: number
}
/** `seq`: the log up to there is in it */
export type NotificationPage = { notifications: Notification[]; notificationsCount: number; seq: number }

/** No `types`: all. `cut`: as of a time that is past. */
export type ViolationQuery = InRange & { types?: readonly ViolationType[]; cut?: Cut | undefined }
export type ViolationCounts = Record<ViolationType, number>

/**
 * A violation as it is known now. `seq`, `notifiedAt`: of the fact it was published by first, which is when it is counted; `from`: since when
 * the device was beyond its limit, `openedAt`: for so long that it counts, `to` null: it lasts. Epoch ms.
 */
export type ViolationSpan = {
  seq: number
  no: number
  type: ViolationType
  from: number
  openedAt: number
  to: number | null
  notifiedAt: number
}

/** A violation that was notified, by the fact `seq`. `notifiedAt`: epoch ms */
export type Alarm = { seq: number; no: number; type: ViolationType; notifiedAt: number }

export type NotificationIndex = {
  /** a page of them, newest first; of one time the one published last first */
  find(query: NotificationQuery): Promise<NotificationPage>
  /** the facts of a page of them as of a time, newest first: `then` as it stood, `now` by when each is known to have begun to count */
  findAt(query: NotificationQuery, cut: Cut): Promise<{ facts: Fact[]; notificationsCount: number }>
  /** violations that opened, by device number; devices without any are left out */
  violations(query: ViolationQuery): Promise<Map<number, ViolationCounts>>
  /** violations that reach into the range, by when they were published */
  violationSpans(query: ViolationQuery): Promise<ViolationSpan[]>
  /** `seq` of the facts that violations which may reach into a range opened, were over, or were otherwise, ascending; nobody was notified of those of before the record */
  violationNews(query: InRange): Promise<number[]>
  /** what late readings said of the violation that was published with the fact `seq`, in that order */
  revisionsOf(seq: number): Promise<readonly Revision[]>
  /** violations published from a time to another, both included, without those shelved and those that repeat an acknowledged one; in no order */
  alarms(query: InRange): Promise<Alarm[]>
  /** what `violations` from a time on lacks yet */
  lacking(from: number): Lacking
  /** the facts that published violations of a device that may reach into [from, to]: at most the newest 500 of 31 days before */
  violationsOf(no: number, from: number, to: number, cut?: Cut): Promise<ViolationFact[]>
  /** devices that were lost, of which `isMeant`, in the order they were published */
  losses(isMeant: (loss: Loss) => boolean): Promise<Loss[]>
  /** when those of a time were lost as it is known now, late readings included, in the order they were published */
  knownLosses(query: LossesRequest): Promise<KnownLoss[]>
  /** how many were published after `seq`, up to another where given; violations of before the record began are not, nobody's bell rings for them */
  countAfter(seq: number, isRequested: InRange['isRequested'], upTo?: number): Promise<number>
}

const FACTS_A_BREATH = 500
const SHELVINGS = ['violation.shelved', 'violation.unshelved'] as const
const MOST_VIOLATIONS = 500
const VIOLATIONS = Object.values(ViolationType.schema)
export const noViolations = (): ViolationCounts => ({
  LOW_TEMPERATURE_DETECTED: 0,
  LOW_HUMIDITY_DETECTED: 0,
  HIGH_TEMPERATURE_DETECTED: 0,
  HIGH_HUMIDITY_DETECTED: 0,
})

type Index = {
  log: EventLog
  readModels: ReadModels
  known: KnownNotifications
  long: LongViolations
  losses: KnownLosses
}

/**
 * All notifications by when they happened; their words are read from the log when asked for. It reads what the
 * log has in small breaths, and follows it from then on; who asks before it is through waits for that.
 */
export function createNotificationIndex(
  log: EventLog,
  readModels: ReadModels,
  values: Pick<SharedValues, 'get'> = { get: () => undefined },
): NotificationIndex {
  const isRepeat = (violationId: string): boolean => readModels.attention.violations.repeats.has(violationId)
  const { directory } = readModels
  const known = new KnownNotifications(directory, isRepeat)
  const index: Index = {
    ...{ log, readModels, known },
    long: new LongViolations(known, readModels),
    losses: new KnownLosses(directory),
  }
  // the order matters: what is published meanwhile comes after what the log has
  let heard: Fact[] | undefined = []
  readModels.onAdvance(({ facts }) => {
    if (heard === undefined) add(index, facts)
    else heard.push(...facts)
  })
  const caughtUp = readUpTo(index, readModels.seq).then(() => {
    add(index, heard ?? [])
    heard = undefined
    return index
  })
  // thrown to whoever asks
  caughtUp.catch(() => {})
  return {
    find: async (query) => pageOf(await caughtUp, query),
    findAt: async (query, cut) => pageAt(await caughtUp, query, cut),
    violations: async (query) => countsOf(await caughtUp, query),
    violationSpans: async (query) => spansOf(await caughtUp, query),
    violationNews: async (query) => newsOf(await caughtUp, query),
    revisionsOf: async (seq) => (await caughtUp).known.revisionsOf(seq),
    alarms: async (query) => alarmsOf(await caughtUp, query),
    lacking: (from) => lackingFrom(values, from),
    violationsOf: async (no, from, to, cut) => violationsOf(await caughtUp, { no, from, to, cut }),
    losses: async (isMeant) => [...(await caughtUp).losses.all(isMeant)],
    knownLosses: async (query) => [...(await caughtUp).losses.known(query)],
    countAfter: async (seq, isRequested, upTo) => countAfter(await caughtUp, seq, isRequested, upTo),
  }
}

const LATE = ['violation.revised', 'device-status.revised'] as const

function add({ known, losses }: Index, facts: readonly Fact[]): void {
  known.add(facts)
  losses.add(facts)
}

/** Type by type: only then does the log find the next ones without looking at all. Of shelvings the order matters, and they are few. */
async function readUpTo(index: Index, head: number): Promise<void> {
  const each = [...NOTIFICATION_FACTS, ...LATE, 'device.retired' as const].map((type) => [type])
  for (const types of [...each, [...SHELVINGS]]) {
    for (let after = 0; after < head; ) {
      const facts = index.log.readFacts(after, { limit: FACTS_A_BREATH, types })
      add(
        index,
        facts.filter(({ seq }) => seq <= head),
      )
      after = facts.length < FACTS_A_BREATH ? head : (facts.at(-1)?.seq ?? head)
      await breath()
    }
  }
}

function pageOf(index: Index, query: NotificationQuery): NotificationPage {
  const { readModels } = index
  const { facts, count } = factsOf(index, newestFirst(index, query), query)
  const notifications = facts.flatMap((fact) => notificationOf(fact, readModels) ?? [])
  return { notifications, notificationsCount: count, seq: readModels.seq }
}

function pageAt(
  index: Index,
  query: NotificationQuery,
  cut: Cut,
): Awaited<ReturnType<NotificationIndex['findAt']>> {
  const seqs = cut.view === 'then' ? newestFirst(index, query, cut.seq) : knownNewestFirst(index, query, cut)
  const { facts, count } = factsOf(index, seqs, query)
  return { facts, notificationsCount: count }
}

/** Those of a page, and how many there are. */
function factsOf(
  { log }: Index,
  all: Iterable<number>,
  { skip, limit }: NotificationQuery,
): { facts: Fact[]; count: number } {
  const seqs: number[] = []
  let count = 0
  for (const seq of all) {
    if (count >= skip && seqs.length < limit) seqs.push(seq)
    count++
  }
  return { facts: seqs.flatMap((seq) => log.readFacts(seq - 1, { limit: 1 })), count }
}

/** `seq` of all that is asked for of the log up to there; what was found late among the others by when it was published. */
function* newestFirst(
  { known, readModels }: Index,
  query: NotificationQuery,
  upTo = Number.POSITIVE_INFINITY,
): Generator<number> {
  const { rows, lates } = known
  const isRequested = meaning(readModels, query)
  const late = latesWithin(lates, query).filter(
    ({ seq, row }) => seq <= upTo && isRequested(row.no, row.type),
  )
  const first = rows.from(query.from)
  let next = 0
  for (let i = rows.after(query.to) - 1; i >= first; i--) {
    const [seq, at] = [rows.seq[i] as number, rows.at[i] as number]
    if (seq > upTo || !isRequested(rows.no[i] as number, rows.type[i] as number) || lates.has(seq)) continue
    for (let one = late[next]; one && isNewer(one, at, seq); one = late[++next]) yield one.seq
    yield seq
  }
  for (const { seq } of late.slice(next)) yield seq
}

/** `seq` of all that is known now to have come about by an instant, by when that was; what never was is left out. */
function knownNewestFirst(index: Index, query: NotificationQuery, cut: Cut): number[] {
  const { known, readModels } = index
  const { rows } = known
  const isRequested = meaning(readModels, query)
  const end = Math.min(query.to, cut.at)
  const found: { seq: number; at: number }[] = []
  for (let i = rows.from(query.from - LONGEST_VIOLATION); i < rows.length; i++) {
    const [seq, type] = [rows.seq[i] as number, rows.type[i] as number]
    if (known.gone.has(seq) || !isRequested(rows.no[i] as number, type)) continue
    const at = isViolation(type) ? spanAt(index, i, seq).openedAt : (rows.at[i] as number)
    if (at >= query.from && at <= end) found.push({ seq, at })
  }
  return found.sort((a, b) => b.at - a.at || b.seq - a.seq).map(({ seq }) => seq)
}

/** What was found late, newest first: it is found by when it was published, and by when it happened too. */
function latesWithin(lates: KnownNotifications['lates'], { from, to }: InRange): LateRow[] {
  const within = (at: number): boolean => at >= from && at <= to
  const found: LateRow[] = []
  for (const late of lates.values()) if (within(late.notifiedAt) || within(late.row.at)) found.push(late)
  return found.sort((a, b) => b.notifiedAt - a.notifiedAt || b.seq - a.seq)
}

const isNewer = (late: LateRow, at: number, seq: number): boolean =>
  late.notifiedAt > at || (late.notifiedAt === at && late.seq > seq)

/** Whether a device number and type are asked for; `isRequested` is called once a device. */
function meaning(
  { directory }: ReadModels,
  { isRequested, types }: { isRequested: InRange['isRequested']; types?: readonly NotificationType[] },
): (no: number, type: number) => boolean {
  const isType = TYPES.map((type) => types?.includes(type) !== false)
  const known = new Uint8Array(directory.devices.length)
  return (no, type) => {
    if (isType[type] !== true) return false
    if (known[no] === 0) known[no] = isRequested(no) ? 1 : 2
    return known[no] === 1
  }
}

/** Of `rowsNotified` those that are known, and not to never have been. */
const violationRows = (index: Index, query: ViolationQuery, long?: readonly number[]) =>
  rowsNotified(index, query, long).filter(({ seq }) => isThere(index, seq, query.cut))

/** The rows of violations that were published in a range and are meant, oldest first. @param long rows of before it that are looked at too */
function* rowsNotified(
  index: Index,
  { from, to, isRequested, types, cut }: ViolationQuery,
  long: readonly number[] = [],
) {
  const { known, readModels } = index
  const { rows } = known
  const isMeant = meaning(readModels, { isRequested, types: types ?? VIOLATIONS })
  const [first, end] = [rows.from(from), rows.after(to)]
  // what was published later may be known now to have begun by then
  const last = cut?.view === 'now' ? rows.length : end
  for (let n = first - long.length; n < last; n++) {
    const i = n < first ? (long[n - first + long.length] as number) : n
    const [no, type] = [rows.no[i] as number, rows.type[i] as number]
    const seq = rows.seq[i] as number
    if (n >= end && !known.changed.has(seq)) continue
    if (isMeant(no, type)) yield { i, seq, no, type: TYPES[type] as ViolationType }
  }
}

/** Whether the violation that was published with a fact is known, and not to never have been. */
function isThere(index: Index, seq: number, cut: Cut | undefined): boolean {
  if (cut?.view !== 'then') return !index.known.gone.has(seq)
  return seq <= cut.seq && revisedThen(index, seq, cut)?.after !== null
}

type Revised = { from: number; openedAt: number; to: number | null }

/** What late readings made of the violation that was published with a fact; undefined: nothing. */
function revisedNow({ known, readModels }: Index, seq: number): Revised | undefined {
  const after = readModels.attention.violations.revised.get(known.changed.get(seq) ?? '')?.after
  return after ? { from: after.since, openedAt: after.openedAt, to: after.clearedAt } : undefined
}

/**
 * What late readings had made of it by a time, `after` null: it never was; undefined: nothing yet. `to`: when it was over, as that was
 * known before the next of them came.
 */
function revisedThen(
  { known, readModels }: Index,
  seq: number,
  cut: Cut,
): { after: Revision['after'] | undefined; to: number | null } | undefined {
  const revisions = known.revisionsOf(seq)
  if (revisions.length === 0) return undefined
  const next = revisions.find((one) => one.seq > cut.seq)
  const after = revisions.findLast((one) => one.seq <= cut.seq)?.after
  if (next !== undefined) return { after, to: after?.clearedAt ?? next.before.clearedAt }
  const now = readModels.attention.violations.revised.get(known.changed.get(seq) ?? '')
  const isKnownBy = now !== undefined && now.seq <= cut.seq
  return { after, to: (isKnownBy ? now.after : after)?.clearedAt ?? null }
}

function countsOf(index: Index, query: ViolationQuery): Map<number, ViolationCounts> {
  const found = new Map<number, ViolationCounts>()
  const isOpened = ({ openedAt }: ViolationSpan) => openedAt >= query.from && openedAt <= query.to
  const counted =
    query.cut?.view === 'now' ? spansOf(index, query).filter(isOpened) : violationRows(index, query)
  for (const { no, type } of counted) {
    const counts = found.get(no) ?? noViolations()
    counts[type]++
    found.set(no, counts)
  }
  return found
}

/** What late readings showed never to have been was published all the same. */
function alarmsOf({ known, readModels }: Index, { from, to, isRequested }: InRange): Alarm[] {
  const { rows, lates, repeats } = known
  const isMeant = meaning(readModels, { isRequested, types: VIOLATIONS })
  const alarms: Alarm[] = []
  const add = (seq: number, no: number, type: number, at: number, notifiedAt: number): void => {
    if (!isMeant(no, type) || repeats.has(seq) || known.wasShelved(no, type, at)) return
    alarms.push({ seq, no, type: TYPES[type] as ViolationType, notifiedAt })
  }
  const end = rows.after(to)
  for (let i = rows.from(from); i < end; i++) {
    const [seq, at] = [rows.seq[i] as number, rows.at[i] as number]
    if (rows.isShown[i] === 1 && !lates.has(seq))
      add(seq, rows.no[i] as number, rows.type[i] as number, at, at)
  }
  for (const { seq, notifiedAt, row } of lates.values())
    if (notifiedAt >= from && notifiedAt <= to) add(seq, row.no, row.type, row.at, notifiedAt)
  return alarms
}

function spansOf(index: Index, query: ViolationQuery): ViolationSpan[] {
  const spans: ViolationSpan[] = []
  const { at } = index.known.rows
  const from = query.from - LONGEST_VIOLATION
  for (const { i, seq, no, type } of violationRows(index, { ...query, from }, index.long.before(from))) {
    const span = { seq, no, type, notifiedAt: at[i] as number, ...spanAt(index, i, seq, query.cut) }
    const isToCome = query.cut?.view === 'now' && span.openedAt > query.cut.at
    if (!isToCome && span.from <= query.to && (span.to ?? query.to) >= query.from) spans.push(span)
  }
  return spans
}

/** What late readings showed never to have been was published all the same. */
function newsOf(index: Index, query: InRange): number[] {
  const { known, readModels } = index
  const from = query.from - LONGEST_VIOLATION
  const news: number[] = []
  for (const { i, seq } of rowsNotified(index, { ...query, from }, index.long.before(from))) {
    if (known.rows.isShown[i] === 0) continue
    const end = endOf(readModels.attention.violations, { seq })
    for (const fact of [{ seq }, ...known.revisionsOf(seq), ...(end ? [end] : [])]) news.push(fact.seq)
  }
  return news.sort((a, b) => a - b)
}

/** From when to when the violation of a row was, as it is known now, or as of a time. */
function spanAt(index: Index, i: number, seq: number, cut?: Cut): Revised {
  const span = cut?.view === 'then' ? spanThen(index, i, seq, cut) : spanNow(index, i, seq)
  return cut !== undefined && span.to !== null && span.to > cut.at ? { ...span, to: null } : span
}

const spanPublished = ({ known: { rows } }: Index, i: number): Revised => ({
  from: rows.since[i] as number,
  openedAt: rows.at[i] as number,
  to: rows.until[i] || null,
})

function spanNow(index: Index, i: number, seq: number): Revised {
  const revised = revisedNow(index, seq)
  if (revised !== undefined) return revised
  const published = spanPublished(index, i)
  return { ...published, to: endOf(index.readModels.attention.violations, { seq })?.at ?? published.to }
}

function spanThen(index: Index, i: number, seq: number, cut: Cut): Revised {
  const revised = revisedThen(index, seq, cut)
  const published = spanPublished(index, i)
  if (revised !== undefined) {
    const { after, to } = revised
    return after ? { from: after.since, openedAt: after.openedAt, to } : { ...published, to }
  }
  const end = endOf(index.readModels.attention.violations, { seq })
  return { ...published, to: end !== undefined && end.seq <= cut.seq ? end.at : published.to }
}

function violationsOf(
  index: Index,
  { no, from, to, cut }: { no: number; from: number; to: number; cut: Cut | undefined },
): ViolationFact[] {
  const { log, known } = index
  const { rows } = known
  const seqs: number[] = []
  const [first, end] = [rows.from(from - LONGEST_VIOLATION), rows.after(to)]
  const last = cut?.view === 'now' ? rows.length : end
  for (let i = last - 1; i >= first && seqs.length < MOST_VIOLATIONS; i--) {
    const [seq, type] = [rows.seq[i] as number, rows.type[i] as number]
    if (rows.no[i] !== no || !isViolation(type)) continue
    // what was published later may be known now to have begun by then
    if (i < end || (known.changed.has(seq) && spanAt(index, i, seq, cut).openedAt <= to)) seqs.push(seq)
  }
  return seqs
    .filter((seq) => isThere(index, seq, cut))
    .flatMap((seq) => log.readFacts(seq - 1, { limit: 1 }))
    .filter(isViolationFact)
}

const isViolation = (type: number): boolean => (TYPES[type] as NotificationType) in ViolationType.schema

function countAfter(
  { known: { rows }, readModels }: Index,
  after: number,
  isRequested: InRange['isRequested'],
  upTo = Number.POSITIVE_INFINITY,
): number {
  const isMeant = meaning(readModels, { isRequested })
  let count = 0
  for (let i = rows.nextAfter(after, 0); i < rows.length; i = rows.nextAfter(after, i + 1)) {
    const isNews = (rows.seq[i] as number) <= upTo && rows.isShown[i] === 1
    if (isNews && isMeant(rows.no[i] as number, rows.type[i] as number)) count++
  }
  return count
}

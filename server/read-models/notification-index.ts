import { setImmediate as breath } from 'node:timers/promises'
import type { Notification, NotificationType } from '#machines/contracts/entities/notifications.ts'
import { ViolationType } from '#machines/contracts/scalars.ts'
import { NOTIFICATION_FACTS } from '#machines/projections/notification-type.ts'
import type { ViolationFact } from '#machines/projections/violation-case.ts'
import { endOf } from '#machines/projections/violations.ts'
import type { SharedValues } from '../cluster/cluster.ts'
import type { EventLog } from '../store/store.ts'
import { KnownNotifications, type LateRow } from './known-notifications.ts'
import { isViolationFact, notificationOf } from './notification-of.ts'
import { TYPES } from './notification-rows.ts'
import { type Lacking, lackingFrom } from './past-evaluation.ts'
import type { ReadModels } from './read-models.ts'

/** `from` and `to` included, epoch ms; `isAsked` says of a device number whether it is meant. */
export type InRange = { from: number; to: number; isAsked(no: number): boolean }
/** No `types`: all. */
export type NotificationQuery = InRange & {
  types?: readonly NotificationType[]
  skip: number
  limit: number
}
/** `seq`: the log up to there is in it */
export type NotificationPage = { notifications: Notification[]; notificationsCount: number; seq: number }

/** No `types`: all. */
export type ViolationQuery = InRange & { types?: readonly ViolationType[] }
export type ViolationCounts = Record<ViolationType, number>

/**
 * A violation as it is known now. `seq`, `toldAt`: of the fact it was told by first, which is when it is counted; `from`: since when
 * the device was beyond its limit, `openedAt`: for so long that it counts, `to` null: it lasts. Epoch ms.
 */
export type ViolationSpan = {
  seq: number
  no: number
  type: ViolationType
  from: number
  openedAt: number
  to: number | null
  toldAt: number
}

export type NotificationIndex = {
  /** a page of them, newest first; of one time the one published last first */
  find(query: NotificationQuery): Promise<NotificationPage>
  /** violations that opened, by device number; devices without any are left out */
  violations(query: ViolationQuery): Promise<Map<number, ViolationCounts>>
  /** violations that reach into the range, by when they were told, of which none began more than 31 days before it */
  violationSpans(query: ViolationQuery): Promise<ViolationSpan[]>
  /** what `violations` from a time on lacks yet */
  lacking(from: number): Lacking
  /** what violations of a device that may reach into [from, to] were told by: at most the newest 500 of 31 days before */
  violationsOf(no: number, from: number, to: number): Promise<ViolationFact[]>
  /** how many were published after `seq`; violations of before the record began are not, nobody's bell rings for them */
  countAfter(seq: number, isAsked: InRange['isAsked']): Promise<number>
}

const FACTS_A_BREATH = 500
/** One that began earlier than this before a range, ms, is not looked for there. */
const LONGEST_VIOLATION = 31 * 86_400_000
const MOST_VIOLATIONS = 500
const VIOLATIONS = Object.values(ViolationType.schema)
export const noViolations = (): ViolationCounts => ({
  LOW_TEMPERATURE_DETECTED: 0,
  LOW_HUMIDITY_DETECTED: 0,
  HIGH_TEMPERATURE_DETECTED: 0,
  HIGH_HUMIDITY_DETECTED: 0,
})

type Index = { log: EventLog; readModels: ReadModels; known: KnownNotifications }

/**
 * All notifications by when they happened; their words are read from the log when asked for. It reads what the
 * log has in small breaths, and follows it from then on; who asks before it is through waits for that.
 */
export function createNotificationIndex(
  log: EventLog,
  readModels: ReadModels,
  values: Pick<SharedValues, 'get'> = { get: () => undefined },
): NotificationIndex {
  const index: Index = { log, readModels, known: new KnownNotifications(readModels.directory) }
  readModels.onAdvance(({ facts }) => index.known.add(facts))
  const caughtUp = readUpTo(index, readModels.seq).then(() => index)
  // thrown to whoever asks
  caughtUp.catch(() => {})
  return {
    find: async (query) => pageOf(await caughtUp, query),
    violations: async (query) => countsOf(await caughtUp, query),
    violationSpans: async (query) => spansOf(await caughtUp, query),
    lacking: (from) => lackingFrom(values, from),
    violationsOf: async (no, from, to) => violationsOf(await caughtUp, no, from, to),
    countAfter: async (seq, isAsked) => countAfter(await caughtUp, seq, isAsked),
  }
}

/** Type by type: only then does the log find the next ones without looking at all. */
async function readUpTo({ log, known }: Index, head: number): Promise<void> {
  for (const type of [...NOTIFICATION_FACTS, 'violation.revised'] as const) {
    for (let after = 0; after < head; ) {
      const facts = log.readFacts(after, { limit: FACTS_A_BREATH, types: [type] })
      known.add(facts.filter(({ seq }) => seq <= head))
      after = facts.length < FACTS_A_BREATH ? head : (facts.at(-1)?.seq ?? head)
      await breath()
    }
  }
}

function pageOf(index: Index, query: NotificationQuery): NotificationPage {
  const { log, readModels } = index
  const { skip, limit } = query
  const seqs: number[] = []
  let count = 0
  for (const seq of newestFirst(index, query)) {
    if (count >= skip && seqs.length < limit) seqs.push(seq)
    count++
  }
  const notifications = seqs.flatMap((seq) => {
    const [fact] = log.readFacts(seq - 1, { limit: 1 })
    return (fact && notificationOf(fact, readModels)) ?? []
  })
  return { notifications, notificationsCount: count, seq: readModels.seq }
}

/** `seq` of all that is asked for; what was found late among the others by when it was told. */
function* newestFirst({ known, readModels }: Index, query: NotificationQuery): Generator<number> {
  const { rows, lates } = known
  const isMeant = meaning(readModels, query)
  const late = latesWithin(lates, query).filter(({ row }) => isMeant(row.no, row.type))
  const first = rows.from(query.from)
  let next = 0
  for (let i = rows.after(query.to) - 1; i >= first; i--) {
    const [seq, at] = [rows.seq[i] as number, rows.at[i] as number]
    if (!isMeant(rows.no[i] as number, rows.type[i] as number) || lates.has(seq)) continue
    for (let one = late[next]; one && isNewer(one, at, seq); one = late[++next]) yield one.seq
    yield seq
  }
  for (const { seq } of late.slice(next)) yield seq
}

/** What was found late, newest first: it is found by when it was told, and by when it happened too. */
function latesWithin(lates: KnownNotifications['lates'], { from, to }: InRange): LateRow[] {
  const within = (at: number): boolean => at >= from && at <= to
  const found: LateRow[] = []
  for (const late of lates.values()) if (within(late.toldAt) || within(late.row.at)) found.push(late)
  return found.sort((a, b) => b.toldAt - a.toldAt || b.seq - a.seq)
}

const isNewer = (late: LateRow, at: number, seq: number): boolean =>
  late.toldAt > at || (late.toldAt === at && late.seq > seq)

/** Whether a device number and type are asked for; `isAsked` is called once a device. */
function meaning(
  { directory }: ReadModels,
  { isAsked, types }: { isAsked: InRange['isAsked']; types?: readonly NotificationType[] },
): (no: number, type: number) => boolean {
  const isType = TYPES.map((type) => types?.includes(type) !== false)
  const known = new Uint8Array(directory.devices.length)
  return (no, type) => {
    if (isType[type] !== true) return false
    if (known[no] === 0) known[no] = isAsked(no) ? 1 : 2
    return known[no] === 1
  }
}

/** The rows of violations that were told of in a range and are meant, oldest first. */
function* violationRows({ known, readModels }: Index, { from, to, isAsked, types }: ViolationQuery) {
  const { rows, gone } = known
  const isMeant = meaning(readModels, { isAsked, types: types ?? VIOLATIONS })
  const end = rows.after(to)
  for (let i = rows.from(from); i < end; i++) {
    const [no, type] = [rows.no[i] as number, rows.type[i] as number]
    const seq = rows.seq[i] as number
    if (isMeant(no, type) && !gone.has(seq)) yield { i, seq, no, type: TYPES[type] as ViolationType }
  }
}

function countsOf(index: Index, query: ViolationQuery): Map<number, ViolationCounts> {
  const found = new Map<number, ViolationCounts>()
  for (const { no, type } of violationRows(index, query)) {
    const counts = found.get(no) ?? noViolations()
    counts[type]++
    found.set(no, counts)
  }
  return found
}

function spansOf(index: Index, query: ViolationQuery): ViolationSpan[] {
  const spans: ViolationSpan[] = []
  const { at } = index.known.rows
  const mayReach = violationRows(index, { ...query, from: query.from - LONGEST_VIOLATION })
  for (const { i, seq, no, type } of mayReach) {
    const span = { seq, no, type, toldAt: at[i] as number, ...spanAt(index, i, seq) }
    if (span.from <= query.to && (span.to ?? query.to) >= query.from) spans.push(span)
  }
  return spans
}

/** From when to when the violation of a row was, as it is known now. */
function spanAt(
  { known, readModels }: Index,
  i: number,
  seq: number,
): Pick<ViolationSpan, 'from' | 'openedAt' | 'to'> {
  const { violations } = readModels.attention
  const after = violations.revised.get(known.changed.get(seq) ?? '')?.after
  if (after) return { from: after.since, openedAt: after.openedAt, to: after.clearedAt }
  const to = endOf(violations, { seq })?.at ?? (known.rows.until[i] || null)
  return { from: known.rows.since[i] as number, openedAt: known.rows.at[i] as number, to }
}

function violationsOf({ log, known }: Index, no: number, from: number, to: number): ViolationFact[] {
  const { rows, gone } = known
  const seqs: number[] = []
  const first = rows.from(from - LONGEST_VIOLATION)
  for (let i = rows.after(to) - 1; i >= first && seqs.length < MOST_VIOLATIONS; i--)
    if (rows.no[i] === no && isViolation(rows.type[i] as number)) seqs.push(rows.seq[i] as number)
  return seqs
    .filter((seq) => !gone.has(seq))
    .flatMap((seq) => log.readFacts(seq - 1, { limit: 1 }))
    .filter(isViolationFact)
}

const isViolation = (type: number): boolean => (TYPES[type] as NotificationType) in ViolationType.schema

function countAfter({ known, readModels }: Index, seq: number, isAsked: InRange['isAsked']): number {
  const { rows } = known
  const isMeant = meaning(readModels, { isAsked })
  let count = 0
  for (let i = 0; i < rows.length; i++) {
    const isNews = (rows.seq[i] as number) > seq && rows.isShown[i] === 1
    if (isNews && isMeant(rows.no[i] as number, rows.type[i] as number)) count++
  }
  return count
}

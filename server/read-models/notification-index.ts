import { setImmediate as breath } from 'node:timers/promises'
import type { Notification, NotificationType } from '#machines/contracts/entities/notifications.ts'
import type { Fact, FactOf } from '#machines/contracts/facts.ts'
import { ViolationType } from '#machines/contracts/scalars.ts'
import { NOTIFICATION_FACTS, notificationTypeOf } from '#machines/projections/notification-type.ts'
import { endOf } from '#machines/projections/violations.ts'
import { foundLateOf } from '#machines/rules/found-late.ts'
import type { SharedValues } from '../cluster/cluster.ts'
import type { EventLog } from '../store/store.ts'
import { isViolationFact, notificationOf, toldAt, type ViolationFact } from './notification-of.ts'
import { type NotificationRow, NotificationRows, TYPES } from './notification-rows.ts'
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
 * A violation as it is known now. `seq`, `toldAt`: of the fact it was told by first, which is when it is counted; `to` null: it
 * lasts. Epoch ms.
 */
export type ViolationSpan = {
  seq: number
  no: number
  type: ViolationType
  from: number
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
export const noViolations = (): ViolationCounts => ({
  LOW_TEMPERATURE_DETECTED: 0,
  LOW_HUMIDITY_DETECTED: 0,
  HIGH_TEMPERATURE_DETECTED: 0,
  HIGH_HUMIDITY_DETECTED: 0,
})

/**
 * All notifications by when they happened; their words are read from the log when asked for. It reads what the
 * log has in small breaths, and follows it from then on; who asks before it is through waits for that.
 */
export function createNotificationIndex(
  log: EventLog,
  readModels: ReadModels,
  values: Pick<SharedValues, 'get'> = { get: () => undefined },
): NotificationIndex {
  const { directory } = readModels
  const rows = new NotificationRows()
  /** those that were found late, by `seq`: they are listed where they were told */
  const lates = new Map<number, { row: NotificationRow; toldAt: number }>()
  /** by `seq`: violations that never were */
  const gone = new Set<number>()
  /** by violation that late readings changed: the `seq` it was told by */
  const revised = new Map<string, number>()
  /** by `seq`: the violation, where late readings changed it */
  const changed = new Map<number, string>()

  function add(facts: Fact[]): void {
    const found: NotificationRow[] = []
    for (const fact of facts) {
      const row = rowOf(fact)
      if (row !== undefined) found.push(row)
      if (row !== undefined && foundLateOf(fact)) lates.set(row.seq, { row, toldAt: toldAt(fact) })
    }
    if (found.length > 0) rows.insert(found)
    for (const fact of facts) if (fact.type === 'violation.revised') revise(fact)
  }

  /** A violation that never was is listed as it was told, and counted no more. */
  function revise({ data: { violationId, imei, type, before, after } }: FactOf<'violation.revised'>): void {
    const seq = revised.get(violationId) ?? seqOf(imei, type, before.openedAt)
    if (seq === undefined) return
    revised.set(violationId, seq)
    changed.set(seq, violationId)
    if (after === null) gone.add(seq)
    else gone.delete(seq)
  }

  /** Of the notification that told of a violation at first. */
  function seqOf(imei: string, type: ViolationType, openedAt: number): number | undefined {
    const no = directory.numbers.get(imei)
    const end = rows.after(openedAt)
    for (let i = rows.from(openedAt); i < end; i++)
      if (rows.no[i] === no && rows.type[i] === TYPES.indexOf(type)) return rows.seq[i]
    return undefined
  }

  /** What was found late is listed where it was told, and found by when it happened too. */
  function latesWithin(from: number, to: number): { seq: number; at: number; row: NotificationRow }[] {
    const within = (at: number): boolean => at >= from && at <= to
    const found: { seq: number; at: number; row: NotificationRow }[] = []
    for (const { row, toldAt: at } of lates.values())
      if (within(at) || within(row.at)) found.push({ seq: row.seq, at, row })
    return found.sort((a, b) => b.at - a.at || b.seq - a.seq)
  }

  function rowOf(fact: Fact): NotificationRow | undefined {
    const type = notificationTypeOf(fact)
    const no = type && 'imei' in fact.data ? directory.numbers.get(fact.data.imei ?? '') : undefined
    if (type === undefined || no === undefined) return undefined
    const { seq, at } = fact
    return {
      seq,
      at,
      since: isViolationFact(fact) ? fact.data.since : at,
      until: fact.type === 'violation.found' ? fact.data.clearedAt : 0,
      no,
      type: TYPES.indexOf(type),
      isShown: fact.type !== 'violation.found',
    }
  }

  /** Type by type: only then does the log find the next ones without looking at all. */
  async function readUpTo(head: number): Promise<void> {
    for (const type of [...NOTIFICATION_FACTS, 'violation.revised'] as const) {
      for (let after = 0; after < head; ) {
        const facts = log.readFacts(after, { limit: FACTS_A_BREATH, types: [type] })
        add(facts.filter(({ seq }) => seq <= head))
        after = facts.length < FACTS_A_BREATH ? head : (facts.at(-1)?.seq ?? head)
        await breath()
      }
    }
  }

  readModels.onAdvance(({ facts }) => add(facts))
  const caughtUp = readUpTo(readModels.seq)
  // thrown to whoever asks
  caughtUp.catch(() => {})

  /** `isAsked`, called once a device. */
  function once(isAsked: InRange['isAsked']): InRange['isAsked'] {
    const known = new Uint8Array(directory.devices.length)
    return (no) => {
      if (known[no] === 0) known[no] = isAsked(no) ? 1 : 2
      return known[no] === 1
    }
  }

  /** The violations that were told of in a range and are meant, oldest first. */
  function* asked({ from, to, isAsked, types }: ViolationQuery) {
    const isMeant = once(isAsked)
    const isType = TYPES.map((type) => (isViolation(type) && types?.includes(type) !== false ? type : null))
    const end = rows.after(to)
    for (let i = rows.from(from); i < end; i++) {
      const no = rows.no[i] as number
      const type = isType[rows.type[i] as number]
      if (type != null && isMeant(no) && !gone.has(rows.seq[i] as number)) yield { i, no, type }
    }
  }

  /** From when to when the violation of a row was, as it is known now. */
  function spanAt(i: number): Pick<ViolationSpan, 'from' | 'to'> {
    const { violations } = readModels.attention
    const seq = rows.seq[i] as number
    const after = violations.revised.get(changed.get(seq) ?? '')?.after
    if (after) return { from: after.since, to: after.clearedAt }
    const to = endOf(violations, { seq })?.at ?? (rows.until[i] || null)
    return { from: rows.since[i] as number, to }
  }

  return {
    async find({ from, to, isAsked, types, skip, limit }) {
      await caughtUp
      const isMeant = once(isAsked)
      const isType = TYPES.map((type) => types === undefined || types.includes(type))
      const first = rows.from(from)
      const seqs: number[] = []
      let count = 0
      const take = (seq: number): void => {
        if (count >= skip && seqs.length < limit) seqs.push(seq)
        count++
      }
      const late = latesWithin(from, to).filter(({ row }) => isType[row.type] === true && isMeant(row.no))
      let next = 0
      for (let i = rows.after(to) - 1; i >= first; i--) {
        const [seq, at] = [rows.seq[i] as number, rows.at[i] as number]
        if (isType[rows.type[i] as number] !== true || !isMeant(rows.no[i] as number) || lates.has(seq))
          continue
        for (
          let one = late[next];
          one && (one.at > at || (one.at === at && one.seq > seq));
          one = late[++next]
        )
          take(one.seq)
        take(seq)
      }
      for (const { seq } of late.slice(next)) take(seq)
      const notifications = seqs.flatMap((seq) => {
        const [fact] = log.readFacts(seq - 1, { limit: 1 })
        return (fact && notificationOf(fact, readModels)) ?? []
      })
      return { notifications, notificationsCount: count, seq: readModels.seq }
    },
    async violations(query) {
      await caughtUp
      const found = new Map<number, ViolationCounts>()
      for (const { no, type } of asked(query)) {
        const counts = found.get(no) ?? noViolations()
        counts[type]++
        found.set(no, counts)
      }
      return found
    },
    async violationSpans(query) {
      await caughtUp
      const spans: ViolationSpan[] = []
      for (const { i, no, type } of asked({ ...query, from: query.from - LONGEST_VIOLATION })) {
        const [seq, toldAt] = [rows.seq[i] as number, rows.at[i] as number]
        const span = { seq, no, type, toldAt, ...spanAt(i) }
        if (span.from <= query.to && (span.to ?? query.to) >= query.from) spans.push(span)
      }
      return spans
    },
    lacking: (from) => lackingFrom(values, from),
    async violationsOf(no, from, to) {
      await caughtUp
      const seqs: number[] = []
      const first = rows.from(from - LONGEST_VIOLATION)
      for (let i = rows.after(to) - 1; i >= first && seqs.length < MOST_VIOLATIONS; i--)
        if (rows.no[i] === no && isViolation(TYPES[rows.type[i] as number] as NotificationType))
          seqs.push(rows.seq[i] as number)
      return seqs
        .filter((seq) => !gone.has(seq))
        .flatMap((seq) => log.readFacts(seq - 1, { limit: 1 }))
        .filter(isViolationFact)
    },
    async countAfter(seq, isAsked) {
      await caughtUp
      const isMeant = once(isAsked)
      let count = 0
      for (let i = 0; i < rows.length; i++)
        if ((rows.seq[i] as number) > seq && rows.isShown[i] === 1 && isMeant(rows.no[i] as number)) count++
      return count
    },
  }
}

const isViolation = (type: NotificationType): type is ViolationType => type in ViolationType.schema

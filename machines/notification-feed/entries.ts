import type { Notification, NotificationType } from '../contracts/entities/notifications.ts'
import type { Fact, FactOf } from '../contracts/facts.ts'
import type { DateRange } from '../rules/date-range.ts'

/** What a list asks for; null: not narrowed. */
export type Filters = {
  range: DateRange
  /** imeis */
  things: readonly string[] | null
  types: readonly NotificationType[] | null
}

/** A part of the server's list, newest first: its first entries, as of a position in the log. */
export type Listed = {
  entries: readonly Notification[]
  /** how many there are in all, those not loaded included */
  count: number
  hasMore: boolean
  /** `seq` of the newest answer; -1 before the first */
  asOf: number
}

/** What the server answers to a list that is asked for. */
export type Answered = {
  notifications: readonly Notification[]
  notificationsCount: number
  hasMore: boolean
  unread: number
  seq: number
}

/** Facts that change what is said of a notification. Sent twice, or about what is known already, they change nothing. */
export type ChangingFact = FactOf<
  | 'notification.commented'
  | 'violation.acknowledged'
  | 'violation.taken'
  | 'violation.released'
  | 'violation.shelved'
  | 'violation.unshelved'
  | 'violation.cleared'
  | 'violation.revised'
  | 'passenger.checked'
>

const CHANGING = new Set<string>([
  'notification.commented',
  'violation.acknowledged',
  'violation.taken',
  'violation.released',
  'violation.shelved',
  'violation.unshelved',
  'violation.cleared',
  'violation.revised',
  'passenger.checked',
] satisfies ChangingFact['type'][])
export const isChanging = (fact: Fact): fact is ChangingFact => CHANGING.has(fact.type)

export const EMPTY: Listed = { entries: [], count: 0, hasMore: false, asOf: -1 }

/** Where in the log the fact is that a notification is about. */
export const seqOf = ({ _id }: Notification): number => Number(_id.slice(1))

/**
 * Whether a list with these filters has a notification. Both ends of the range are in it; null filters nothing.
 * One that was found late is in the list of when it was found and in that of when it began.
 */
export function matches(
  { range, things, types }: Filters,
  { thing, type, createdAt, foundLate }: Notification,
): boolean {
  const isWithin = (instant: string): boolean =>
    Date.parse(instant) >= range.from && Date.parse(instant) <= range.to
  return (
    (isWithin(createdAt) || (foundLate !== undefined && isWithin(foundLate.openedAt))) &&
    (things === null || things.includes(thing)) &&
    (types === null || types.includes(type))
  )
}

/**
 * The list with a notification that came live. Most belong in front; a late one where it happened. One that belongs
 * after all that is loaded comes with the next page.
 */
export function withLive(listed: Listed, live: Notification, filters: Filters): Listed {
  if (!matches(filters, live)) return listed
  const count = listed.count + (seqOf(live) > listed.asOf ? 1 : 0)
  return { ...listed, count, entries: inserted(listed, live) }
}

/** The list with an answer: the whole of it, or its next page; `news` came since it was asked for. */
export function withAnswer(
  listed: Listed,
  { notifications, notificationsCount, hasMore, seq }: Answered,
  {
    news,
    changes,
    filters,
  }: { news: readonly Notification[]; changes: readonly ChangingFact[]; filters: Filters },
): Listed {
  const fresh = new Map(notifications.map((one) => [one._id, withChanges(one, changes)]))
  const known = listed.entries.map((one) => {
    const newer = fresh.get(one._id)
    fresh.delete(one._id)
    return newer ?? one
  })
  // What the answer is of already, it has, or has in a later part.
  const later = news.filter((one) => seqOf(one) > seq && matches(filters, one))
  const joined: Listed = {
    entries: joinedInOrder(known, [...fresh.values()]),
    count: notificationsCount + later.length,
    hasMore,
    asOf: seq,
  }
  for (const one of later) joined.entries = inserted(joined, one)
  return joined
}

/** The list with what is known now of one of its entries. */
export function withChange(listed: Listed, change: ChangingFact): Listed {
  return replaced(listed, (one) => changed(one, change))
}

/** The list with an entry as the server just answered it. */
export function withEntry(listed: Listed, entry: Notification, changes: readonly ChangingFact[]): Listed {
  return replaced(listed, (one) => (one._id === entry._id ? withChanges(entry, changes) : one))
}

/** An entry after the facts that changed it, in their order. Facts about others change nothing. */
export const withChanges = (entry: Notification, changes: readonly ChangingFact[]): Notification =>
  changes.reduce(changed, entry)

function replaced(listed: Listed, change: (entry: Notification) => Notification): Listed {
  const entries = listed.entries.map(change)
  return entries.every((one, i) => one === listed.entries[i]) ? listed : { ...listed, entries }
}

function changed(entry: Notification, { type, at, by, seq, data }: ChangingFact): Notification {
  switch (type) {
    case 'notification.commented': {
      const { commentId: _id, notificationId, userName, comment } = data
      if (notificationId !== entry._id || entry.comments.some((one) => one._id === _id)) return entry
      return { ...entry, comments: [...entry.comments, { _id, userName, comment, createdAt: instantOf(at) }] }
    }
    case 'violation.acknowledged': {
      const { violationId, userName, comment, reason } = data
      if (violationId !== entry.violationId || entry.acknowledged !== null) return entry
      const note = { userName, comment, ...(reason !== undefined && { reason }) }
      const acknowledged = { ...note, createdAt: instantOf(at) }
      if (entry.clearedAt !== null) return { ...entry, acknowledged }
      const holder = entry.holder ?? { userId: by ?? '', userName, since: instantOf(at) }
      return { ...entry, acknowledged, holder }
    }
    case 'violation.taken':
      if (data.violationId !== entry.violationId || entry.clearedAt !== null) return entry
      return { ...entry, holder: { userId: by ?? '', userName: data.userName, since: instantOf(at) } }
    case 'violation.released':
      if (data.violationId !== entry.violationId || entry.clearedAt !== null) return entry
      return { ...entry, holder: null }
    case 'violation.shelved': {
      if (!isOpenOfKind(entry, data)) return entry
      const { until, reason, userName } = data
      return { ...entry, shelved: { until: instantOf(until), reason, userName } }
    }
    case 'violation.unshelved':
      return isOpenOfKind(entry, data) ? withoutShelving(entry) : entry
    case 'violation.cleared':
      if (data.violationId !== entry.violationId || entry.clearedAt !== null) return entry
      return ended(entry, instantOf(at))
    case 'violation.revised':
      return data.violationId === entry.violationId ? revised(entry, data) : entry
    case 'passenger.checked':
      if (!entry.passengerCheck || data.imei !== entry.thing || seqOf(entry) > seq) return entry
      return { ...entry, passengerCheck: false }
  }
}

/** Who has it, and whether it is shelved, is said of what lasts alone. */
function ended({ holder: _, ...entry }: Notification, clearedAt: string): Notification {
  return { ...withoutShelving(entry), clearedAt }
}

const withoutShelving = ({ shelved: _, ...entry }: Notification): Notification => entry

/** What is shelved is a kind of a device: of its notifications the one that lasts says so. */
const isOpenOfKind = (
  { thing, type, clearedAt }: Notification,
  kind: FactOf<'violation.unshelved'>['data'] | FactOf<'violation.shelved'>['data'],
): boolean => clearedAt === null && thing === kind.imei && type === kind.type

/** What late readings, or those of before the record, make of a violation: other times, or that it never was. */
function revised(
  entry: Notification,
  { before, after, isOfPast }: FactOf<'violation.revised'>['data'],
): Notification {
  if (after === null) return { ...ended(entry, entry.clearedAt ?? instantOf(before.openedAt)), revised: null }
  const { since, openedAt, clearedAt, worst, isSinceBefore } = after
  const beginning = { since: instantOf(since), ...(isSinceBefore && { isSinceBefore }) }
  const revision = { ...beginning, openedAt: instantOf(openedAt), worst, ...(isOfPast && { isOfPast }) }
  if (clearedAt !== null) return { ...ended(entry, instantOf(clearedAt)), revised: revision }
  return { ...entry, revised: revision, clearedAt, holder: entry.holder ?? null }
}

const instantOf = (at: number): string => new Date(at).toISOString()

/** The next page mostly joins on at the end; sorting very many for it would be felt. */
function joinedInOrder(known: Notification[], more: Notification[]): Notification[] {
  const all = [...known, ...more]
  const isInOrder = more.every((one, i) => {
    const before = all[known.length + i - 1]
    return before === undefined || byNewest(before, one) < 0
  })
  return isInOrder ? all : all.sort(byNewest)
}

function inserted({ entries, hasMore }: Listed, live: Notification): readonly Notification[] {
  const at = placeOf(entries, live)
  const isKnown = entries[at]?._id === live._id
  if (isKnown || (at === entries.length && hasMore)) return entries
  return entries.toSpliced(at, 0, live)
}

/** Where it stands, or would. */
function placeOf(entries: readonly Notification[], live: Notification): number {
  let from = 0
  let to = entries.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (byNewest(entries[middle] as Notification, live) < 0) from = middle + 1
    else to = middle
  }
  return from
}

/** The server's order: when it happened, then where in the log it is. */
function byNewest(a: Notification, b: Notification): number {
  return Date.parse(b.createdAt) - Date.parse(a.createdAt) || seqOf(b) - seqOf(a)
}

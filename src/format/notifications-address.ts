import { type Notification, NotificationType } from '#machines/contracts/entities/notifications.ts'
import { Id, Imei } from '#machines/contracts/scalars.ts'
import type { DateRange } from '#machines/rules/date-range.ts'
import { endOfDay, instantShowing, startOfDay } from '#machines/rules/zoned-time.ts'
import {
  type Choice,
  choice,
  idList,
  idOrNone,
  type Part,
  pageAddress,
  readInstants,
  typed,
  writeInstants,
} from './page-address.ts'
import { zoneName } from './time.ts'

/** Which notifications an address asks for; what is left out is not narrowed. */
export type NotificationsSought = {
  /** epoch ms, both ends included */
  range?: DateRange
  /** imei of the one device they are of */
  thing?: string
  /** its plate number, to be told until the fleet is there; it narrows nothing by itself */
  plate?: string
  types?: readonly NotificationType[]
  /** id of the one that stands open */
  open?: string
}

const PATH = '/notifications'

/**
 * The address of the notifications page: `?date=<ISO start>..<ISO end>&thing=<imei>&plate=<plate number>`, as the documents
 * name its query, `type=` with types between commas, and `open=` the one that stands open. A colon stays a colon, so that people can read it.
 */
export function notificationsAddress({ range, thing, plate, types, open }: NotificationsSought): string {
  const query = new URLSearchParams()
  if (range) query.set('date', writeInstants(range))
  if (thing !== undefined) query.set('thing', thing)
  if (plate !== undefined && plate !== '') query.set('plate', plate)
  if (types !== undefined && types.length > 0) query.set('type', types.join(','))
  if (open !== undefined) query.set('open', open)
  const text = query.toString().replaceAll('%3A', ':').replaceAll('%2C', ',')
  return text === '' ? PATH : `${PATH}?${text}`
}

/** The address of one notification, open among those of its device on its day. */
export function addressOf({ _id, thing, plateNumber, createdAt }: Notification, zone: string): string {
  const at = Date.parse(createdAt)
  const range = { from: startOfDay(at, zone), to: endOfDay(at, zone) }
  return notificationsAddress({ range, thing, plate: plateNumber, open: _id })
}

/** A span of two instants or one day of the zone (`2026-11-21`). What cannot be read is passed over: a broken link shows more than it meant. */
function readDate(text: string, zone: string): DateRange | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const midnight = new Date(text)
    // No 30th of February, which would be read as a day in March.
    if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(text)) return undefined
    const from = instantShowing(midnight.getTime(), zone)
    return { from, to: endOfDay(from, zone) }
  }
  return readInstants(text)
}

/** What a list of notifications is narrowed to; null: as it opens. */
export type NotificationsListed = {
  range: DateRange | null
  things: Choice
  types: readonly NotificationType[]
  plate: string
  open: string | null
}

const date: Part<DateRange | null> = {
  name: 'date',
  begin: null,
  read: (text) => readDate(text, zoneName),
  write: (range) => (range === null ? undefined : writeInstants(range)),
}

/** The same address as the page itself keeps it, where several things may be picked. */
export const listedAddress = pageAddress<NotificationsListed>({
  range: date,
  things: choice('thing', Imei),
  types: idList('type', NotificationType, Object.keys(NotificationType.schema).length),
  plate: typed('plate'),
  open: idOrNone('open', Id),
})

import { array, boolean, type Infer, literal, nullable, number, optional, string, type } from 'superstruct'
import { Finite, Id, IsoInstant, ViolationType } from '../scalars.ts'
import { Acknowledged, Holder } from './notifications.ts'

/** One violation as the unit of work: what is out of its limit, since when, and who has it. */
export const Incident = type({
  violationId: Id,
  /** of the notification that told of it */
  notificationId: Id,
  imei: string(),
  type: ViolationType,
  /** in force when it opened, °C or % */
  threshold: Finite,
  /** of the reading that made it a violation, °C or % */
  value: Finite,
  since: IsoInstant,
  openedAt: IsoInstant,
  /** null while it lasts */
  clearedAt: nullable(IsoInstant),
  acknowledged: nullable(Acknowledged),
  /** its kind was shelved when it opened: it was told to nobody */
  wasShelved: optional(literal(true)),
  /** null: nobody has it */
  holder: nullable(Holder),
})
export type Incident = Infer<typeof Incident>

/** A known alarm that is silenced: one kind and side of one device, until then. */
export const Shelving = type({
  imei: string(),
  type: ViolationType,
  until: IsoInstant,
  reason: string(),
  /** who shelved it, and when */
  userName: string(),
  createdAt: IsoInstant,
})
export type Shelving = Infer<typeof Shelving>

/** What there is to do: violations that last, those of the last 24 h that are over, newest end first, and what is shelved. */
export const Desk = type({
  open: array(Incident),
  over: array(Incident),
  /** more are over than are listed */
  hasMoreOver: boolean(),
  shelved: array(Shelving),
})
export type Desk = Infer<typeof Desk>

/** What a row shows of a device beyond its newest reading: where it is, and its last hours as columns, oldest first. */
export const Glance = type({
  imei: string(),
  /** the nearest town, or how far and which way from it; empty where its position is not known */
  place: string(),
  /** epoch ms, °C, %; null: not measured */
  at: array(number()),
  temperature: array(nullable(Finite)),
  humidity: array(nullable(Finite)),
})
export type Glance = Infer<typeof Glance>

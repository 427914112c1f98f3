import { array, boolean, type Infer, literal, nullable, number, optional, string, type } from 'superstruct'
import { Count, Finite, Id, IncidentKind, IsoInstant, type ViolationType } from '../scalars.ts'
import { Acknowledged, Comment, Holder } from './notifications.ts'

/** The unit of work: a violation, or a device that is lost; since when, and who has it. */
export const Incident = type({
  /** of the violation; that a device is lost is called by the fact that said so */
  violationId: Id,
  /** of the fact that opened it, which is what the notification of it is called, where there is one */
  notificationId: Id,
  imei: string(),
  type: IncidentKind,
  /** in force when it opened, °C or %; null: a device is lost */
  threshold: nullable(Finite),
  /** of the reading that made it a violation, °C or %; null: a device is lost */
  value: nullable(Finite),
  /** out of the limit since then; a lost device: when it was last heard, or said that it was unplugged */
  since: IsoInstant,
  openedAt: IsoInstant,
  /** null while it lasts */
  clearedAt: nullable(IsoInstant),
  acknowledged: nullable(Acknowledged),
  /** its kind was shelved when it was opened or found: nobody was notified of it */
  wasShelved: optional(literal(true)),
  /** it was all the same, when that ended and it lasted */
  wasTold: optional(literal(true)),
  /** null: nobody has it */
  holder: nullable(Holder),
  /** what was said last of a device that is lost; what is said of a violation stands under its notification */
  said: optional(Comment),
})
export type Incident = Infer<typeof Incident>

/** An incident that is a violation: it has a limit and a value. */
export type ViolationIncident = Incident & { type: ViolationType; threshold: number; value: number }

/** Else it is a lost device. */
export const isViolation = (incident: Incident): incident is ViolationIncident => incident.type !== 'offline'

/** A known alarm that is silenced: one kind and side of one device, until then. */
export const Shelving = type({
  imei: string(),
  type: IncidentKind,
  until: IsoInstant,
  reason: string(),
  /** who shelved it, and when */
  userName: string(),
  createdAt: IsoInstant,
})
export type Shelving = Infer<typeof Shelving>

/** What there is to do: incidents that last, those of the last 24 h that are over, newest end first, and what is shelved. */
export const Desk = type({
  open: array(Incident),
  /** so many devices more are lost than are listed: longer than those, and nobody has them */
  moreLost: Count,
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

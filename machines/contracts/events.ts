/**
 * The public events of a company: what a fact says to other systems. An allow-list of fact types and of fields of each; what
 * stands here is kept as it is for whoever reads it, and of what does not nobody is notified.
 */
import {
  array,
  enums,
  type Infer,
  literal,
  mask,
  nullable,
  object,
  type as open,
  optional,
  type Struct,
  string,
} from 'superstruct'
import { choice } from './choice.ts'
import type { Fact, FactType } from './facts.ts'
import {
  Celsius,
  Count,
  DeviceType,
  Finite,
  HumidityThreshold,
  Id,
  Imei,
  IsoInstant,
  Seq,
  ThingStatus,
  ViolationType,
} from './scalars.ts'

const CLEAR_REASON = enums(['back-inside', 'threshold-changed', 'sensor-unplugged'])
/** Where it was, where a reading said so. */
const PLACE = { lat: optional(nullable(Finite)), lng: optional(nullable(Finite)) }
/** °C and %; `since`, `clearedAt`: epoch ms, of the device's clock. */
const OPENING = {
  violationId: Id,
  imei: Imei,
  type: ViolationType,
  threshold: Finite,
  delaySeconds: Count,
  since: Finite,
  value: Finite,
  ...PLACE,
}
const LIMITS = {
  lowTemperatureThreshold: Celsius,
  highTemperatureThreshold: Celsius,
  lowHumidityThreshold: HumidityThreshold,
  highHumidityThreshold: HumidityThreshold,
}
/** What there is to say of a violation as a whole; epoch ms of the device's clock, `clearedAt` null: it lasts. */
const EPISODE = object({
  since: Finite,
  openedAt: Finite,
  clearedAt: nullable(Finite),
  threshold: Finite,
  worst: Finite,
})
const FILE = object({ fileName: string(), contentType: string(), bytes: Count })

/** What is said of a fact of each public type: these fields and no others. */
const EVENT_DATA = {
  'violation.opened': object(OPENING),
  'violation.cleared': object({
    violationId: Id,
    imei: Imei,
    type: ViolationType,
    value: Finite,
    worst: Finite,
    durationSeconds: Count,
    reason: CLEAR_REASON,
  }),
  /** a whole one, found in readings of before the record began */
  'violation.found': object({
    ...OPENING,
    worst: Finite,
    clearedAt: Finite,
    durationSeconds: Count,
    reason: CLEAR_REASON,
  }),
  /** found by readings that came late; `clearedAt` null: it lasts */
  'violation.found-late': object({ ...OPENING, worst: Finite, clearedAt: nullable(Finite) }),
  /** late readings say otherwise of one than what was published before; `after` null: it never was */
  'violation.revised': object({
    violationId: Id,
    imei: Imei,
    type: ViolationType,
    before: EPISODE,
    after: nullable(EPISODE),
  }),
  'violation.acknowledged': object({ violationId: Id, imei: Imei, type: ViolationType }),
  'device-status.changed': object({ imei: Imei, from: ThingStatus, to: ThingStatus, ...PLACE }),
  /** from `from` on and before `to`, epoch ms, it was `after`, not `before` as was published */
  'device-status.revised': object({
    imei: Imei,
    from: Finite,
    to: Finite,
    before: ThingStatus,
    after: ThingStatus,
  }),
  'sensor.unplugged': object({ imei: Imei, ...PLACE }),
  'sensor.plugged-in': object({ imei: Imei }),
  'device.registered': object({
    imei: Imei,
    groupId: nullable(Id),
    name: string(),
    plateNumber: string(),
    vehicleMakeAndModel: string(),
    type: DeviceType,
  }),
  'device.updated': object({ imei: Imei, name: optional(string()), groupId: optional(Id) }),
  /** the device has another tracker: `after` is what it is called from now on */
  'device.tracker-replaced': object({ before: Imei, after: Imei }),
  'device.retired': object({ imei: Imei }),
  'group.created': object({ groupId: Id, parentId: nullable(Id), name: string(), ...LIMITS }),
  'group.updated': object({
    groupId: Id,
    name: optional(string()),
    parentId: optional(Id),
    lowTemperatureThreshold: optional(Celsius),
    highTemperatureThreshold: optional(Celsius),
    lowHumidityThreshold: optional(HumidityThreshold),
    highHumidityThreshold: optional(HumidityThreshold),
  }),
  'group.deleted': object({ groupId: Id }),
  /** goods are on a device since `at`; the profile's version is what they are evaluated by */
  'load.opened': object({ loadId: Id, imei: Imei, profileId: Id, version: Count, reference: string() }),
  /** since `at`; `rule`: which of its profile's, from 0; `used`, `allowed`: minutes, or °C of a mean kinetic temperature */
  'load.exhausted': object({ loadId: Id, imei: Imei, rule: Count, used: Finite, allowed: Finite }),
  /** late readings say since when it is exhausted, epoch ms; `after` null: it never was */
  'load.revised': object({
    loadId: Id,
    imei: Imei,
    before: nullable(Finite),
    after: nullable(object({ exhaustedAt: Finite, rule: Count, used: Finite, allowed: Finite })),
  }),
  'load.review-begun': object({ loadId: Id, imei: Imei }),
  'load.released': object({ loadId: Id, imei: Imei }),
  'load.rejected': object({ loadId: Id, imei: Imei }),
  'load.closed': object({ loadId: Id, imei: Imei }),
  'report.completed': object({ reportId: Id, files: array(FILE) }),
  'report.failed': object({ reportId: Id }),
  'report.cancelled': object({ reportId: Id }),
} as const satisfies { [T in FactType]?: unknown }

export type EventType = keyof typeof EVENT_DATA
export const EVENT_TYPES = Object.keys(EVENT_DATA) as EventType[]

const shapeOf = <T extends EventType>(type: T) =>
  open({ seq: Seq, type: literal(type), at: IsoInstant, recordedAt: IsoInstant, data: EVENT_DATA[type] })

/** `seq`: its place in the order of all; `at`: when it happened, `recordedAt`: when it was stored, ISO 8601. */
export const PublicEvent = choice(
  'type',
  Object.fromEntries(EVENT_TYPES.map((type) => [type, shapeOf(type)])) as {
    [T in EventType]: ReturnType<typeof shapeOf<T>>
  },
)
export type PublicEvent = Infer<typeof PublicEvent>

const PUBLIC = new Set<string>(EVENT_TYPES)

/** What a fact says to other systems; undefined: nothing. */
export function eventOf({ seq, type, at, recordedAt, data }: Fact): PublicEvent | undefined {
  // that somebody has a lost device is no violation of one
  if (!PUBLIC.has(type) || ('type' in data && data.type === 'offline')) return undefined
  const allowed = EVENT_DATA[type as EventType] as unknown as Struct<unknown>
  return {
    seq,
    type,
    at: new Date(at).toISOString(),
    recordedAt: new Date(recordedAt).toISOString(),
    data: mask(data, allowed),
  } as PublicEvent
}

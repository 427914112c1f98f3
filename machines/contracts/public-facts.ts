/**
 * Facts that may leave the server, and what each says: the others hold hashes, or are nobody's business. Whoever is not
 * concerned gets none of them (`concerns` in `server/api/realtime`).
 */
import { array, boolean, enums, literal, nullable, object, optional, size, string } from 'superstruct'
import { SignOff } from './entities/sign-off.ts'
import { Thresholds } from './entities/thresholds.ts'
import { contractOf, FACT_VERSIONS, type LoggedFactOf } from './fact-contract.ts'
import { FAULT_FACTS } from './fault-facts.ts'
import {
  CalendarDay,
  Celsius,
  ClockOffset,
  Count,
  DeviceType,
  EpochMs,
  Finite,
  HumidityThreshold,
  Id,
  Imei,
  IncidentKind,
  Line,
  Seq,
  Text,
  ThingStatus,
  ViolationType,
} from './scalars.ts'

const Place = { lat: optional(Finite), lng: optional(Finite) }
const Moment = object({ at: EpochMs, value: Finite })
export const ClearReason = enums(['back-inside', 'threshold-changed', 'sensor-unplugged'])

/** What there is to say of a violation that opened; the fact of it happened with the reading of `value`. */
export const Opening = {
  violationId: Id,
  imei: Imei,
  type: ViolationType,
  /** in force when it opened, °C or % */
  threshold: Finite,
  delaySeconds: Count,
  clearMargin: Finite,
  /** first reading beyond the threshold, and the reading that made it a violation, with where that was */
  since: EpochMs,
  value: Finite,
  lat: nullable(Finite),
  lng: nullable(Finite),
} as const

/** Of a violation: since when it was beyond which limit, when it opened and was over (null: it lasts), and how far out it was. */
const Episode = object({
  since: EpochMs,
  openedAt: EpochMs,
  clearedAt: nullable(EpochMs),
  threshold: Finite,
  worst: Finite,
  /** nothing is known of before `since`: it may have begun earlier */
  isSinceBefore: optional(boolean()),
})

/** Of readings that came late: when the first and the last of them were received, and how many they were. */
const Received = { receivedFrom: EpochMs, receivedTo: EpochMs, readingsLate: Count } as const

export const PUBLIC_DATA = {
  'company.suspended': object({ companyId: Id, reason: optional(Line) }),
  'company.resumed': object({ companyId: Id, reason: optional(Line) }),
  'group.created': object({
    groupId: Id,
    companyId: Id,
    parentId: nullable(Id),
    name: Line,
    description: Text,
    ...Thresholds.schema,
  }),
  'group.updated': object({
    groupId: Id,
    name: optional(Line),
    description: optional(Text),
    parentId: optional(Id),
    image: optional(nullable(string())),
    lowTemperatureThreshold: optional(Celsius),
    highTemperatureThreshold: optional(Celsius),
    lowHumidityThreshold: optional(HumidityThreshold),
    highHumidityThreshold: optional(HumidityThreshold),
  }),
  'group.deleted': object({ groupId: Id }),
  'device.registered': object({
    /** device number: gapless, given in order of registration, never reused */
    no: Count,
    imei: Imei,
    companyId: Id,
    groupId: nullable(Id),
    name: Line,
    plateNumber: string(),
    vehicleMakeAndModel: string(),
    type: DeviceType,
    /** where its readings come from */
    source: enums(['world', 'tracker', 'api']),
    /** by when its sensors are to be calibrated; absent: nobody said */
    calibrationDue: optional(CalendarDay),
    /** minutes the clock of its tracker is ahead of UTC, where its protocol sends local time; absent: 0 */
    clockOffset: optional(ClockOffset),
  }),
  'device.updated': object({
    imei: Imei,
    name: optional(Line),
    groupId: optional(Id),
    plateNumber: optional(string()),
    vehicleMakeAndModel: optional(string()),
    type: optional(DeviceType),
    /** null: no day is set any more */
    calibrationDue: optional(nullable(CalendarDay)),
    clockOffset: optional(ClockOffset),
  }),
  'violation.opened': object({
    ...Opening,
    /** the readings that opened it, oldest first, at most 20 */
    readings: array(Moment),
    /** when the reading that opened it was received, where that was more than two minutes after it */
    receivedAt: optional(EpochMs),
  }),
  'violation.cleared': object({
    violationId: Id,
    imei: Imei,
    type: ViolationType,
    value: Finite,
    worst: Finite,
    durationSeconds: Count,
    reason: ClearReason,
  }),
  /**
   * A violation found by readings which came late, or out of their order; as far as it goes that is all there is to say of
   * it. `clearedAt` null: it lasts, and `violation.cleared` says when it is over. `readingsLate`: of those within it.
   */
  'violation.found-late': object({
    ...Opening,
    worst: Finite,
    clearedAt: nullable(EpochMs),
    ...Received,
  }),
  /** late readings say otherwise of a violation than what was published; `after` null: it never was */
  'violation.revised': object({
    violationId: Id,
    imei: Imei,
    type: ViolationType,
    before: Episode,
    after: nullable(Episode),
    ...Received,
    /** known by readings of before the record began, and by none that came late */
    isOfPast: optional(boolean()),
  }),
  /** from ≤ at < to a device was not what was published */
  'device-status.revised': object({
    imei: Imei,
    from: EpochMs,
    to: EpochMs,
    before: ThingStatus,
    after: ThingStatus,
  }),
  /** somebody wrote under a notification (`notificationId`: the id of the fact it is about); `userName`: as they were called then */
  'notification.commented': object({
    notificationId: Id,
    commentId: Id,
    imei: Imei,
    userName: string(),
    comment: size(string(), 1, 2000),
  }),
  /** somebody takes care of it; `comment` may be empty; `reason`: why it is as it is, where they said it */
  'violation.acknowledged': object({
    violationId: Id,
    notificationId: Id,
    imei: Imei,
    type: IncidentKind,
    userName: string(),
    comment: Text,
    reason: optional(Line),
  }),
  /** somebody has it from now on, whoever had it before; `by`: who */
  'violation.taken': object({
    violationId: Id,
    notificationId: Id,
    imei: Imei,
    type: IncidentKind,
    userName: string(),
  }),
  /** who had it has it no more, and nobody has */
  'violation.released': object({
    violationId: Id,
    notificationId: Id,
    imei: Imei,
    type: IncidentKind,
    userName: string(),
  }),
  /** somebody signed that nothing is left to do about a violation that is over: with their password, why, and what that means */
  'case.closed': object({
    violationId: Id,
    notificationId: Id,
    imei: Imei,
    type: ViolationType,
    reason: Text,
    signOff: SignOff,
  }),
  /** nobody is notified of incidents of one kind of a device until then: at most 24 h after `at` */
  'violation.shelved': object({
    imei: Imei,
    type: IncidentKind,
    until: EpochMs,
    reason: Line,
    userName: string(),
  }),
  /**
   * People are notified of them again. `userName`: who ended it early; left out where its time was over. `opened`: the fact that opened the
   * incident that lasts then, which is alerted once again; null: none does.
   */
  'violation.unshelved': object({
    imei: Imei,
    type: IncidentKind,
    opened: nullable(Seq),
    userName: optional(string()),
  }),
  /** who has seen all notifications up to a position; sent to their own windows alone */
  'notifications.seen': object({ userId: Id, upTo: Seq }),
  /** somebody said whether a person was in an unplugged vehicle; `notificationId`: of the newest notification that asked */
  'passenger.checked': object({ imei: Imei, notificationId: optional(Id), isPassenger: boolean() }),
  /**
   * `isFirst`: it was never heard before; `heardAt`: when it was last heard, of a silence that began; `lat`, `lng`: where that
   * was, where a reading said so and where it was
   */
  'device-status.changed': object({
    imei: Imei,
    from: ThingStatus,
    to: ThingStatus,
    isFirst: optional(literal(true)),
    heardAt: optional(EpochMs),
    ...Place,
  }),
  'sensor.unplugged': object({ imei: Imei, ...Place }),
  'sensor.plugged-in': object({ imei: Imei }),
  ...FAULT_FACTS,
} as const

export type PublicFactType = keyof typeof PUBLIC_DATA
export const PUBLIC_FACT_TYPES = Object.keys(PUBLIC_DATA) as PublicFactType[]
export type PublicFact = LoggedFactOf<typeof PUBLIC_DATA>
export const PublicFact = contractOf(PUBLIC_DATA, FACT_VERSIONS)

const PUBLIC = new Set<string>(PUBLIC_FACT_TYPES)
/** Whether it may be sent to a window; not yet whether to this one. */
export const isPublicFact = (fact: { type: string }): fact is PublicFact => PUBLIC.has(fact.type)

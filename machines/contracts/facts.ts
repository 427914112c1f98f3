/**
 * The facts of the server. A fact is `noun.past-verb`, never changed once written; a new shape is a new version of its type
 * (`FACT_VERSIONS`), and old ones are brought up to date when read (`server/store/upcast.ts`).
 * A fact that only one issue's screens need is added here with them: one entry in DATA, nothing else.
 */
import {
  array,
  boolean,
  dynamic,
  enums,
  type Infer,
  literal,
  nullable,
  object,
  optional,
  type Struct,
  size,
  string,
  type,
} from 'superstruct'
import { DrivingScoreSetting, RetentionDays } from './entities/companies.ts'
import { KeyScope } from './entities/device-keys.ts'
import {
  ReportKind,
  SCHEDULE_OPTIONS,
  ScheduledReportType,
  ScheduleInterval,
  SpeedLimit,
  TimeOfDay,
} from './entities/reports.ts'
import { NotificationSettings } from './entities/users.ts'
import { ViewName, ViewPath } from './entities/views.ts'
import { ViolationSwitches } from './entities/violation-types.ts'
import {
  AlertChannel,
  CalendarDay,
  Celsius,
  ClockOffset,
  Count,
  DeviceType,
  Email,
  EpochMs,
  Finite,
  HumidityThreshold,
  Id,
  Imei,
  Line,
  LinkPurpose,
  PhoneNumber,
  Seq,
  Text,
  ThingStatus,
  ViolationType,
} from './scalars.ts'
import { SIMULATOR_FACTS } from './simulator-facts.ts'

export const Thresholds = object({
  lowTemperatureThreshold: Celsius,
  highTemperatureThreshold: Celsius,
  lowHumidityThreshold: HumidityThreshold,
  highHumidityThreshold: HumidityThreshold,
})
export type Thresholds = Infer<typeof Thresholds>

const Person = object({ firstName: string(), lastName: string(), email: string(), phone: string() })
const HelpLine = object({ emergencyHelpLineNumber: string(), emergencyEmail: string() })
const Place = { lat: optional(Finite), lng: optional(Finite) }
const Moment = object({ at: EpochMs, value: Finite })
/** A file of a report: `bytes` is its length, `sha256` in hex. */
export const MadeFile = object({ fileName: Line, contentType: Line, bytes: Count, sha256: string() })
export type MadeFile = Infer<typeof MadeFile>

const SCHEDULE = {
  groups: array(Id),
  vehicles: array(Imei),
  interval: ScheduleInterval,
  emails: array(Email),
  reportTypes: array(ScheduledReportType),
  ...SCHEDULE_OPTIONS,
}
const ClearReason = enums(['back-inside', 'threshold-changed', 'sensor-unplugged'])

/** What there is to say of a violation that opened; the fact of it happened with the reading of `value`. */
const Opening = {
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

const DATA = {
  /** the first fact of a record that is production's; one that begins otherwise is the demo's */
  'record.begun': object({ use: enums(['production']) }),
  /** days put back from a backup, by whoever runs the server: `operator` is their name on the machine; days are UTC, both included */
  'record.days-restored': object({
    operator: Line,
    backup: Line,
    from: Line,
    to: Line,
    deviceNo: nullable(Count),
    chunks: Count,
    facts: Count,
    batches: Count,
  }),
  'company.registered': object({
    companyId: Id,
    name: Line,
    /** account manager, shown on the suspended screen and under Help */
    bam: nullable(Person),
    partner: nullable(HelpLine),
    /** hash (sha-256, hex) of the key that `POST /api/ingest` carries */
    deviceKeyHash: nullable(string()),
    /** named time zone, e.g. Asia/Karachi */
    timeZone: Line,
    /** how long a silent device still counts as online, seconds */
    patienceSeconds: Count,
    /** how long a threshold must be crossed before it is a violation, seconds; and by how much it must come back (°C, %) */
    violationDelaySeconds: Count,
    clearMarginTemperature: Finite,
    clearMarginHumidity: Finite,
    /** axis and slider bounds */
    tmin: Celsius,
    tmax: Celsius,
    hmin: HumidityThreshold,
    hmax: HumidityThreshold,
  }),
  /** what is said is set; `retentionDays` null: as long as the store keeps readings */
  'company.settings-changed': object({
    companyId: Id,
    name: optional(Line),
    timeZone: optional(Line),
    bam: optional(nullable(Person)),
    partner: optional(nullable(HelpLine)),
    retentionDays: optional(nullable(RetentionDays)),
    /** whether its managers add devices themselves */
    managersAddDevices: optional(boolean()),
  }),
  'company.suspended': object({ companyId: Id, reason: optional(Line) }),
  'company.resumed': object({ companyId: Id, reason: optional(Line) }),
  /** a key for other systems; `hash`: SHA-256 of it, hex. `expiresAt` null: until somebody says otherwise */
  'device-key.created': object({
    companyId: Id,
    keyId: Id,
    name: Line,
    scopes: array(KeyScope),
    hash: string(),
    expiresAt: nullable(EpochMs),
  }),
  /** from `expiresAt` on it is good for nothing; now: it is revoked */
  'device-key.expiry-set': object({ companyId: Id, keyId: Id, expiresAt: EpochMs }),
  /** a link to what a device measured from `from` to `to`, for whoever holds it; `tokenHash`: SHA-256, hex, of what stands in it */
  'share.made': object({
    shareId: Id,
    companyId: Id,
    /** the device, whatever its tracker */
    deviceNo: Count,
    /** who made it: it is dead when they do not see the device any more */
    userId: Id,
    from: EpochMs,
    to: EpochMs,
    tokenHash: string(),
    expiresAt: EpochMs,
  }),
  'share.revoked': object({ shareId: Id }),
  /** a page by name, from now on with this path; `groupId` null: for `userId` alone, else for everybody of the group */
  'view.saved': object({
    viewId: Id,
    userId: Id,
    companyId: Id,
    groupId: nullable(Id),
    name: ViewName,
    path: ViewPath,
  }),
  'view.removed': object({ viewId: Id }),

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
  'group.fatigue-threshold-set': object({
    groupId: Id,
    enabled: boolean(),
    drivingMinutes: Count,
    restMinutes: Count,
  }),
  'company.driving-score-set': object({ companyId: Id, ...DrivingScoreSetting.schema }),
  /** a picture somebody gave, decoded and encoded anew; `image`: SHA-256 of the bytes, base64url, which names it */
  'image.stored': object({ image: Id, mediaType: enums(['image/webp']), base64: string() }),

  'user.created': object({
    userId: Id,
    companyId: Id,
    groupId: Id,
    firstName: Line,
    lastName: string(),
    userName: Line,
    email: Email,
    phone: string(),
    type: string(),
    role: string(),
    superAdmin: optional(boolean()),
  }),
  'user.updated': object({
    userId: Id,
    firstName: optional(Line),
    lastName: optional(string()),
    groupId: optional(Id),
    phone: optional(string()),
    role: optional(string()),
  }),
  'user.deleted': object({ userId: Id }),
  'user.notification-settings-set': object({ userId: Id, settings: NotificationSettings }),
  /** which violations reach them by SMS and by e-mail */
  'user.alerts-set': object({
    userId: Id,
    sms: object(ViolationSwitches.schema),
    email: object(ViolationSwitches.schema),
  }),
  /** `hash` is an argon2id PHC string */
  'user.password-set': object({ userId: Id, hash: string() }),
  'user.reset-required': object({ userId: Id }),
  /** signed in, and let do nothing but set a new password: by the token of this sign-in, which ends those of earlier ones */
  'user.reset-begun': object({ userId: Id, resetId: Id }),
  'user.signed-in': object({ userId: Id, sessionId: Id, refreshHash: string(), expiresAt: EpochMs }),
  'user.refused': object({ userName: string(), reason: string() }),
  'session.refreshed': object({ userId: Id, sessionId: Id, refreshHash: string(), expiresAt: EpochMs }),
  'session.ended': object({
    userId: Id,
    sessionId: Id,
    reason: enums(['signed-out', 'expired', 'remote', 'reuse', 'suspended', 'password']),
  }),
  /** a super admin entered a company: `companyId` and `groupId` are where, `userId` is who */
  'session.handed-off': object({
    userId: Id,
    sessionId: Id,
    companyId: Id,
    groupId: Id,
    refreshHash: string(),
    expiresAt: EpochMs,
  }),

  /**
   * A link somebody is to get by mail. Neither its token nor its code is in the log: both follow from `linkId` and the
   * key of the server (`server/auth/email-links.ts`), so the mail can be written as often as need be.
   */
  'link.issued': object({
    linkId: Id,
    userId: Id,
    purpose: LinkPurpose,
    tokenHash: string(),
    /** of the six digits that do in place of the link; null where there are none */
    codeHash: nullable(string()),
    expiresAt: EpochMs,
    /** it was handed over where it was made, and is mailed to nobody */
    isPrinted: optional(literal(true)),
  }),
  /** before its time: a newer one took its place, or it was ended on purpose */
  'link.expired': object({ linkId: Id, userId: Id }),
  'link.used': object({ linkId: Id, userId: Id }),
  /** somebody gave a wrong code for it */
  'link.code-refused': object({ linkId: Id, userId: Id }),

  /** a letter was sent; `about`: the fact it is about, from which it can be written again */
  'mail.sent': object({
    letterId: Id,
    about: Seq,
    kind: Line,
    to: Email,
    subject: Line,
    via: enums(['smtp', 'outbox']),
  }),
  /** it will not be tried again */
  'mail.failed': object({ letterId: Id, about: Seq, kind: Line, to: Email, subject: Line, reason: string() }),
  /**
   * Somebody is to be notified of violations, on one channel: one of them, or a digest. `about`: the facts that opened them,
   * ascending. What opens within `quietSeconds` after it waits for the next one.
   */
  'alert.raised': object({
    alertId: Id,
    userId: Id,
    channel: AlertChannel,
    about: size(array(Seq), 1, 10_000),
    quietSeconds: Count,
  }),
  /** a text message was sent; `about`: the fact it is about; `to`: E.164 */
  'sms.sent': object({
    messageId: Id,
    about: Seq,
    to: PhoneNumber,
    text: string(),
    via: enums(['http', 'outbox']),
  }),
  /** it will not be tried again; `to`: as it is kept, where that is no number that can be reached */
  'sms.failed': object({ messageId: Id, about: Seq, to: string(), text: string(), reason: string() }),

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
  /** another tracker reports for the device `no`, which keeps its number and all it did; `before`, `after`: IMEIs */
  'device.tracker-replaced': object({ no: Count, before: Imei, after: Imei }),
  /** it is in no list, map or count any more, and its readings are refused; what it did stays */
  'device.retired': object({ no: Count, imei: Imei, reason: optional(Text) }),

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
   * a whole violation, found in readings of before the record began: what `violation.opened` and `violation.cleared` say of
   * others, without its readings, which the telemetry store tells. Counted and listed like others; nobody is alerted.
   */
  'violation.found': object({
    ...Opening,
    worst: Finite,
    clearedAt: EpochMs,
    durationSeconds: Count,
    reason: ClearReason,
  }),
  /**
   * A violation that readings told of which came late, or out of their order; as far as it goes that is all there is to say of
   * it. `clearedAt` null: it lasts, and `violation.cleared` says when it is over. `readingsLate`: of those within it.
   */
  'violation.found-late': object({
    ...Opening,
    worst: Finite,
    clearedAt: nullable(EpochMs),
    ...Received,
  }),
  /** late readings say otherwise of a violation than what was told; `after` null: it never was */
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
  /** from ≤ at < to a device was not what it was told to be */
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
    type: ViolationType,
    userName: string(),
    comment: Text,
    reason: optional(Line),
  }),
  /** somebody has it from now on, whoever had it before; `by`: who */
  'violation.taken': object({
    violationId: Id,
    notificationId: Id,
    imei: Imei,
    type: ViolationType,
    userName: string(),
  }),
  /** who had it has it no more, and nobody has */
  'violation.released': object({
    violationId: Id,
    notificationId: Id,
    imei: Imei,
    type: ViolationType,
    userName: string(),
  }),
  /** violations of one kind of a device are told to nobody until then: at most 24 h after `at` */
  'violation.shelved': object({
    imei: Imei,
    type: ViolationType,
    until: EpochMs,
    reason: Line,
    userName: string(),
  }),
  /**
   * They are told again. `userName`: who ended it early; left out where its time was over. `opened`: the fact that opened the
   * violation that lasts then, which is told once again; null: none does.
   */
  'violation.unshelved': object({
    imei: Imei,
    type: ViolationType,
    opened: nullable(Seq),
    userName: optional(string()),
  }),
  /** who has seen all notifications up to a position; sent to their own windows alone */
  'notifications.seen': object({ userId: Id, upTo: Seq }),
  /** somebody said whether a person was in an unplugged vehicle; `notificationId`: of the newest notification that asked */
  'passenger.checked': object({ imei: Imei, notificationId: optional(Id), isPassenger: boolean() }),
  /** `isFirst`: it was never heard before; `lat`, `lng`: where that was, where a reading told it and of its place */
  'device-status.changed': object({
    imei: Imei,
    from: ThingStatus,
    to: ThingStatus,
    isFirst: optional(literal(true)),
    ...Place,
  }),
  'sensor.unplugged': object({ imei: Imei, ...Place }),
  'sensor.plugged-in': object({ imei: Imei }),
  /** a device's message that was refused for good; counted, shown, never evaluated */
  'reading.quarantined': object({
    imei: nullable(string()),
    source: enums(['world', 'tracker', 'api']),
    reason: Line,
    detail: string(),
    count: Count,
  }),

  /**
   * Somebody, or a schedule, wants a report. It is made of what the log held up to `upTo`, so that whenever it is made,
   * it is the same. The devices: those in `things` and those in and below `groups`. Readings with from ≤ at < to.
   */
  'report.requested': object({
    reportId: Id,
    /** in whose log it is */
    groupId: Id,
    kind: ReportKind,
    /** what people call it, e.g. Distance Report */
    title: Line,
    things: array(Imei),
    groups: array(Id),
    from: EpochMs,
    to: EpochMs,
    /** of an event report; null: all */
    types: nullable(array(ViolationType)),
    /** km; days and trips shorter than this are left out */
    minDistance: nullable(Finite),
    /** of a report of over-speeding */
    speed: optional(SpeedLimit),
    /** of a travel report: the part of each day that counts; whole days where left out */
    startTime: optional(TimeOfDay),
    endTime: optional(TimeOfDay),
    /** who asked, by the name they had then */
    requestedBy: Line,
    /** null: a person asked */
    scheduleId: nullable(Id),
    upTo: Seq,
    /** of a report that is made once more, of later readings: which version it is, from 2 on, and the id of the first */
    version: optional(Count),
    firstId: optional(Id),
  }),
  'report.started': object({ reportId: Id }),
  'report.completed': object({ reportId: Id, files: array(MadeFile) }),
  'report.failed': object({ reportId: Id, reason: Line }),
  /** it waits again, and is then made of what the log held up to this `upTo` */
  'report.retried': object({ reportId: Id, upTo: Seq }),
  /** of its devices and its span so many readings came late after what it is made of, in all, up to this `upTo` */
  'report.outdated': object({ reportId: Id, readings: Count, upTo: Seq }),
  /** a scheduled report is to be mailed to somebody */
  'report.addressed': object({ reportId: Id, scheduleId: Id, to: Email }),
  /** it is not: the address has not said that it wants these mails, wants none, or enough were sent today */
  'schedule-mail.withheld': object({
    reportId: Id,
    scheduleId: Id,
    to: Email,
    because: enums(['confirm', 'unsubscribed', 'budget']),
  }),
  /** an address outside the company is to be asked whether it wants the mails of its schedules */
  'schedule-mail.asked': object({ scheduleId: Id, to: Email }),
  /** whoever has the link of a mail to an address wants the company's, or wants none */
  'schedule-mail.confirmed': object({ address: Email }),
  'schedule-mail.unsubscribed': object({ address: Email }),

  'schedule.created': object({ scheduleId: Id, groupId: Id, ...SCHEDULE }),
  'schedule.updated': object({ scheduleId: Id, ...SCHEDULE }),
  'schedule.deleted': object({ scheduleId: Id }),
  /** the reports over a period that ended were asked for; `from` ≤ at < `to` */
  'schedule.ran': object({ scheduleId: Id, from: EpochMs, to: EpochMs, reportIds: array(Id) }),

  ...SIMULATOR_FACTS,
} as const

export type FactType = keyof typeof DATA
export type FactData<T extends FactType> = Infer<(typeof DATA)[T]>
export const FACT_TYPES = Object.keys(DATA) as FactType[]

/** What a decider returns: a fact not yet in the log. `at`: when it happened, epoch ms. `by`: the user who caused it. */
export type NewFact = {
  [T in FactType]: { type: T; at: number; companyId: string | null; by?: string; data: FactData<T> }
}[FactType]

/** A fact as the log holds it. `seq` is gapless together with telemetry batches; `recordedAt`: when it was stored, epoch ms. */
export type Fact = NewFact & { seq: number; id: string; v: number; recordedAt: number }
export type FactOf<T extends FactType> = Extract<Fact, { type: T }>

/** The version in which facts of each type are written: 1 where nothing is said. */
export type FactVersions = Partial<Record<FactType, number>>
/**
 * Raised with the shape in DATA, and with the step from the version before in `server/store/upcast.ts`. A field that may be
 * left out needs no version.
 */
export const FACT_VERSIONS: FactVersions = {}

export const versionOf = (factType: FactType, versions: FactVersions = FACT_VERSIONS): number =>
  versions[factType] ?? 1

const FactEnvelope = type({
  seq: Seq,
  id: Id,
  type: enums(FACT_TYPES),
  v: Count,
  at: EpochMs,
  recordedAt: EpochMs,
  companyId: nullable(Id),
  by: optional(Id),
})

/**
 * The contract of facts of which each type is in the version given for it. `dynamic` by type: 15 times faster than a union,
 * and it names the path.
 * @param data the shapes of types that differ from those of today
 */
export function factContract(
  versions: FactVersions,
  data: { [T in FactType]?: Struct<never, never> } = {},
): Struct<Fact> {
  // made once each: making one takes longer than checking with it
  const structs = new Map<unknown, Struct<Fact>>(
    FACT_TYPES.map((factType) => [
      factType,
      object({
        ...FactEnvelope.schema,
        type: literal(factType),
        v: literal(versionOf(factType, versions)),
        data: (data[factType] ?? DATA[factType]) as unknown as Struct<unknown>,
      }) as unknown as Struct<Fact>,
    ]),
  )
  return dynamic<Fact>(
    (value) =>
      structs.get((value as { type?: unknown } | null)?.type) ?? (FactEnvelope as unknown as Struct<Fact>),
  ) as Struct<Fact>
}

export const Fact = factContract(FACT_VERSIONS)

/** The contract of one fact type's data. */
export const factData = <T extends FactType>(factType: T): (typeof DATA)[T] => DATA[factType]

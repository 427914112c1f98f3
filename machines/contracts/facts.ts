/**
 * The facts of the server. A fact is `noun.past-verb`, never changed once written; a new shape is a new version of its type
 * (`FACT_VERSIONS`), and old ones are brought up to date when read (`server/store/upcast.ts`).
 * Those that are sent to windows stand in public-facts.ts.
 */
import {
  array,
  boolean,
  enums,
  type Infer,
  literal,
  nullable,
  object,
  optional,
  type Struct,
  size,
  string,
} from 'superstruct'
import { DrivingScoreSetting, RetentionDays } from './entities/companies.ts'
import { KeyScope } from './entities/device-keys.ts'
import { Evaluation } from './entities/evaluation.ts'
import { Candidate, CandidateFigures, TrialFigures, TriedQuantity } from './entities/limits-trials.ts'
import { LoadReason, LoadReference } from './entities/loads.ts'
import { ProfileForm } from './entities/profiles.ts'
import {
  MadeFile,
  ReportKind,
  SCHEDULE_OPTIONS,
  ScheduledReportType,
  ScheduleInterval,
  SpeedLimit,
  TimeOfDay,
} from './entities/reports.ts'
import { HexHash, SealKeyId, SealPublicKey, SealSignature } from './entities/seals.ts'
import { SignOff } from './entities/sign-off.ts'
import { NotificationSettings } from './entities/users.ts'
import { ViewName, ViewPath } from './entities/views.ts'
import { AlertSwitches, MailSwitches } from './entities/violation-types.ts'
import {
  contractOf,
  FACT_VERSIONS,
  type FactVersions,
  type LoggedFactOf,
  type NewFactOf,
} from './fact-contract.ts'
import { AlertChannel, KeptEmail, LinkPurpose, PhoneNumber } from './messages.ts'
import { ClearReason, Opening, PUBLIC_DATA } from './public-facts.ts'
import {
  Celsius,
  Count,
  EpochMs,
  Finite,
  HumidityThreshold,
  Id,
  Imei,
  Line,
  Seq,
  Text,
  ViolationType,
} from './scalars.ts'
import { SIMULATOR_FACTS } from './simulator-facts.ts'

/** Facts of what an alert is about that a message did not tell: its addressee did not see it any more, or had turned it off. */
const LeftOut = optional(array(Seq))

const Person = object({ firstName: string(), lastName: string(), email: string(), phone: string() })
const HelpLine = object({ emergencyHelpLineNumber: string(), emergencyEmail: string() })
const SCHEDULE = {
  groups: array(Id),
  vehicles: array(Imei),
  interval: ScheduleInterval,
  emails: array(KeptEmail),
  reportTypes: array(ScheduledReportType),
  ...SCHEDULE_OPTIONS,
}
const DATA = {
  /** the first fact of a record that is production's; one that begins otherwise is the demo's */
  'record.begun': object({ use: enums(['production']) }),
  /** heads of the record are signed with this key from then on; see entities/seals.ts */
  'seal.key-added': object({
    keyId: SealKeyId,
    publicKey: SealPublicKey,
    endorsement: nullable(object({ previous: SealKeyId, byPrevious: SealSignature, byNew: SealSignature })),
  }),
  /**
   * A head of the day is to be mailed to somebody who keeps it elsewhere. `because`: they are a manager of the company, or it chose
   * their address; left out: whoever runs the server did
   */
  'seal.head-addressed': object({
    to: KeptEmail,
    because: optional(enums(['manager', 'company'])),
    head: object({ size: Count, root: HexHash, at: EpochMs, keyId: SealKeyId, signature: SealSignature }),
  }),
  /**
   * What compaction, merging, dropping and expiry did: entries with fromSeq < seq ≤ toSeq whose bit is 1 were batches (base64, the
   * first entry is the highest bit) and are in chunks now, and these groups of chunks are as their roots say: the root over
   * SHA-256 of 0x00, the device's number in four bytes and the chunk's SHA-256, by device. Of a group the highest `change` counts.
   * `clue`: two sums over the same leaves, by which one chunk that was changed is found among the others; left out by earlier releases
   */
  'chunks.written': object({
    fromSeq: Seq,
    toSeq: Seq,
    batches: string(),
    groups: array(
      object({
        ...{ day: Count, place: Line, block: Count, change: Count, chunks: Count, root: HexHash },
        clue: optional(HexHash),
      }),
    ),
  }),
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

  /** how its limits are evaluated from then on; what is null is as its company has it */
  'group.evaluation-set': object({ groupId: Id, ...Evaluation.schema }),
  /**
   * What goods may be exposed to, from now on, in this version of it (1, 2, …). `shippedAs`: it is the company's copy of one that is
   * shipped, under the same id
   */
  'profile.set': object({
    companyId: Id,
    profileId: Id,
    version: Count,
    ...ProfileForm.schema,
    shippedAs: optional(Id),
  }),
  /** what loads on devices of a group, or on one device, have for a profile unless another is said; one of the two; null: none of its own */
  'profile.assigned': object({
    companyId: Id,
    profileId: nullable(Id),
    groupId: nullable(Id),
    imei: nullable(Imei),
  }),
  /** goods are on a device since `at`, evaluated by that version of a profile. `userName`: who said so, as they were called then */
  'load.opened': object({
    loadId: Id,
    imei: Imei,
    profileId: Id,
    version: Count,
    reference: LoadReference,
    userName: string(),
  }),
  /**
   * A budget of it is exhausted since `at`, by what is sure to have been used. `rule`: which of its profile's, from 0; `used`, `allowed`:
   * minutes, or °C of a mean kinetic temperature. `receivedAt`: when the reading that showed it came, where that was late
   */
  'load.exhausted': object({
    loadId: Id,
    imei: Imei,
    rule: Count,
    used: Finite,
    allowed: Finite,
    receivedAt: optional(EpochMs),
  }),
  /** late readings say otherwise than what was published: exhausted since then; null: not at all */
  'load.revised': object({
    loadId: Id,
    imei: Imei,
    before: nullable(EpochMs),
    after: nullable(object({ exhaustedAt: EpochMs, rule: Count, used: Finite, allowed: Finite })),
  }),
  'load.review-begun': object({ loadId: Id, imei: Imei, userName: string() }),
  'load.released': object({
    loadId: Id,
    imei: Imei,
    userName: string(),
    reason: LoadReason,
    signOff: optional(SignOff),
  }),
  'load.rejected': object({
    loadId: Id,
    imei: Imei,
    userName: string(),
    reason: LoadReason,
    signOff: optional(SignOff),
  }),
  /** it is off its device */
  'load.closed': object({ loadId: Id, imei: Imei, userName: string() }),

  /** limits that were tried were made those of a group: what they would have been in the time they were tried on */
  'limits-trial.applied': object({
    groupId: Id,
    trialId: Id,
    quantity: TriedQuantity,
    from: EpochMs,
    to: EpochMs,
    before: Candidate,
    candidate: Candidate,
    inForce: object(TrialFigures.schema),
    figures: object(CandidateFigures.schema),
  }),
  'group.fatigue-threshold-set': object({
    groupId: Id,
    enabled: boolean(),
    drivingMinutes: Count,
    restMinutes: Count,
  }),
  'company.driving-score-set': object({ companyId: Id, ...DrivingScoreSetting.schema }),
  /** who outside keeps the daily heads of the record for a company; null: nobody */
  'company.head-address-set': object({ companyId: Id, address: nullable(KeptEmail) }),
  /** a picture somebody gave, decoded and encoded anew; `image`: SHA-256 of the bytes, base64url, which names it */
  'image.stored': object({ image: Id, mediaType: enums(['image/webp']), base64: string() }),

  'user.created': object({
    userId: Id,
    companyId: Id,
    groupId: Id,
    firstName: Line,
    lastName: string(),
    userName: Line,
    email: KeptEmail,
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
  /** which violations reach them by SMS and by e-mail, whether exhausted budgets do, and the daily head of the record */
  'user.alerts-set': object({
    userId: Id,
    sms: object(AlertSwitches.schema),
    email: object(MailSwitches.schema),
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
    to: KeptEmail,
    subject: Line,
    via: enums(['smtp', 'outbox']),
    leftOut: LeftOut,
  }),
  /** it will not be tried again */
  'mail.failed': object({
    letterId: Id,
    about: Seq,
    kind: Line,
    to: KeptEmail,
    subject: Line,
    reason: string(),
  }),
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
    leftOut: LeftOut,
  }),
  /** it will not be tried again; `to`: as it is kept, where that is no number that can be reached */
  'sms.failed': object({ messageId: Id, about: Seq, to: string(), text: string(), reason: string() }),

  /** another tracker reports for the device `no`, which keeps its number and all it did; `before`, `after`: IMEIs */
  'device.tracker-replaced': object({ no: Count, before: Imei, after: Imei }),
  /** it is in no list, map or count any more, and its readings are refused; what it did stays */
  'device.retired': object({ no: Count, imei: Imei, reason: optional(Text) }),

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
    /** of a case: the notification that tells of the violation */
    notificationId: optional(Id),
    /** of a report that is made once more, of later readings: which version it is, from 2 on, and the id of the first */
    version: optional(Count),
    firstId: optional(Id),
  }),
  'report.started': object({ reportId: Id }),
  /**
   * The files are there. What is beside them is for whoever holds a sealed file and nothing else: what people call it, the
   * company's time zone, and of a later version which one it is and the id of the first.
   */
  'report.completed': object({
    reportId: Id,
    files: array(MadeFile),
    title: optional(Line),
    timeZone: optional(string()),
    version: optional(Count),
    firstId: optional(Id),
  }),
  'report.failed': object({ reportId: Id, reason: Line }),
  /** it is not made; who cancelled it, by the name they had then */
  'report.cancelled': object({ reportId: Id, cancelledBy: Line }),
  /** it waits again, and is then made of what the log held up to this `upTo` */
  'report.retried': object({ reportId: Id, upTo: Seq }),
  /** of its devices and its span so many readings came late after what it is made of, in all, up to this `upTo` */
  'report.outdated': object({ reportId: Id, readings: Count, upTo: Seq }),
  /** a scheduled report is to be mailed to somebody */
  'report.addressed': object({ reportId: Id, scheduleId: Id, to: KeptEmail }),
  /** it is not: the address has not said that it wants these mails, wants none, or enough were sent today */
  'schedule-mail.withheld': object({
    reportId: Id,
    scheduleId: Id,
    to: KeptEmail,
    because: enums(['confirm', 'unsubscribed', 'budget']),
  }),
  /** an address outside the company is to be asked whether it wants the mails of its schedules; without one: the daily heads of the record */
  'schedule-mail.asked': object({ scheduleId: optional(Id), to: KeptEmail }),
  /** whoever has the link of a mail to an address wants the company's, or wants none */
  'schedule-mail.confirmed': object({ address: KeptEmail }),
  'schedule-mail.unsubscribed': object({ address: KeptEmail }),

  'schedule.created': object({ scheduleId: Id, groupId: Id, ...SCHEDULE }),
  'schedule.updated': object({ scheduleId: Id, ...SCHEDULE }),
  'schedule.deleted': object({ scheduleId: Id }),
  /** the reports over a period that ended were asked for; `from` ≤ at < `to` */
  'schedule.ran': object({ scheduleId: Id, from: EpochMs, to: EpochMs, reportIds: array(Id) }),
  ...PUBLIC_DATA,
  ...SIMULATOR_FACTS,
} as const

export type FactType = keyof typeof DATA
export type FactData<T extends FactType> = Infer<(typeof DATA)[T]>
export const FACT_TYPES = Object.keys(DATA) as FactType[]

/** Not yet in the log. */
export type NewFact = NewFactOf<typeof DATA>
/** As the log holds it. */
export type Fact = LoggedFactOf<typeof DATA>
export type FactOf<T extends FactType> = Extract<Fact, { type: T }>

/**
 * The contract of facts of which each type is in the version given for it.
 * @param data the shapes of types that differ from those of today
 */
export const factContract = (
  versions: FactVersions,
  data: { [T in FactType]?: Struct<never, never> } = {},
): Struct<Fact> => contractOf({ ...DATA, ...data } as typeof DATA, versions)

export const Fact = factContract(FACT_VERSIONS)

/** The contract of one fact type's data. */
export const factData = <T extends FactType>(factType: T): (typeof DATA)[T] => DATA[factType]

/**
 * The commands of the server, `noun.verb`: what somebody wants. A decider answers one with facts or a refusal.
 * Instants, ids, hashes and tokens are made outside and come with the command: deciders are pure.
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
  partial,
  string,
} from 'superstruct'
import { type AnyStruct, chosenBy } from './choice.ts'
import { DrivingScoreSetting } from './entities/companies.ts'
import { KeyOverlapHours, KeyScope } from './entities/device-keys.ts'
import { Evaluation } from './entities/evaluation.ts'
import { Candidate, CandidateFigures, TrialFigures, TriedQuantity } from './entities/limits-trials.ts'
import { ProfileForm } from './entities/profiles.ts'
import { MadeFile, SCHEDULE_OPTIONS, SpeedLimit } from './entities/reports.ts'
import { SignOff } from './entities/sign-off.ts'
import { Thresholds } from './entities/thresholds.ts'
import { NotificationSettings } from './entities/users.ts'
import { ViewName, ViewPath } from './entities/views.ts'
import { AlertSwitches, MailSwitches } from './entities/violation-types.ts'
import { LinkPurpose } from './messages.ts'
import {
  CalendarDay,
  ClockOffset,
  Count,
  DeviceType,
  EpochMs,
  Finite,
  Id,
  Imei,
  IncidentKind,
  Line,
  Seq,
  Text,
  ViolationType,
} from './scalars.ts'

/** A link not issued yet. */
export const NewLink = object({
  linkId: Id,
  purpose: LinkPurpose,
  tokenHash: string(),
  codeHash: nullable(string()),
  expiresAt: EpochMs,
  isPrinted: optional(literal(true)),
})
export type NewLink = Infer<typeof NewLink>

const SCHEDULE = {
  groups: array(Id),
  vehicles: array(Imei),
  interval: string(),
  emails: array(string()),
  reportTypes: array(string()),
  ...SCHEDULE_OPTIONS,
}

const Person = object({ firstName: string(), lastName: string(), email: string(), phone: string() })
/** As typed; `managersAddDevices`: whether its managers may add devices, `retentionDays` null: as long as the store keeps them. */
const COMPANY_SETTINGS = {
  bam: optional(nullable(Person)),
  partner: optional(nullable(object({ emergencyHelpLineNumber: string(), emergencyEmail: string() }))),
  retentionDays: optional(nullable(Finite)),
  managersAddDevices: optional(boolean()),
}

const DATA = {
  /** the password was right (or was not): `verified` comes from outside, `userId` is null for nobody we know, `comparedHash`: what was theirs then */
  'session.open': object({
    userId: nullable(Id),
    login: string(),
    verified: enums(['right', 'wrong']),
    comparedHash: nullable(string()),
    sessionId: Id,
    refreshHash: string(),
    expiresAt: EpochMs,
  }),
  /** `spentHash`: of the token presented; `refreshHash`: of the next one, null where the same stays good */
  'session.refresh': object({
    userId: Id,
    sessionId: Id,
    spentHash: string(),
    refreshHash: nullable(string()),
    expiresAt: EpochMs,
  }),
  'session.close': object({ userId: Id, sessionId: Id }),
  /** from another place: the director, an administrator */
  'user.sign-out': object({ userId: Id }),
  'user.require-reset': object({ userId: Id }),
  /** `resetId`: of the sign-in that asked for it, `resetId` of `session.open` */
  'user.set-password': object({ userId: Id, resetId: Id, hash: string() }),
  /** a super admin enters a company */
  'session.hand-off': object({
    userId: Id,
    companyId: Id,
    sessionId: Id,
    refreshHash: string(),
    expiresAt: EpochMs,
  }),
  /** `userId` null: nobody has the address `asked` for. Hashes and the id come from `access.links.make()`. */
  'link.issue': object({ userId: nullable(Id), asked: string(), link: NewLink }),
  /** somebody who administers the server and belongs to no company, or another link for one without a password yet */
  'administrator.create': object({
    userId: Id,
    email: string(),
    firstName: string(),
    lastName: string(),
    link: NewLink,
  }),
  /** the expired activation link that somebody holds is to be sent anew */
  'link.resend': object({ userId: Id, linkId: Id, link: NewLink }),
  'link.expire': object({ userId: Id, linkId: Id }),
  /** sets the password; `hash` is an argon2id PHC string */
  'link.use': object({ userId: Id, linkId: Id, hash: string() }),
  /** the same by code; nulls: there is nobody of that name, or no link a code could be for */
  'link.confirm': object({
    login: string(),
    userId: nullable(Id),
    linkId: nullable(Id),
    codeHash: string(),
    hash: string(),
    /** the password has a name of the user's or of their company in it, and is refused to whoever has the code */
    hasName: boolean(),
  }),
  /** with its top group; texts as they were typed; `deviceKeyHash`: SHA-256, hex, of the key for its readings */
  'company.create': object({
    companyId: Id,
    groupId: Id,
    name: string(),
    timeZone: string(),
    deviceKeyHash: nullable(string()),
    ...COMPANY_SETTINGS,
  }),
  'company.change': object({
    companyId: Id,
    name: optional(string()),
    timeZone: optional(string()),
    ...COMPANY_SETTINGS,
    ifVersion: nullable(string()),
  }),
  'company.suspend': object({ companyId: Id, reason: optional(string()) }),
  'company.resume': object({ companyId: Id, reason: optional(string()) }),
  /** `hash`: SHA-256 of the key, hex */
  'device-key.create': object({
    companyId: Id,
    keyId: Id,
    name: string(),
    scopes: array(KeyScope),
    hash: string(),
    expiresAt: nullable(EpochMs),
  }),
  /** from now on it is good for nothing */
  'device-key.expire': object({ companyId: Id, keyId: Id }),
  /** another key of the same name and scopes; the old one goes on for `overlapHours` */
  'device-key.rotate': object({
    companyId: Id,
    keyId: Id,
    newKeyId: Id,
    hash: string(),
    overlapHours: KeyOverlapHours,
  }),
  /** `tokenHash`: SHA-256, hex, of what stands in the link; `from`, `to`: epoch ms, both included */
  'share.make': object({
    shareId: Id,
    imei: Imei,
    from: EpochMs,
    to: EpochMs,
    tokenHash: string(),
    days: Count,
  }),
  'share.revoke': object({ imei: Imei, shareId: Id }),
  'view.save': object({ viewId: Id, name: ViewName, path: ViewPath, isGroups: boolean() }),
  'view.remove': object({ viewId: Id }),
  /** texts as they were typed; of an id there is none of yet it is a new one */
  'profile.set': object({
    profileId: Id,
    isNew: boolean(),
    ...ProfileForm.schema,
    ifVersion: nullable(string()),
  }),
  /** one of `groupId` and `imei`; `profileId` null: none of its own */
  'profile.assign': object({ profileId: nullable(Id), groupId: nullable(Id), imei: nullable(Imei) }),
  /** `reference` as it was typed; `profileId` null: the device's, else its group's; `since` null: now */
  'load.open': object({
    loadId: Id,
    imei: Imei,
    reference: string(),
    profileId: nullable(Id),
    since: nullable(EpochMs),
  }),
  /** several at once, by a list: `line` says where in it each stands; `isOver`: it is closed. `goodOnly`: what can be done is done */
  'load.work-list': object({
    loads: array(
      object({
        line: Count,
        loadId: Id,
        imei: string(),
        reference: string(),
        profile: string(),
        since: nullable(EpochMs),
        isOver: boolean(),
      }),
    ),
    goodOnly: boolean(),
  }),
  'load.close': object({ loadId: Id }),
  'load.begin-review': object({ loadId: Id }),
  /** what readings say now: exhausted since when, and by which rule; null: it is not. `receivedAt`: of the reading, where it came late */
  'load.note-exhausted': object({
    loadId: Id,
    exhausted: nullable(object({ at: EpochMs, rule: Count, used: Finite, allowed: Finite })),
    isAtRisk: boolean(),
    receivedAt: nullable(EpochMs),
  }),
  /** `reason` as it was typed; `signOff`: where they signed, made outside once their password was right */
  'load.release': object({ loadId: Id, reason: string(), signOff: optional(SignOff) }),
  'load.reject': object({ loadId: Id, reason: string(), signOff: optional(SignOff) }),
  /** `ifVersion`: refused where what is to be changed is no longer at that version; null: changed whatever it is */
  'device.update': object({
    imei: Imei,
    name: optional(Line),
    groupId: optional(Id),
    plateNumber: optional(string()),
    vehicleMakeAndModel: optional(string()),
    type: optional(DeviceType),
    calibrationDue: optional(nullable(CalendarDay)),
    clockOffset: optional(ClockOffset),
    ifVersion: nullable(string()),
  }),
  /** all of them into one group */
  'device.move': object({ things: array(Imei), groupId: Id }),
  /** `groupId` left out: the registrar's top group. `skipKnown`: what cannot be registered is passed over, not refused */
  'device.register': object({
    devices: array(
      object({
        imei: Imei,
        name: Line,
        plateNumber: string(),
        vehicleMakeAndModel: string(),
        type: DeviceType,
        groupId: optional(Id),
        calibrationDue: optional(nullable(CalendarDay)),
        clockOffset: optional(ClockOffset),
      }),
    ),
    source: enums(['tracker', 'api']),
    skipKnown: boolean(),
  }),
  'device.replace-tracker': object({ imei: Imei, newImei: Imei }),
  /** `reason` may be empty */
  'device.retire': object({ imei: Imei, reason: Text }),
  /** texts are as they were typed; `things`: the devices it is to have, all of them */
  'group.create': object({
    groupId: Id,
    parentId: string(),
    companyId: Id,
    name: string(),
    description: string(),
    ...Thresholds.schema,
    ...partial(Evaluation).schema,
    things: array(Imei),
  }),
  /** from the table of groups: not the asker's own */
  'group.update': object({
    groupId: Id,
    name: string(),
    description: string(),
    ...Thresholds.schema,
    ...partial(Evaluation).schema,
    things: optional(array(Imei)),
    parentId: optional(Id),
    ifVersion: nullable(string()),
  }),
  /** from the account's pages: the asker's own too */
  'group.adjust': object({
    groupId: Id,
    name: optional(string()),
    description: optional(string()),
    ...partial(Thresholds).schema,
    ...partial(Evaluation).schema,
    image: optional(Id),
    ifVersion: nullable(string()),
  }),
  /** what was tried becomes what is in force: `trial` as it came out */
  'group.apply-trial': object({
    groupId: Id,
    trialId: Id,
    quantity: TriedQuantity,
    from: EpochMs,
    to: EpochMs,
    candidate: Candidate,
    inForce: object(TrialFigures.schema),
    figures: object(CandidateFigures.schema),
  }),
  'group.delete': object({ groupId: Id }),
  'group.set-fatigue-threshold': object({
    groupId: Id,
    enabled: optional(boolean()),
    drivingMinutes: optional(Count),
    restMinutes: optional(Count),
  }),
  /** `address` as it was typed; '': nobody */
  'company.set-head-address': object({ companyId: Id, address: string(), ifVersion: nullable(string()) }),
  'company.set-driving-score': object({
    companyId: Id,
    ...DrivingScoreSetting.schema,
    ifVersion: nullable(string()),
  }),
  /** `link`: for the activation mail; `expiresAt` as for every link */
  'user.create': object({
    userId: Id,
    firstName: string(),
    lastName: string(),
    userName: optional(string()),
    email: string(),
    phone: string(),
    groupId: string(),
    type: optional(string()),
    role: optional(string()),
    link: NewLink,
  }),
  'user.update': object({
    userId: Id,
    firstName: string(),
    lastName: string(),
    phone: string(),
    groupId: string(),
    role: optional(string()),
    ifVersion: nullable(string()),
  }),
  'user.delete': object({ userId: Id }),
  'user.set-notifications': object({
    userId: Id,
    settings: NotificationSettings,
    ifVersion: nullable(string()),
  }),
  'user.set-alerts': object({
    userId: Id,
    sms: object(AlertSwitches.schema),
    email: object(MailSwitches.schema),
    ifVersion: nullable(string()),
  }),
  /** `comment` as it was typed */
  'notification.comment': object({ notificationId: Id, commentId: Id, comment: string() }),
  /** `reason`, `comment` as they were typed */
  'violation.acknowledge': object({ notificationId: Id, comment: string(), reason: optional(string()) }),
  'violation.take': object({ notificationId: Id }),
  'violation.release': object({ notificationId: Id }),
  /** signed: the password was right */
  'case.close': object({ notificationId: Id, reason: string(), signOff: SignOff }),
  'violation.shelve': object({ imei: Imei, type: IncidentKind, minutes: Count, reason: string() }),
  'violation.unshelve': object({ imei: Imei, type: IncidentKind }),
  /** its time is over */
  'violation.end-shelving': object({ imei: Imei, type: IncidentKind }),
  'notifications.see': object({ userId: Id, upTo: Seq }),
  'passenger.check': object({ imei: Imei, isPassenger: boolean() }),

  /** `reportType` as callers write it; `upTo`: what the log holds now */
  'report.request': object({
    reportId: Id,
    groupId: Id,
    reportType: string(),
    things: array(Imei),
    groups: array(Id),
    from: EpochMs,
    to: EpochMs,
    types: nullable(array(ViolationType)),
    minDistance: nullable(Finite),
    speed: optional(SpeedLimit),
    geofences: array(Id),
    upTo: Seq,
    /** of a case: the notification that tells of the violation */
    notificationId: optional(Id),
  }),
  'report.start': object({ reportId: Id }),
  'report.complete': object({ reportId: Id, files: array(MadeFile) }),
  'report.fail': object({ reportId: Id, reason: Line }),
  'report.retry': object({ reportId: Id, upTo: Seq }),
  'report.cancel': object({ reportId: Id }),
  /** `readings`: how many came late since it was made, or since it was last said; all up to `upTo` */
  'report.outdate': object({ reportId: Id, readings: Count, upTo: Seq }),
  /** `reportId`: of the new version; `ofId`: the report it is a new version of */
  'report.make-version': object({ reportId: Id, ofId: Id, upTo: Seq }),
  /** as it was typed */
  'schedule.create': object({ scheduleId: Id, groupId: Id, ...SCHEDULE }),
  'schedule.update': object({ scheduleId: Id, ifVersion: nullable(string()), ...SCHEDULE }),
  'schedule.delete': object({ scheduleId: Id }),
  /** by the link of a mail */
  'schedule-mail.answer': object({ companyId: Id, address: string(), wants: boolean() }),
  /** a period of it is over: `from` ≤ at < `to`; an id for each of its reports */
  'schedule.run': object({ scheduleId: Id, from: EpochMs, to: EpochMs, reportIds: array(Id), upTo: Seq }),
} as const

export type CommandType = keyof typeof DATA
export type CommandData<T extends CommandType> = Infer<(typeof DATA)[T]>
export const COMMAND_TYPES = Object.keys(DATA) as CommandType[]

/** `at`: when it was asked for, epoch ms. `by`: the user who asks; null: the server itself. */
export type Command = {
  [T in CommandType]: { type: T; at: number; by: string | null; data: CommandData<T> }
}[CommandType]
export type CommandOf<T extends CommandType> = Extract<Command, { type: T }>

const ENVELOPE = { at: EpochMs, by: nullable(Id) }

export const Command = chosenBy<Command>(
  'type',
  Object.fromEntries(
    Object.entries<AnyStruct>(DATA).map(([name, data]) => [
      name,
      object({ ...ENVELOPE, type: literal(name), data }),
    ]),
  ),
  object({ ...ENVELOPE, type: enums(COMMAND_TYPES), data: object() }),
)

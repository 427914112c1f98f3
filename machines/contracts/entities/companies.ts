import { boolean, type Infer, integer, max, min, nullable, object, optional, string, type } from 'superstruct'
import { Count, Finite, Id, IsoInstant, saying } from '../scalars.ts'

/** Business account manager: who to call, on the suspended screen and under Help. */
export const AccountManager = type({
  firstName: string(),
  lastName: string(),
  email: string(),
  phone: string(),
})
export type AccountManager = Infer<typeof AccountManager>

export const Partner = type({ emergencyHelpLineNumber: string(), emergencyEmail: string() })
export type Partner = Infer<typeof Partner>

/** As the portal keeps it beside the session. `timeZone`: in which its times are shown; absent: the server is of before it said so. */
export const CompanyInfo = type({ groupId: Id, companyId: Id, timeZone: optional(string()) })
export type CompanyInfo = Infer<typeof CompanyInfo>

export const CompanySummary = type({ _id: Id, name: string(), suspended: boolean() })
export type CompanySummary = Infer<typeof CompanySummary>

/** Days that readings of a company are kept. */
export const MOST_RETENTION_DAYS = 3650
export const RetentionDays = saying(max(min(integer(), 1), MOST_RETENTION_DAYS), {
  minimum: 1,
  maximum: MOST_RETENTION_DAYS,
})

/** Which driving events count towards a score. */
export const DrivingScoreSetting = object({
  harshAcceleration: boolean(),
  harshBrake: boolean(),
  overSpeeding: boolean(),
  sharpTurn: boolean(),
})
export type DrivingScoreSetting = Infer<typeof DrivingScoreSetting>

/** A company in the list of all. */
export const CompanyRow = type({
  ...CompanySummary.schema,
  suspendedBecause: nullable(string()),
  devices: Count,
  users: Count,
  /** those that came in over the last five minutes, or since the server started, a minute */
  readingsAMinute: Finite,
  /** when its newest reading came; null: none ever */
  lastWordAt: nullable(IsoInstant),
})
export type CompanyRow = Infer<typeof CompanyRow>

/** What a company has, sends and takes. */
export const CompanyFigures = type({
  devices: Count,
  users: Count,
  /** as in the list of all */
  readingsAMinute: Finite,
  /** when its newest reading came; null: none ever */
  lastWordAt: nullable(IsoInstant),
  /** bytes of its readings, without those of the last minutes; of a sample of its devices where `isEstimated` */
  storedBytes: Count,
  isEstimated: boolean(),
})
export type CompanyFigures = Infer<typeof CompanyFigures>

/** What is set of a company. */
export const CompanyDetail = type({
  ...CompanySummary.schema,
  suspendedBecause: nullable(string()),
  timeZone: string(),
  bam: nullable(AccountManager),
  partner: nullable(Partner),
  retentionDays: nullable(RetentionDays),
  managersAddDevices: boolean(),
  /** its top group */
  groupId: nullable(Id),
  createdAt: IsoInstant,
  version: string(),
})
export type CompanyDetail = Infer<typeof CompanyDetail>

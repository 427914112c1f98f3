import type { DrivingScoreSetting } from '../contracts/entities/companies.ts'
import type { FatigueThreshold } from '../contracts/entities/groups.ts'
import type { NotificationSettings } from '../contracts/entities/users.ts'
import type { AlertKind, AlertSwitches, MailSwitches } from '../contracts/entities/violation-types.ts'
import type { Fact, FactData } from '../contracts/facts.ts'

/** `version`: `seq` of the last change; 0 where nobody has changed anything. */
export type UserSettings = {
  notifications: NotificationSettings
  sms: AlertSwitches
  email: MailSwitches
  version: number
}
/** Who outside keeps the daily heads of the record; `version` as above. */
export type HeadAddress = { address: string | null; version: number }
export type DrivingScore = { setting: DrivingScoreSetting; version: number }

/** What somebody has set otherwise than it is at first. Whoever has set nothing is not in it. */
export type Settings = {
  users: Map<string, UserSettings>
  /** by company */
  drivingScores: Map<string, DrivingScore>
  /** by company */
  headAddresses: Map<string, HeadAddress>
  /** by group */
  fatigue: Map<string, FatigueThreshold>
}

export const emptySettings = (): Settings => ({
  users: new Map(),
  drivingScores: new Map(),
  headAddresses: new Map(),
  fatigue: new Map(),
})

const EVERYTHING: AlertSwitches = {
  LOW_TEMPERATURE_DETECTED: true,
  LOW_HUMIDITY_DETECTED: true,
  HIGH_TEMPERATURE_DETECTED: true,
  HIGH_HUMIDITY_DETECTED: true,
  BUDGET_EXHAUSTED: true,
}

/** Everything is told until somebody says otherwise: who misses nothing can turn off what they do not want. */
const AT_FIRST: UserSettings = {
  notifications: {
    geoFenceEntry: true,
    geoFenceExit: true,
    harshAcceleration: true,
    harshBrake: true,
    overSpeeding: true,
    sharpTurn: true,
    vehicleMoving: true,
    vehicleParked: true,
    vehicleOffline: true,
    vehicleOnline: true,
    unfasten_seatbelt: true,
    engineKilled: true,
    engineReleased: true,
    warningPopup: true,
    buzzer: true,
  },
  sms: EVERYTHING,
  email: { ...EVERYTHING, DAILY_HEAD: true },
  version: 0,
}
const SCORE_AT_FIRST: DrivingScore = {
  setting: { harshAcceleration: true, harshBrake: true, overSpeeding: true, sharpTurn: true },
  version: 0,
}
/** Four and a half hours and three quarters of one: what drivers' hours rules commonly allow. Off until it is turned on. */
const FATIGUE_AT_FIRST: FatigueThreshold = { enabled: false, drivingMinutes: 270, restMinutes: 45 }

/** What is in force where somebody has set nothing is `AT_FIRST`, with version 0. */
export const userSettings = ({ users }: Settings, userId: string): UserSettings =>
  users.get(userId) ?? AT_FIRST
/** Whether a kind is told; what was set before there was its switch left it on. */
export const isSwitchedOn = <S extends AlertSwitches>(switches: S, kind: AlertKind | keyof S): boolean =>
  switches[kind] !== false
/** Version 0: never set. */
export const headAddress = ({ headAddresses }: Settings, companyId: string): HeadAddress =>
  headAddresses.get(companyId) ?? { address: null, version: 0 }
/** All of it counts, with version 0, where nobody set it. */
export const drivingScore = ({ drivingScores }: Settings, companyId: string): DrivingScore =>
  drivingScores.get(companyId) ?? SCORE_AT_FIRST
/** Off where nobody set it. */
export const fatigueThreshold = ({ fatigue }: Settings, groupId: string): FatigueThreshold =>
  fatigue.get(groupId) ?? FATIGUE_AT_FIRST

export function foldNotificationSettings(
  settings: Settings,
  { userId, settings: notifications }: FactData<'user.notification-settings-set'>,
  { seq }: Fact,
): void {
  settings.users.set(userId, { ...userSettings(settings, userId), notifications, version: seq })
}

export function foldAlerts(
  settings: Settings,
  { userId, sms, email }: FactData<'user.alerts-set'>,
  { seq }: Fact,
): void {
  settings.users.set(userId, { ...userSettings(settings, userId), sms, email, version: seq })
}

export function foldDrivingScore(
  settings: Settings,
  { companyId, ...setting }: FactData<'company.driving-score-set'>,
  { seq }: Fact,
): void {
  settings.drivingScores.set(companyId, { setting, version: seq })
}

export function foldHeadAddress(
  settings: Settings,
  { companyId, address }: FactData<'company.head-address-set'>,
  { seq }: Fact,
): void {
  settings.headAddresses.set(companyId, { address, version: seq })
}

export function foldFatigueThreshold(
  settings: Settings,
  { groupId, ...threshold }: FactData<'group.fatigue-threshold-set'>,
): void {
  settings.fatigue.set(groupId, threshold)
}

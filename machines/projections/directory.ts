import { AS_COMPANY, type Evaluation } from '../contracts/entities/evaluation.ts'
import type { Thresholds } from '../contracts/entities/thresholds.ts'
import type { Fact, FactData, FactType } from '../contracts/facts.ts'
import { mailboxOf } from '../rules/mailbox.ts'
import { keptFrom } from '../rules/retention.ts'
import {
  type DeviceKeys,
  emptyDeviceKeys,
  foldFirstKey,
  foldKeyCreated,
  foldKeyExpiry,
} from './device-keys.ts'
import {
  emptyLinks,
  foldCodeRefused,
  foldEnded,
  foldInvited,
  foldIssued,
  foldUserGone,
  type Links,
} from './links.ts'
import { emptyLoads, foldLoad, foldLoadOpened, type LoadFact, type Loads } from './loads.ts'
import { emptyProfiles, foldProfileAssigned, foldProfileSet, type Profiles } from './profiles.ts'
import {
  foldCancelled,
  foldCompleted,
  foldFailed,
  foldOutdated,
  foldReportsUp,
  foldRequested,
  foldRetried,
  foldStarted,
  type Reports,
} from './reports.ts'
import {
  foldAddressAnswered,
  foldAddressed,
  foldMailRequested,
  type ScheduledMail,
} from './scheduled-mail.ts'
import {
  foldScheduleCreated,
  foldScheduleDeleted,
  foldScheduleRan,
  foldSchedulesUp,
  foldScheduleUpdated,
  foldZoneChanged,
  type Schedules,
} from './schedules.ts'
import {
  emptySettings,
  foldAlerts,
  foldDrivingScore,
  foldFatigueThreshold,
  foldHeadAddress,
  foldNotificationSettings,
  type Settings,
} from './settings.ts'
import { emptyShares, foldShareMade, foldShareRevoked, foldSharerGone, type Shares } from './shares.ts'
import { foldViewerGone, foldViewRemoved, foldViewSaved, foldViewsOfGroupGone, type Views } from './views.ts'

/**
 * Who and what there is: companies, groups, users with their sessions, and devices. A fold of facts.
 * `evolve` changes the state it is given: with 100,000 devices a copy a fact would cost more than the fact.
 */
export type Company = FactData<'company.registered'> & {
  suspended: boolean
  /** why it was suspended, where somebody said */
  suspendedBecause: string | null
  /** null: as long as the store keeps readings */
  retentionDays: number | null
  /** readings of before this were dropped, or may be, while fewer days were kept; epoch ms */
  goneBefore: number
  managersAddDevices: boolean
  createdAt: number
  /** `seq` of the last change of what is set of it */
  version: number
}

/** How the limits of a group are evaluated, as far as it says so itself. */
export const evaluationOf = ({ evaluation }: Pick<Group, 'evaluation'>): Evaluation =>
  evaluation ?? AS_COMPANY

export type Group = Thresholds & {
  _id: string
  companyId: string
  parentId: string | null
  name: string
  description: string
  image: string | null
  /** how its limits are evaluated; left out: as its company has it */
  evaluation?: Evaluation
  /** ids of the groups directly below, in order of creation */
  child: string[]
  /** numbers of the devices directly in it */
  devices: Set<number>
  /** ids of the users who belong to it */
  users: Set<string>
  /** `seq` of the last change of its fields, and of which devices are in it */
  version: number
  devicesVersion: number
}

export type Session = {
  sessionId: string
  refreshHash: string
  /** when it began, and when it ends unless it is refreshed, epoch ms */
  startedAt: number
  expiresAt: number
  /** hashes of the refresh tokens exchanged last, oldest first */
  spent: Set<string>
  /** when the last one was exchanged, epoch ms; 0: none was */
  exchangedAt: number
  /** where it speaks for another company than the user's own: a super admin's */
  handoff: { companyId: string; groupId: string } | null
}

export type User = {
  _id: string
  companyId: string
  groupId: string
  firstName: string
  lastName: string
  userName: string
  email: string
  phone: string
  type: string
  role: string
  superAdmin: boolean
  passwordHash: string | null
  resetRequired: boolean
  /** the last sign-in that may set a new password where one is required; null: none */
  resetId: string | null
  /** `seq` of the last change of who they are: name, phone, role, group */
  version: number
  /** open sessions by id */
  sessions: Map<string, Session>
}

/**
 * `version`: `seq` of the last change of its fields, group or tracker. `imei` is that of its present tracker. `retired`: when
 * it was, epoch ms; null: it is in use. A retired device keeps its group, so that those who saw it find what it did.
 */
export type Device = Omit<FactData<'device.registered'>, 'calibrationDue' | 'clockOffset'> & {
  version: number
  calibrationDue: string | null
  /** minutes the clock of its tracker is ahead of UTC */
  clockOffset: number
  retired: number | null
}

export type Directory = {
  companies: Map<string, Company>
  groups: Map<string, Group>
  users: Map<string, User>
  /** mailbox or user name → user id */
  logins: Map<string, string>
  /** the same → ids of further users who have it, oldest first: they get it as those before them are deleted */
  namesakes: Map<string, string[]>
  links: Links
  keys: DeviceKeys
  shares: Shares
  views: Views
  settings: Settings
  reports: Reports
  /** by schedule, and by company and number of devices of those picked by hand, the id of the newest report */
  newestReports: Map<string, string>
  schedules: Schedules
  scheduledMail: ScheduledMail
  profiles: Profiles
  loads: Loads
  /** by device number */
  devices: Device[]
  /** imei → device number; those of replaced trackers lead to their device too, until another takes them */
  numbers: Map<string, number>
  /** imei → devices that had it before another took it, oldest first; `until`: `seq` of the fact that gave it away */
  former: Map<string, { no: number; until: number }[]>
  /** numbers of the devices that are retired */
  retired: Set<number>
  /** grows whenever groups, memberships, names or devices change: what is derived from them is stale then */
  version: number
}

export const emptyDirectory = (): Directory => ({
  companies: new Map(),
  groups: new Map(),
  users: new Map(),
  logins: new Map(),
  namesakes: new Map(),
  links: emptyLinks(),
  keys: emptyDeviceKeys(),
  shares: emptyShares(),
  views: new Map(),
  settings: emptySettings(),
  reports: new Map(),
  newestReports: new Map(),
  schedules: new Map(),
  scheduledMail: new Map(),
  profiles: emptyProfiles(),
  loads: emptyLoads(),
  devices: [],
  numbers: new Map(),
  former: new Map(),
  retired: new Set(),
  version: 0,
})

/** Folds one fact in, in place. Facts that say nothing of the directory are passed over. */
export function evolve(directory: Directory, fact: Fact): Directory {
  const apply = APPLY[fact.type] as
    | ((directory: Directory, data: Fact['data'], fact: Fact) => void)
    | undefined
  apply?.(directory, fact.data, fact)
  return directory
}

/** One who never signs out exchanges a token an hour: this is more than a month of them. */
const SPENT_KEPT = 1000

type Apply = { [T in Fact['type']]?: (directory: Directory, data: FactData<T>, fact: Fact) => void }

const APPLY: Apply = {
  'company.registered': (directory, data, { seq, at }) => {
    directory.companies.set(data.companyId, {
      ...data,
      suspended: false,
      suspendedBecause: null,
      retentionDays: null,
      goneBefore: 0,
      managersAddDevices: false,
      createdAt: at,
      version: seq,
    })
    foldFirstKey(directory.keys, data, at)
    directory.version++
  },
  'company.settings-changed': (directory, { companyId, ...changes }, { seq, at }) => {
    const company = directory.companies.get(companyId)
    if (!company) return
    // what was dropped until now does not come back where more days are kept from now on
    const goneBefore = Math.max(company.goneBefore, keptFrom(company.retentionDays, at))
    if (changes.timeZone) foldZoneChanged(directory.schedules, companyId, company.timeZone, changes.timeZone)
    Object.assign(company, changes, { goneBefore, version: seq })
    directory.version++
  },
  'company.suspended': (directory, { companyId, reason }) => {
    const company = directory.companies.get(companyId)
    if (company) Object.assign(company, { suspended: true, suspendedBecause: reason ?? null })
  },
  'company.resumed': (directory, { companyId }) => {
    const company = directory.companies.get(companyId)
    if (company) Object.assign(company, { suspended: false, suspendedBecause: null })
  },
  'device-key.created': ({ keys }, data, fact) => foldKeyCreated(keys, data, fact),
  'device-key.expiry-set': ({ keys }, data) => foldKeyExpiry(keys, data),
  'share.made': ({ shares }, data, fact) => foldShareMade(shares, data, fact),
  'share.revoked': ({ shares }, data) => foldShareRevoked(shares, data),
  'view.saved': ({ views }, data, fact) => foldViewSaved(views, data, fact),
  'view.removed': ({ views }, data) => foldViewRemoved(views, data),

  'group.created': (directory, { groupId, ...data }, { seq }) => {
    directory.groups.set(groupId, {
      ...data,
      _id: groupId,
      image: null,
      child: [],
      devices: new Set(),
      users: new Set(),
      version: seq,
      devicesVersion: seq,
    })
    if (data.parentId !== null) directory.groups.get(data.parentId)?.child.push(groupId)
    directory.version++
  },
  'group.updated': (directory, { groupId, ...changes }, { seq }) => {
    const group = directory.groups.get(groupId)
    if (!group) return
    if (changes.parentId !== undefined && changes.parentId !== group.parentId) {
      unlink(directory, group)
      directory.groups.get(changes.parentId)?.child.push(groupId)
    }
    Object.assign(group, changes, { version: seq })
    directory.version++
  },
  'group.evaluation-set': (directory, { groupId, ...evaluation }, { seq }) => {
    const group = directory.groups.get(groupId)
    if (group) Object.assign(group, { evaluation, version: seq })
  },
  'group.deleted': (directory, { groupId }) => {
    const group = directory.groups.get(groupId)
    if (!group) return
    unlink(directory, group)
    directory.groups.delete(groupId)
    directory.settings.fatigue.delete(groupId)
    directory.profiles.ofGroups.delete(groupId)
    foldViewsOfGroupGone(directory.views, groupId)
    foldReportsUp(directory.reports, groupId, group.parentId)
    foldSchedulesUp(directory.schedules, groupId, group.parentId)
    for (const no of directory.retired) {
      const device = directory.devices[no]
      if (device?.groupId === groupId) device.groupId = group.parentId
    }
    directory.version++
  },

  'user.created': (directory, { userId, superAdmin, ...data }, { seq }) => {
    directory.users.set(userId, {
      ...data,
      _id: userId,
      superAdmin: superAdmin ?? false,
      passwordHash: null,
      resetRequired: false,
      resetId: null,
      version: seq,
      sessions: new Map(),
    })
    directory.groups.get(data.groupId)?.users.add(userId)
    for (const login of [data.email, data.userName].map(mailboxOf)) giveLogin(directory, login, userId)
  },
  'user.updated': (directory, { userId, ...changes }, { seq }) => {
    const user = directory.users.get(userId)
    if (!user) return
    if (changes.groupId !== undefined) {
      directory.groups.get(user.groupId)?.users.delete(userId)
      directory.groups.get(changes.groupId)?.users.add(userId)
    }
    Object.assign(user, changes, { version: seq })
  },
  'user.deleted': (directory, { userId }) => {
    const user = directory.users.get(userId)
    if (!user) return
    directory.users.delete(userId)
    directory.groups.get(user.groupId)?.users.delete(userId)
    directory.settings.users.delete(userId)
    for (const login of [user.email, user.userName].map(mailboxOf)) takeLogin(directory, login, userId)
    foldUserGone(directory.links, userId)
    foldSharerGone(directory.shares, userId)
    foldViewerGone(directory.views, userId)
  },
  'user.password-set': (directory, { userId, hash }) => {
    const user = directory.users.get(userId)
    if (!user) return
    user.passwordHash = hash
    user.resetRequired = false
    user.resetId = null
  },
  'user.reset-required': (directory, { userId }) => {
    const user = directory.users.get(userId)
    if (!user) return
    user.resetRequired = true
    user.resetId = null
  },
  'user.reset-begun': (directory, { userId, resetId }) => {
    const user = directory.users.get(userId)
    if (user) user.resetId = resetId
  },
  'user.signed-in': (directory, data, fact) => openSession(directory, data, fact.at, null),
  'session.handed-off': (directory, data, fact) => openSession(directory, data, fact.at, data),
  'session.refreshed': (directory, { userId, sessionId, refreshHash, expiresAt }, fact) => {
    const session = directory.users.get(userId)?.sessions.get(sessionId)
    if (!session) return
    if (session.refreshHash !== refreshHash) {
      session.spent.add(session.refreshHash)
      const [oldest] = session.spent
      if (session.spent.size > SPENT_KEPT && oldest !== undefined) session.spent.delete(oldest)
      session.exchangedAt = fact.at
    }
    session.refreshHash = refreshHash
    session.expiresAt = expiresAt
  },
  'session.ended': (directory, { userId, sessionId }) => {
    directory.users.get(userId)?.sessions.delete(sessionId)
  },

  'link.issued': ({ links, users }, data, { at }) => {
    foldIssued(links, data, at)
    const user = users.get(data.userId)
    if (user !== undefined && data.purpose === 'activation' && !data.isPrinted) foldInvited(links, user, at)
  },
  'link.expired': ({ links }, data) => foldEnded(links, data, 'expired'),
  'link.used': ({ links }, data) => foldEnded(links, data, 'used'),
  'link.code-refused': ({ links }, data, fact) => foldCodeRefused(links, data, fact.at),

  'user.notification-settings-set': ({ settings }, data, fact) =>
    foldNotificationSettings(settings, data, fact),
  'user.alerts-set': ({ settings }, data, fact) => foldAlerts(settings, data, fact),
  'company.head-address-set': ({ settings }, data, fact) => foldHeadAddress(settings, data, fact),
  'company.driving-score-set': ({ settings }, data, fact) => foldDrivingScore(settings, data, fact),
  'group.fatigue-threshold-set': ({ settings }, data) => foldFatigueThreshold(settings, data),

  'report.requested': (directory, data, fact) => {
    const devices = data.things.flatMap((imei) => deviceThen(directory, imei, fact)?.no ?? [])
    foldRequested(directory, data, devices, fact)
  },
  'report.started': ({ reports }, data, { at }) => foldStarted(reports, data, at),
  'report.completed': ({ reports }, data, { at }) => foldCompleted(reports, data, at),
  'report.failed': ({ reports }, data, { at }) => foldFailed(reports, data, at),
  'report.cancelled': ({ reports }, data, { at }) => foldCancelled(reports, data, at),
  'report.retried': ({ reports }, data, { seq }) => foldRetried(reports, data, seq),
  'report.outdated': ({ reports }, data, { at }) => foldOutdated(reports, data, at),
  'report.addressed': ({ scheduledMail }, data, fact) => foldAddressed(scheduledMail, data, fact),
  'seal.head-addressed': ({ scheduledMail }, data, fact) => {
    if (data.because === 'company') foldAddressed(scheduledMail, data, fact)
  },
  'schedule-mail.asked': ({ scheduledMail }, data, fact) => foldMailRequested(scheduledMail, data, fact),
  'schedule-mail.confirmed': ({ scheduledMail }, data, fact) =>
    foldAddressAnswered(scheduledMail, data, fact, 'confirmed'),
  'schedule-mail.unsubscribed': ({ scheduledMail }, data, fact) =>
    foldAddressAnswered(scheduledMail, data, fact, 'unsubscribed'),
  'schedule.created': ({ schedules }, data, fact) => foldScheduleCreated(schedules, data, fact),
  'schedule.updated': ({ schedules }, data, { at }) => foldScheduleUpdated(schedules, data, at),
  'schedule.deleted': ({ schedules, newestReports }, data) => {
    foldScheduleDeleted(schedules, data)
    newestReports.delete(data.scheduleId)
  },
  'schedule.ran': ({ schedules }, data) => foldScheduleRan(schedules, data),

  'profile.set': ({ profiles }, data, fact) => foldProfileSet(profiles, data, fact),
  'profile.assigned': (directory, data, fact) =>
    foldProfileAssigned(directory.profiles, data, deviceOfFact(directory, fact)?.no),
  'load.opened': (directory, data, fact) =>
    foldLoadOpened(directory.loads, data, deviceOfFact(directory, fact)?.no, fact),
  'load.exhausted': ({ loads }, _, fact) => foldLoad(loads, fact as LoadFact),
  'load.revised': ({ loads }, _, fact) => foldLoad(loads, fact as LoadFact),
  'load.review-begun': ({ loads }, _, fact) => foldLoad(loads, fact as LoadFact),
  'load.released': ({ loads }, _, fact) => foldLoad(loads, fact as LoadFact),
  'load.rejected': ({ loads }, _, fact) => foldLoad(loads, fact as LoadFact),
  'load.closed': ({ loads }, _, fact) => foldLoad(loads, fact as LoadFact),

  'device.registered': (directory, data, { seq }) => {
    const { calibrationDue = null, clockOffset = 0, ...device } = data
    directory.devices[data.no] = { ...device, calibrationDue, clockOffset, version: seq, retired: null }
    giveImei(directory, data.imei, data.no, seq)
    putIntoGroup(directory, data.groupId, data.no, seq)
    directory.version++
  },
  'device.updated': (directory, { imei: _, groupId, ...changes }, fact) => {
    const { seq } = fact
    const device = deviceOfFact(directory, fact)
    if (!device) return
    // what a fleet is gathered by is in each row, not among its texts
    if (changes.type !== undefined && changes.type !== device.type)
      putIntoGroup(directory, device.groupId, device.no, seq)
    // one that is retired belongs where it was, and is in no list
    if (groupId !== undefined && groupId !== device.groupId && device.retired === null) {
      takeOutOfGroup(directory, device, seq)
      putIntoGroup(directory, groupId, device.no, seq)
      device.groupId = groupId
    }
    Object.assign(device, changes, { version: seq })
    directory.version++
  },
  'device.tracker-replaced': (directory, { no, after }, { seq }) => {
    const device = directory.devices[no]
    if (!device) return
    device.imei = after
    device.version = seq
    giveImei(directory, after, no, seq)
    directory.version++
  },
  'device.retired': (directory, { no }, { at, seq }) => {
    const device = directory.devices[no]
    if (!device) return
    takeOutOfGroup(directory, device, seq)
    device.retired = at
    device.version = seq
    directory.retired.add(no)
    directory.version++
  },
}

/** The facts it is a fold of. */
export const DIRECTORY_FACTS = Object.keys(APPLY) as FactType[]

/** The device that has an IMEI now. What was said of the IMEI before may be of another: `deviceOfFact` answers that. */
export function deviceByImei(directory: Directory, imei: string): Device | undefined {
  const deviceNo = directory.numbers.get(imei)
  return deviceNo === undefined ? undefined : directory.devices[deviceNo]
}

/**
 * The device that a fact is about: of those of the fact's company the last that had the IMEI by then. Facts that readings give rise to
 * may be stored when another has it already, so their place in the record alone does not tell companies apart. Undefined for a
 * fact that names no device.
 */
export function deviceOfFact(directory: Directory, fact: Fact): Device | undefined {
  const load = 'loadId' in fact.data ? directory.loads.byId.get(fact.data.loadId) : undefined
  // budgets of loads go on when their device has another tracker, or none
  if (load !== undefined) return directory.devices[load.deviceNo]
  if (!('imei' in fact.data) || fact.data.imei === null) return undefined
  // what people do about a notification, whenever they do it, is about the device it tells of
  const notificationId = 'notificationId' in fact.data ? fact.data.notificationId : undefined
  const seq = notificationId === undefined ? fact.seq : Number(notificationId.slice(1))
  return deviceThen(directory, fact.data.imei, { seq, companyId: fact.companyId })
}

/** The device of a company (null: of any) that had an IMEI at a position of the record. */
export function deviceThen(
  { numbers, former, devices }: Pick<Directory, 'numbers' | 'former' | 'devices'>,
  imei: string,
  { seq, companyId }: Pick<Fact, 'seq' | 'companyId'>,
): Device | undefined {
  const earlier = former.get(imei) ?? []
  for (let i = earlier.length; i >= 0; i--) {
    const no = i === earlier.length ? numbers.get(imei) : earlier[i]?.no
    const device = no === undefined ? undefined : devices[no]
    const isThen = seq >= (earlier[i - 1]?.until ?? 0)
    if (isThen && device && (companyId === null || device.companyId === companyId)) return device
  }
  return undefined
}

/** The IMEIs of all trackers a device has or had, also those that another device has now. */
export function imeisOf({ numbers, former }: Directory, { no }: Device): Set<string> {
  const imeis = new Set<string>()
  for (const [imei, now] of numbers) if (now === no) imeis.add(imei)
  for (const [imei, before] of former) if (before.some((one) => one.no === no)) imeis.add(imei)
  return imeis
}

/** How long a silent device still counts as online, ms. */
export const patienceOf = ({ companies, devices }: Directory, no: number): number =>
  (companies.get(devices[no]?.companyId ?? '')?.patienceSeconds ?? 0) * 1000

/** Why a reading that names this IMEI is refused; undefined: it is taken. */
export function senderRefusal(directory: Directory, imei: string): string | undefined {
  const device = deviceByImei(directory, imei)
  if (device === undefined) return 'unknown device'
  if (device.retired !== null) return 'device is retired'
  return device.imei === imei ? undefined : 'tracker was replaced'
}

/** The user behind an e-mail address or a user name, whatever its case. */
export function userByLogin(directory: Directory, login: string): User | undefined {
  const id = directory.logins.get(mailboxOf(login))
  return id === undefined ? undefined : directory.users.get(id)
}

/** A group and everything below it, parents before children; empty for an unknown group. */
export function groupsWithin(directory: Directory, groupId: string): Group[] {
  const top = directory.groups.get(groupId)
  if (!top) return []
  const found = [top]
  for (let i = 0; i < found.length; i++)
    for (const id of (found[i] as Group).child) {
      const group = directory.groups.get(id)
      if (group) found.push(group)
    }
  return found
}

/** Whether `groupId` is `topId` or below it: what decides what a visitor sees. */
export function isWithin(directory: Directory, groupId: string | null, topId: string): boolean {
  for (let id = groupId; id !== null; id = directory.groups.get(id)?.parentId ?? null)
    if (id === topId) return true
  return false
}

/** How many devices are in these groups. */
export const devicesIn = (groups: readonly Group[]): number =>
  groups.reduce((sum, { devices }) => sum + devices.size, 0)

/** Numbers of all devices in a group and below, ascending. */
export function devicesWithin(directory: Directory, groupId: string): Uint32Array {
  const groups = groupsWithin(directory, groupId)
  const numbers = new Uint32Array(devicesIn(groups))
  let n = 0
  for (const group of groups) for (const deviceNo of group.devices) numbers[n++] = deviceNo
  return numbers.sort()
}

/** Another device may have had it: what was said of that one stays its own. */
function giveImei({ numbers, former }: Directory, imei: string, no: number, seq: number): void {
  const before = numbers.get(imei)
  if (before !== undefined && before !== no)
    former.set(imei, [...(former.get(imei) ?? []), { no: before, until: seq }])
  numbers.set(imei, no)
}

function giveLogin({ logins, namesakes }: Directory, login: string, userId: string): void {
  const holder = logins.get(login)
  if (holder === undefined) logins.set(login, userId)
  else if (holder !== userId) namesakes.set(login, [...(namesakes.get(login) ?? []), userId])
}

function takeLogin({ logins, namesakes }: Directory, login: string, userId: string): void {
  const others = namesakes.get(login)?.filter((id) => id !== userId) ?? []
  if (logins.get(login) === userId) {
    const next = others.shift()
    if (next === undefined) logins.delete(login)
    else logins.set(login, next)
  }
  if (others.length === 0) namesakes.delete(login)
  else namesakes.set(login, others)
}

function openSession(
  directory: Directory,
  { userId, sessionId, refreshHash, expiresAt }: FactData<'user.signed-in'>,
  at: number,
  handoff: Session['handoff'],
): void {
  const user = directory.users.get(userId)
  if (!user) return
  for (const session of user.sessions.values())
    if (session.expiresAt <= at) user.sessions.delete(session.sessionId)
  user.sessions.set(sessionId, {
    sessionId,
    refreshHash,
    startedAt: at,
    expiresAt,
    spent: new Set(),
    exchangedAt: 0,
    handoff: handoff && { companyId: handoff.companyId, groupId: handoff.groupId },
  })
}

function putIntoGroup(directory: Directory, groupId: string | null, deviceNo: number, seq: number): void {
  const group = groupId === null ? undefined : directory.groups.get(groupId)
  if (group === undefined) return
  group.devices.add(deviceNo)
  group.devicesVersion = seq
}

function takeOutOfGroup(directory: Directory, { groupId, no }: Device, seq: number): void {
  const group = groupId === null ? undefined : directory.groups.get(groupId)
  if (group?.devices.delete(no)) group.devicesVersion = seq
}

function unlink(directory: Directory, group: Group): void {
  const parent = group.parentId === null ? undefined : directory.groups.get(group.parentId)
  if (parent) parent.child = parent.child.filter((id) => id !== group._id)
}

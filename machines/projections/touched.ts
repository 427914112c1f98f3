import type { Fact, FactData } from '../contracts/facts.ts'
import { counted } from '../rules/figures.ts'
import { type Directory, deviceByImei, evaluationOf } from './directory.ts'
import { fatigueThreshold, userSettings } from './settings.ts'

/** Text, number, switch or nothing; a group by id and the name it had, as not everybody may know of it. */
export type Value = string | number | boolean | null | { groupId: string; name: string }
export type ValueChange = { field: string; before: Value; after: Value }

/** A thing that a fact says something new of. */
export type Touched = {
  of: 'groups' | 'users' | 'devices'
  id: string
  action: 'created' | 'updated'
  changes: ValueChange[]
}

/** Whose history a fact belongs to, and what it says there. `directory` is what it was before the fact. */
export function touchedBy(directory: Directory, fact: Fact): Touched[] {
  const touch = TOUCHED_BY[fact.type] as
    | ((directory: Directory, data: unknown, fact: Fact) => Touched[])
    | undefined
  return touch?.(directory, fact.data, fact) ?? []
}

const GROUP_FIELDS = [
  'name',
  'description',
  'image',
  'lowTemperatureThreshold',
  'highTemperatureThreshold',
  'lowHumidityThreshold',
  'highHumidityThreshold',
] as const
const EVALUATION_FIELDS = ['violationDelaySeconds', 'clearMarginTemperature', 'clearMarginHumidity'] as const
const USER_FIELDS = ['firstName', 'lastName', 'userName', 'email', 'phone', 'type', 'role'] as const
const DEVICE_FIELDS = [
  'name',
  'plateNumber',
  'vehicleMakeAndModel',
  'type',
  'calibrationDue',
  'clockOffset',
] as const
const NOTHING = {}

const TOUCHED_BY: {
  [T in Fact['type']]?: (directory: Directory, data: FactData<T>, fact: Fact) => Touched[]
} = {
  'group.created': (directory, data, { by }) => {
    const group = { groupId: data.groupId, name: data.name }
    return [
      created('groups', data.groupId, [
        ...differences(GROUP_FIELDS, NOTHING, data),
        ...(data.parentId === null ? [] : [change('parentId', null, groupOf(directory, data.parentId))]),
      ]),
      // what came with the registration of a company is no news to its groups
      ...(data.parentId === null || by === undefined ? [] : [came('groups', data.parentId, 'child', group)]),
    ]
  },
  'group.updated': (directory, data) => {
    const group = directory.groups.get(data.groupId)
    if (group === undefined) return []
    const changes = differences(GROUP_FIELDS, group, data)
    if (data.parentId === undefined || data.parentId === group.parentId)
      return updated('groups', data.groupId, changes)
    const me = groupOf(directory, data.groupId)
    const before = group.parentId === null ? null : groupOf(directory, group.parentId)
    return [
      ...updated('groups', data.groupId, [
        ...changes,
        change('parentId', before, groupOf(directory, data.parentId)),
      ]),
      ...(group.parentId === null ? [] : [left('groups', group.parentId, 'child', me)]),
      came('groups', data.parentId, 'child', me),
    ]
  },
  'group.deleted': (directory, { groupId }) => {
    const parentId = directory.groups.get(groupId)?.parentId ?? null
    return parentId === null ? [] : [left('groups', parentId, 'child', groupOf(directory, groupId))]
  },
  'group.evaluation-set': (directory, { groupId, ...evaluation }) => {
    const group = directory.groups.get(groupId)
    return group === undefined
      ? []
      : updated('groups', groupId, differences(EVALUATION_FIELDS, evaluationOf(group), evaluation))
  },
  'limits-trial.applied': (_, { groupId, inForce, figures }) =>
    updated('groups', groupId, [change('limitsTrial', alarmsInWords(inForce), alarmsInWords(figures))]),
  'group.fatigue-threshold-set': (directory, { groupId, ...threshold }) =>
    updated(
      'groups',
      groupId,
      differences(
        ['enabled', 'drivingMinutes', 'restMinutes'],
        fatigueThreshold(directory.settings, groupId),
        threshold,
        'fatigue.',
      ),
    ),

  'user.created': (directory, data, { by }) => [
    created('users', data.userId, [
      ...differences(USER_FIELDS, NOTHING, data),
      change('group', null, groupOf(directory, data.groupId)),
    ]),
    ...(by === undefined ? [] : [came('groups', data.groupId, 'users', nameOf(data))]),
  ],
  'user.updated': (directory, data) => {
    const user = directory.users.get(data.userId)
    if (user === undefined) return []
    const changes = differences(USER_FIELDS, user, data)
    if (data.groupId === undefined || data.groupId === user.groupId)
      return updated('users', user._id, changes)
    return [
      ...updated('users', user._id, [
        ...changes,
        change('group', groupOf(directory, user.groupId), groupOf(directory, data.groupId)),
      ]),
      left('groups', user.groupId, 'users', nameOf(user)),
      came('groups', data.groupId, 'users', nameOf(user)),
    ]
  },
  'user.deleted': (directory, { userId }) => {
    const user = directory.users.get(userId)
    return user === undefined ? [] : [left('groups', user.groupId, 'users', nameOf(user))]
  },
  'user.password-set': (directory, { userId }) =>
    directory.users.get(userId)?.passwordHash === null
      ? updated('users', userId, [change('activated', false, true)])
      : [],
  'user.notification-settings-set': (directory, { userId, settings }) => {
    const { notifications } = userSettings(directory.settings, userId)
    return updated('users', userId, differences(keysOf(settings), notifications, settings))
  },
  'user.alerts-set': (directory, { userId, sms, email }) => {
    const before = userSettings(directory.settings, userId)
    return updated('users', userId, [
      ...differences(keysOf(sms), before.sms, sms, 'sms.'),
      ...differences(keysOf(email), before.email, email, 'email.'),
    ])
  },

  // what a scenario brought is no news; a list of 100,000 that somebody brought is one entry each, without its fields
  'device.registered': (_, { imei }, { by }) => (by === undefined ? [] : [created('devices', imei, [])]),
  'device.tracker-replaced': (directory, { no, before, after }) =>
    directory.devices[no] === undefined ? [] : updated('devices', before, [change('imei', before, after)]),
  'device.retired': (directory, { no, imei, reason }) => {
    const device = directory.devices[no]
    if (device === undefined) return []
    return [
      ...updated('devices', imei, [
        change('retired', false, true),
        ...(reason === undefined ? [] : [change('reason', null, reason)]),
      ]),
      ...(device.groupId === null ? [] : [left('groups', device.groupId, 'things', device.name)]),
    ]
  },
  'device.updated': (directory, { imei: newImei, ...data }) => {
    const device = deviceByImei(directory, newImei)
    if (device === undefined) return []
    const { imei } = device
    const { name, groupId } = data
    const renamed = differences(DEVICE_FIELDS, device, data)
    if (groupId === undefined || groupId === device.groupId) return updated('devices', imei, renamed)
    const before = device.groupId === null ? null : groupOf(directory, device.groupId)
    const deviceName = name ?? device.name
    return [
      ...updated('devices', imei, [...renamed, change('group', before, groupOf(directory, groupId))]),
      ...(device.groupId === null ? [] : [left('groups', device.groupId, 'things', deviceName)]),
      came('groups', groupId, 'things', deviceName),
    ]
  },
}

const change = (field: string, before: Value, after: Value): ValueChange => ({ field, before, after })

/** What `wanted` says, and otherwise than it was; what it does not speak of stays. */
function differences<F extends string>(
  fields: readonly F[],
  before: { readonly [K in F]?: Value | undefined },
  wanted: { readonly [K in F]?: Value | undefined },
  prefix = '',
): ValueChange[] {
  return fields.flatMap((field) => {
    const after = wanted[field]
    const was = before[field] ?? null
    return after === undefined || after === was || (after === '' && was === null)
      ? []
      : [change(prefix + field, was, after)]
  })
}

const updated = (of: Touched['of'], id: string, changes: ValueChange[]): Touched[] =>
  changes.length === 0 ? [] : [{ of, id, action: 'updated', changes }]
const created = (of: Touched['of'], id: string, changes: ValueChange[]): Touched => ({
  of,
  id,
  action: 'created',
  changes,
})
const came = (of: Touched['of'], id: string, field: string, what: Value): Touched => ({
  of,
  id,
  action: 'updated',
  changes: [change(field, null, what)],
})
const left = (of: Touched['of'], id: string, field: string, what: Value): Touched => ({
  of,
  id,
  action: 'updated',
  changes: [change(field, what, null)],
})

const groupOf = ({ groups }: Directory, groupId: string): Value => ({
  groupId,
  name: groups.get(groupId)?.name ?? '',
})
const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim()
const keysOf = <T extends object>(value: T) => Object.keys(value) as (keyof T & string)[]

const alarmsInWords = ({ told }: { told: number }): string => counted(told, 'alarm')

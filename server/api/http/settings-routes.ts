import type { GroupVehicles } from '#machines/contracts/calls/group-calls.ts'
import { type Group, groupsWithin, type User } from '#machines/projections/directory.ts'
import { drivingScore, fatigueThreshold, userSettings } from '#machines/projections/settings.ts'
import { drivingScoreVersion, userVersion } from '#machines/projections/versions.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { setDrivingScore, setFatigueThreshold } from '../../commands/settings/group-settings.ts'
import { setAlerts, setNotifications } from '../../commands/settings/user-settings.ts'
import { STRUCTURE } from '../../commands/structure.ts'
import { createChangeHistories } from './change-history.ts'
import type { HttpContext } from './context.ts'
import { children } from './group-answer.ts'
import { refusal } from './refusals.ts'
import { ifVersion, refusedEdit, versioned } from './versions.ts'

type Deps = Pick<HttpContext, 'answerCall' | 'visible' | 'execute' | 'readModels'>

/** What users are notified of, what drivers may do, and the checklists of vehicles and drivers. */
export function settingsRoutes(deps: Deps): void {
  userSettingsRoutes(deps)
  groupSettingsRoutes(deps)
  checklistRoutes(deps)
}

function userSettingsRoutes({ answerCall, visible, execute, readModels }: Deps): void {
  const { directory } = readModels
  const histories = createChangeHistories(readModels)

  /** Everybody has settings of their own, wherever they are; other people's only where they see them. */
  function settler(visitor: Visitor, id: string): User {
    const me = id === visitor.userId ? directory.users.get(id) : undefined
    return me ?? visible.user(visitor, id)
  }
  const notificationsOf = (user: User) => ({
    ...userSettings(directory.settings, user._id).notifications,
    version: userVersion(directory, user),
  })
  const alertsOf = (user: User) => {
    const { sms, email } = userSettings(directory.settings, user._id)
    return { sms, email, type: user.type, version: userVersion(directory, user) }
  }

  answerCall('notificationSettings', ({ params, visitor, reply }) =>
    versioned(reply, notificationsOf(settler(visitor, params.id))),
  )

  answerCall('updateNotificationSettings', async ({ params: { id }, body, visitor, request, reply }) => {
    const { refused } = await execute(
      STRUCTURE,
      {
        type: 'user.set-notifications',
        by: visitor.userId,
        data: { userId: id, settings: body, ifVersion: ifVersion(request) },
      },
      (state, command) => setNotifications(state, command, visitor.groupId),
    )
    const current = () => notificationsOf(settler(visitor, id))
    if (refused) throw refusedEdit(refused, current, histories.last('users', id))
    return versioned(reply, current())
  })

  answerCall('updateSmsEmailSetting', async ({ params: { id }, body, visitor, request, reply }) => {
    const { refused } = await execute(
      STRUCTURE,
      {
        type: 'user.set-alerts',
        by: visitor.userId,
        data: { userId: id, ...body, ifVersion: ifVersion(request) },
      },
      (state, command) => setAlerts(state, command, visitor.groupId),
    )
    const current = () => alertsOf(settler(visitor, id))
    if (refused) throw refusedEdit(refused, current, histories.last('users', id))
    return versioned(reply, current())
  })
}

function groupSettingsRoutes({ answerCall, visible, execute, readModels: { directory } }: Deps): void {
  const scoreOf = (companyId: string) => ({
    drivingScoreSetting: drivingScore(directory.settings, companyId).setting,
    version: drivingScoreVersion(directory, companyId),
  })

  answerCall('fatigueThreshold', ({ params, visitor }) =>
    fatigueThreshold(directory.settings, visible.group(visitor, params.id)._id),
  )

  answerCall('updateFatigueThreshold', async ({ params: { id }, body, visitor }) => {
    const { refused } = await execute(
      STRUCTURE,
      { type: 'group.set-fatigue-threshold', by: visitor.userId, data: { groupId: id, ...body } },
      (state, command) => setFatigueThreshold(state, command, visitor.groupId),
    )
    if (refused) throw refusal(refused)
    return { message: 'Fatigue threshold updated successfully!', ...fatigueThreshold(directory.settings, id) }
  })

  answerCall('drivingScoreSetting', ({ params, visitor, reply }) =>
    versioned(reply, scoreOf(visible.company(visitor, params.companyId).companyId)),
  )

  answerCall('updateDrivingScoreSetting', async ({ params, body, visitor, request, reply }) => {
    const { companyId } = params
    const { refused } = await execute(
      STRUCTURE,
      {
        type: 'company.set-driving-score',
        by: visitor.userId,
        data: { companyId, ...body.drivingScoreSetting, ifVersion: ifVersion(request) },
      },
      (state, command) => setDrivingScore(state, command, visitor.groupId),
    )
    const current = () => scoreOf(companyId)
    if (refused) throw refusedEdit(refused, current, { by: null, at: null })
    return versioned(reply, current())
  })
}

function checklistRoutes({ answerCall, visible, readModels: { directory } }: Deps): void {
  answerCall('vehicleGroups', ({ params, visitor }) => [vehiclesOf(visible.group(visitor, params.id))])

  function vehiclesOf(group: Group): GroupVehicles {
    const devices = [...group.devices].sort((a, b) => a - b).flatMap((no) => directory.devices[no] ?? [])
    const vehicles = devices.filter(({ type }) => type === 'vehicle')
    return {
      _id: group._id,
      name: group.name,
      vehicles: vehicles.map(({ imei, name, plateNumber, vehicleMakeAndModel }) => ({
        _id: imei,
        imei,
        name,
        plateNumber,
        vehicleMakeAndModel,
      })),
      child: children(directory, group).map(vehiclesOf),
    }
  }

  answerCall('driverGroups', ({ params, visitor }) =>
    groupsWithin(directory, visible.group(visitor, params.id)._id).map(({ _id, name, users }) => ({
      _id,
      name,
      drivers: [...users]
        .flatMap((id) => directory.users.get(id) ?? [])
        .filter(({ role }) => role.toLowerCase() === 'driver')
        .map((user) => ({ _id: user._id, name: `${user.firstName} ${user.lastName}`.trim() })),
    })),
  )
}

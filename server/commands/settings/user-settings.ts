import type { CommandOf } from '#machines/contracts/commands.ts'
import { type Directory, isWithin, type User } from '#machines/projections/directory.ts'
import { userSettings } from '#machines/projections/settings.ts'
import { isStale, userVersion } from '#machines/projections/versions.ts'
import { type Decision, decided, NOT_FOUND, refuse, stale } from '../decision.ts'
import { changesOf, isEmpty, originOf } from '../structure.ts'

/** What a user is notified of; for those who see them, and for themselves wherever they are. */
export function setNotifications(
  directory: Directory,
  command: CommandOf<'user.set-notifications'>,
  topId: string,
): Decision {
  const { userId, settings, ifVersion } = command.data
  const user = directory.users.get(userId)
  if (user === undefined || !maySet(directory, user, command.by, topId)) return refuse(404, NOT_FOUND)
  if (isStale(ifVersion, userVersion(directory, user), 'second')) return stale()
  const now = userSettings(directory.settings, userId)
  if (isEmpty(changesOf(now.notifications, settings))) return decided()
  return decided({
    ...originOf(command, user.companyId),
    type: 'user.notification-settings-set',
    data: { userId, settings },
  })
}

/** What reaches a user by SMS and by e-mail. A switch that a window of before does not know stays as it is. */
export function setAlerts(
  directory: Directory,
  command: CommandOf<'user.set-alerts'>,
  topId: string,
): Decision {
  const { userId, ifVersion } = command.data
  const user = directory.users.get(userId)
  if (user === undefined || !maySet(directory, user, command.by, topId)) return refuse(404, NOT_FOUND)
  if (isStale(ifVersion, userVersion(directory, user), 'second')) return stale()
  const now = userSettings(directory.settings, userId)
  const [sms, email] = [
    { ...now.sms, ...command.data.sms },
    { ...now.email, ...command.data.email },
  ]
  if (isEmpty(changesOf(now.sms, sms)) && isEmpty(changesOf(now.email, email))) return decided()
  return decided({
    ...originOf(command, user.companyId),
    type: 'user.alerts-set',
    data: { userId, sms, email },
  })
}

const maySet = (directory: Directory, { _id, groupId }: User, by: string | null, topId: string): boolean =>
  _id === by || isWithin(directory, groupId, topId)

import type { ManagedUser } from '#machines/contracts/entities/users.ts'
import { type Directory, groupsWithin, type User } from '#machines/projections/directory.ts'
import type { HttpContext } from './context.ts'
import { children, groupAnswer, groupNode } from './group-answer.ts'
import { notFound } from './refusals.ts'

/** Groups and users, as far as they are read. */
export function groupRoutes({ answerCall, sight, readModels: { directory } }: HttpContext): void {
  answerCall('subgroups', ({ params, visitor }) =>
    children(directory, sight.group(visitor, params.groupId)).map((group) =>
      groupAnswer(directory, group, visitor.groupId),
    ),
  )

  answerCall('group', ({ params, visitor }) =>
    groupAnswer(directory, sight.group(visitor, params.id), visitor.groupId, true),
  )

  answerCall('companyGroups', ({ params, visitor }) => {
    sight.company(visitor, params.companyId)
    return [groupAnswer(directory, sight.group(visitor, visitor.groupId), visitor.groupId)]
  })

  answerCall('groupUsers', ({ params, visitor }) => {
    const ids = new Set(
      groupsWithin(directory, sight.group(visitor, params.groupId)._id).map(({ _id }) => _id),
    )
    return [...directory.users.values()]
      .filter(({ groupId, superAdmin }) => ids.has(groupId) && !superAdmin)
      .map((user) => managedUser(directory, user))
  })

  answerCall('user', ({ params, visitor }) => managedUser(directory, sight.user(visitor, params.id)))
}

const ALL_ON = {
  LOW_TEMPERATURE_DETECTED: true,
  LOW_HUMIDITY_DETECTED: true,
  HIGH_TEMPERATURE_DETECTED: true,
  HIGH_HUMIDITY_DETECTED: true,
}

function managedUser(directory: Directory, user: User): ManagedUser {
  const group = directory.groups.get(user.groupId)
  if (group === undefined) throw notFound()
  const { _id, firstName, lastName, userName, email, phone, type, role } = user
  return {
    _id,
    firstName,
    lastName,
    userName,
    email,
    phone,
    group: groupNode(directory, group),
    type,
    role,
    smsSetting: ALL_ON,
    emailSetting: ALL_ON,
  }
}

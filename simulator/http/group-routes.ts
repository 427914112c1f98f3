import { groupsWithin, type User } from '#machines/projections/directory.ts'
import type { HttpContext } from './context.ts'
import { children, groupAnswer } from './group-answer.ts'
import { userAnswer, userRow } from './user-answer.ts'

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
    const groups = groupsWithin(directory, sight.group(visitor, params.groupId)._id)
    return groups
      .flatMap(({ users }) => [...users].flatMap((id) => directory.users.get(id) ?? []))
      .filter(({ superAdmin }) => !superAdmin)
      .sort(byName)
      .map((user) => userRow(directory, user))
  })

  answerCall('user', ({ params, visitor }) => userAnswer(directory, sight.user(visitor, params.id)))
}

const byName = (a: User, b: User): number =>
  a.firstName.localeCompare(b.firstName) || a.lastName.localeCompare(b.lastName)

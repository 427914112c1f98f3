import type { GroupNode } from '#machines/contracts/entities/group-info.ts'
import type { ManagedUser } from '#machines/contracts/entities/users.ts'
import type { Directory, User } from '#machines/projections/directory.ts'
import { userSettings } from '#machines/projections/settings.ts'
import { userVersion } from '#machines/projections/versions.ts'
import { groupNode } from './group-answer.ts'
import { notFound } from './refusals.ts'

/** A user as those who manage them know them, with the groups below their own. */
export function userAnswer(directory: Directory, user: User): ManagedUser {
  const group = directory.groups.get(user.groupId)
  if (group === undefined) throw notFound()
  return { ...fieldsOf(directory, user), group: groupNode(directory, group) }
}

/** What whoever created a user is answered. @throws ApiError 404 where the user is gone again */
export function createdAnswer(directory: Directory, userId: string) {
  const user = directory.users.get(userId)
  if (user === undefined) throw notFound()
  return {
    code: 'success' as const,
    message: 'User created successfully!',
    user: userAnswer(directory, user),
  }
}

/** The same as `userAnswer` for lists: a thousand users of a top group need not repeat its whole tree a thousand times. */
export function userRow(directory: Directory, user: User): ManagedUser {
  const group: GroupNode = {
    _id: user.groupId,
    name: directory.groups.get(user.groupId)?.name ?? '',
    child: [],
  }
  return { ...fieldsOf(directory, user), group }
}

function fieldsOf(directory: Directory, user: User) {
  const { _id, firstName, lastName, userName, email, phone, type, role, passwordHash } = user
  const { sms, email: emailSetting } = userSettings(directory.settings, _id)
  return {
    _id,
    firstName,
    lastName,
    userName,
    email,
    phone,
    type,
    role,
    smsSetting: sms,
    emailSetting,
    activated: passwordHash !== null,
    version: userVersion(directory, user),
  }
}

import type { Directory, User } from './directory.ts'

/** Company and group of those who administer the server. There is no company of that id, and no device in the group. */
export const ADMINISTRATION = 'administration'

/** Those who may set up companies and enter them. */
export const administratorsOf = ({ users }: Directory): User[] =>
  [...users.values()].filter(({ superAdmin }) => superAdmin)

/** Whether somebody can sign in who may set up companies. */
export function hasAdministrator({ users }: Directory): boolean {
  for (const { superAdmin, passwordHash } of users.values())
    if (superAdmin && passwordHash !== null) return true
  return false
}

import type { Directory, User } from './directory.ts'

/** Company and group of those who administer the server. There is no company of that id, and no device in the group. */
export const ADMINISTRATION = 'administration'

/** Those who may set up companies and enter them. */
export const administratorsOf = ({ users }: Directory): User[] =>
  [...users.values()].filter(({ superAdmin }) => superAdmin)

/**
 * Whether somebody can sign in who may set up companies: an administrator `is-there`, there is `none`, or those there are never
 * chose a password, and the links for that may be over (`no-password`).
 */
export function administration(directory: Directory): 'is-there' | 'none' | 'no-password' {
  const all = administratorsOf(directory)
  if (all.length === 0) return 'none'
  return all.some(({ passwordHash }) => passwordHash !== null) ? 'is-there' : 'no-password'
}

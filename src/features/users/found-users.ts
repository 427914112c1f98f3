import type { ManagedUser } from '#machines/contracts/entities/users.ts'

/** A user with what a search looks at. */
export type KnownUser = { user: ManagedUser; name: string; haystack: string }

/** Users by name, each with what a search looks at: name, user name, e-mail, phone, group. */
export function knownUsers(users: readonly ManagedUser[]): KnownUser[] {
  return users
    .map((user) => {
      const name = fullName(user)
      const text = [name, user.userName, user.email, user.phone, user.group.name].join('\n')
      return { user, name, haystack: text.toLowerCase() }
    })
    .toSorted((a, b) => inOrder.compare(a.name, b.name) || inOrder.compare(a.user.email, b.user.email))
}

/** Those who have every word typed somewhere: in name, user name, e-mail, phone or group. */
export function foundUsers(users: readonly KnownUser[], query: string): readonly KnownUser[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return users
  return users.filter(({ haystack }) => words.every((word) => haystack.includes(word)))
}

/** Either may be empty. */
export const fullName = ({ firstName, lastName }: Pick<ManagedUser, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`.trim()

const inOrder = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

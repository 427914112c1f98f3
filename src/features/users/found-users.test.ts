import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ManagedUser } from '#machines/contracts/entities/users.ts'
import { foundUsers, knownUsers } from './found-users.ts'
import { userOf } from './testing.ts'

const user = (fields: Partial<ManagedUser>): ManagedUser =>
  userOf(`id-${fields.email}`, {
    email: 'ayesha@indus.example',
    group: { _id: 'g1', name: 'Punjab', child: [] },
    ...fields,
  })
const bilal = user({
  firstName: 'bilal',
  lastName: 'Ahmed',
  userName: 'bilal',
  email: 'bilal@indus.example',
  phone: '03217654321',
  group: { _id: 'g2', name: 'Lahore Frozen', child: [] },
})
const users = knownUsers([bilal, user({})])
const namesOf = (query: string): string[] => foundUsers(users, query).map(({ name }) => name)

test('is in the order of names, capitals or not', () =>
  expect(namesOf('')).toEqual(['Ayesha Khan', 'bilal Ahmed']))

test.each([
  ['a name', 'KHAN', ['Ayesha Khan']],
  ['an e-mail', 'bilal@', ['bilal Ahmed']],
  ['a phone', '0321', ['bilal Ahmed']],
  ['a group', 'frozen', ['bilal Ahmed']],
  ['words of several columns', 'lahore bil', ['bilal Ahmed']],
  ['nobody', 'zzz', []],
])('finds by %s', (_, query, names) => expect(namesOf(query)).toEqual(names))

test('finds everybody by any piece of their name, and nobody twice', () =>
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 20 }),
      fc.nat(),
      fc.nat(),
      (names, at, from) => {
        const all = knownUsers(names.map((firstName, i) => user({ firstName, email: `${i}@x.example` })))
        const name = names[at % names.length] as string
        const found = foundUsers(all, name.slice(from % name.length))
        expect(found.some((one) => one.user.firstName === name)).toBe(true)
        expect(new Set(found).size).toBe(found.length)
      },
    ),
  ))

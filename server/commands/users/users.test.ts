import { describe, expect, test } from 'vitest'
import type { CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { SESSION_OVER } from '../access/sessions.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { createUser } from './create-user.ts'
import { deleteUser } from './delete-user.ts'
import { updateUser } from './update-user.ts'

const origin = { at: 7, companyId: 'indus', by: 'u1' }
const NOT_FOUND = { facts: [], refused: { status: 404, message: 'Not found' } }
const link = {
  linkId: 'l1',
  purpose: 'activation' as const,
  tokenHash: 'hash',
  codeHash: null,
  expiresAt: 9,
}

const someone = (n: number) => ({
  ...{ userId: `p${n}`, companyId: 'indus', groupId: 'indus', firstName: 'P', lastName: 'L', phone: '0' },
  ...{ userName: `p${n}`, email: `p${n}@indus.example`, type: 'User', role: 'user' },
})

describe('creating a user', () => {
  const data = {
    userId: 'n1',
    firstName: ' Hina ',
    lastName: 'Shah',
    email: ' hina.shah@indus.example ',
    phone: '+92 300 1234567',
    groupId: 'punjab',
    link,
  }
  const create = (changes: Partial<CommandOf<'user.create'>['data']> = {}, topId = 'indus') =>
    given(...twoCompanies).when(
      (directory, command: CommandOf<'user.create'>) => createUser(directory, command, topId),
      {
        type: 'user.create',
        at: 7,
        by: 'u1',
        data: { ...data, ...changes },
      },
    )

  test('makes them a Manager with a user name of their own and a link for the first password, in one commit', () => {
    expect(create()).toEqual({
      facts: [
        {
          ...origin,
          type: 'user.created',
          data: {
            userId: 'n1',
            companyId: 'indus',
            groupId: 'punjab',
            firstName: 'Hina',
            lastName: 'Shah',
            userName: 'hinashah',
            email: 'hina.shah@indus.example',
            phone: '03001234567',
            type: 'Manager',
            role: 'user',
          },
        },
        { ...origin, type: 'link.issued', data: { ...link, userId: 'n1' } },
      ],
    })
  })

  test('takes another user name where the one of the address is taken', () => {
    expect(create({ email: 'danish@elsewhere.example' }).facts[0]?.data).toMatchObject({
      userName: 'danish2',
    })
  })

  test.each([
    ['email', { email: 'DANISH@indus.example' }, 'A user with this email already exists'],
    ['email', { email: 'danish@\uff49ndus.example' }, 'A user with this email already exists'],
    ['email', { email: 'karim@karakoram.example' }, 'A user with this email already exists'],
    ['userName', { userName: 'Karim' }, 'This user name is already taken'],
  ])('does not give the %s of another a second time: %j', (path, changes, message) => {
    expect(create(changes)).toEqual({
      facts: [],
      refused: { status: 409, message, extra: { path, errors: [{ path, message }] } },
    })
  })

  test.each([
    ['phone', { phone: '+92 300 12345678' }, 'Invalid phone number'],
    ['email', { email: 'nobody' }, 'Invalid email!'],
    ['email', { email: 'hina@gmail.com>' }, 'Invalid email!'],
    ['groupId', { groupId: '' }, 'Please select a group'],
    ['userName', { userName: 'a b' }, 'Spaces not allowed in user name'],
  ])('tells what is wrong with the %s', (path, changes, message) => {
    expect(create(changes).refused).toMatchObject({ status: 422, message, extra: { path } })
  })

  test('nobody makes somebody who may do more than they may', () => {
    const plain: NewFact = {
      ...{ type: 'user.created', at: 1, companyId: 'indus' },
      data: {
        ...{ userId: 'plain', companyId: 'indus', groupId: 'indus', firstName: 'P', lastName: 'L' },
        ...{ userName: 'plain', email: 'plain@indus.example', phone: '0', type: 'User', role: 'user' },
      },
    }
    const requested = (type?: string) =>
      given(...twoCompanies, plain).when(
        (directory, command: CommandOf<'user.create'>) => createUser(directory, command, 'indus'),
        { type: 'user.create', at: 7, by: 'plain', data: { ...data, ...(type && { type }) } },
      )
    const message = 'Only a manager can create a manager'
    expect(requested('Manager').refused).toMatchObject({ status: 422, message, extra: { path: 'type' } })
    expect([requested(), requested('User')].map(({ facts }) => facts[0]?.data)).toMatchObject([
      { type: 'User' },
      { type: 'User' },
    ])
  })

  test('whoever is gone makes nobody', () => {
    const decision = given(...twoCompanies).when(
      (directory, command: CommandOf<'user.create'>) => createUser(directory, command, 'indus'),
      { type: 'user.create', at: 7, by: 'gone', data: { ...data, type: 'Manager' } },
    )
    expect(decision).toEqual({ facts: [], refused: { status: 401, message: SESSION_OVER } })
  })

  test('deleted and created again, they are mailed five links a day, whatever the letters of their address', () => {
    const day = 86_400_000
    const again = (n: number, at: number): CommandOf<'user.create'> => ({
      ...{ type: 'user.create', at, by: 'u1' },
      data: {
        ...data,
        ...{ userId: `n${n}`, link: { ...link, linkId: `l${n}`, tokenHash: `t${n}` } },
        ...(n % 2 === 0 && { email: 'Hina.Shah@indus.example' }),
      },
    })
    const world = given(...twoCompanies)
    const make = (command: CommandOf<'user.create'>) =>
      world.when((directory, requested: typeof command) => createUser(directory, requested, 'indus'), command)
    for (let n = 0; n < 5; n++) {
      const made = make(again(n, 7 + n))
      expect(made.facts).toHaveLength(2)
      world.store(made)
      world.store({ facts: [{ ...origin, type: 'user.deleted', data: { userId: `n${n}` } }] })
    }
    expect(make(again(5, 12))).toEqual({
      facts: [],
      refused: { status: 429, message: 'A link was sent already: another one can be sent in 24 h' },
    })
    expect(
      make({ ...again(5, 12), data: { ...again(5, 12).data, email: 'other@indus.example' } }).facts,
    ).toHaveLength(2)
    expect(make(again(5, 7 + day)).facts).toHaveLength(2)
  })

  test('of one company are a thousand links a day, and take none from the next', () => {
    const world = given(
      ...twoCompanies,
      ...Array.from({ length: 1000 }, (_, n): NewFact[] => [
        { ...origin, type: 'user.created', data: someone(n) },
        {
          ...origin,
          type: 'link.issued',
          data: { ...link, linkId: `p${n}`, tokenHash: `p${n}`, userId: `p${n}` },
        },
      ]).flat(),
    )
    const make = (groupId: string) =>
      world.when((directory, command: CommandOf<'user.create'>) => createUser(directory, command, groupId), {
        type: 'user.create',
        at: 8,
        by: null,
        data: { ...data, groupId },
      })
    expect(make('indus').refused?.status).toBe(429)
    expect(make('karakoram').facts).toHaveLength(2)
  })

  test.each([
    ['above', 'indus', 'punjab'],
    ['of another company', 'karakoram', 'indus'],
    ['that is not there', 'nowhere', 'indus'],
  ])('in a group %s is not found', (_, groupId, topId) =>
    expect(create({ groupId }, topId)).toEqual(NOT_FOUND),
  )
})

const person = {
  userId: 'u2',
  firstName: 'danish',
  lastName: 'Malik',
  phone: '03001234567',
  groupId: 'punjab',
  ifVersion: null,
}
const update = (
  changes: Partial<CommandOf<'user.update'>['data']>,
  {
    topId = 'indus',
    by = 'u1',
    facts = twoCompanies,
  }: { topId?: string; by?: string; facts?: NewFact[] } = {},
) =>
  given(...facts).when(
    (directory, command: CommandOf<'user.update'>) => updateUser(directory, command, topId),
    {
      type: 'user.update',
      at: 7,
      by,
      data: { ...person, ...changes },
    },
  )

describe('changing a user', () => {
  test('tells what is another now, and nothing else', () => {
    expect(update({ firstName: 'Danish ', phone: '923007654321' })).toEqual({
      facts: [
        {
          ...origin,
          type: 'user.updated',
          data: { userId: 'u2', firstName: 'Danish', phone: '03007654321' },
        },
      ],
    })
    expect(update({})).toEqual({ facts: [] })
  })

  test('moves others, not oneself', () => {
    expect(update({ groupId: 'lahore' }).facts).toHaveLength(1)
    expect(update({ groupId: 'lahore' }, { by: 'u2', topId: 'punjab' }).refused).toEqual({
      status: 409,
      message: 'You cannot move yourself to another group',
    })
    expect(update({ firstName: 'Dan' }, { by: 'u2', topId: 'punjab' }).facts).toHaveLength(1)
  })

  test.each([
    ['someone above', { userId: 'u1', groupId: 'indus' }, 'punjab'],
    ['someone of another company', { userId: 'u3', groupId: 'karakoram' }, 'indus'],
    ['a group above', { groupId: 'indus' }, 'punjab'],
    ['a group of another company', { groupId: 'karakoram' }, 'indus'],
  ])('%s is not found', (_, changes, topId) => expect(update(changes, { topId })).toEqual(NOT_FOUND))

  test('is refused to who saw an older one; settings are another matter', () => {
    const renamed: NewFact = { ...origin, type: 'user.updated', data: { userId: 'u2', firstName: 'D' } }
    const switches = {
      LOW_TEMPERATURE_DETECTED: true,
      LOW_HUMIDITY_DETECTED: true,
      HIGH_TEMPERATURE_DETECTED: true,
      HIGH_HUMIDITY_DETECTED: false,
    }
    const settings: NewFact = {
      ...origin,
      type: 'user.alerts-set',
      data: { userId: 'u2', sms: switches, email: switches },
    }
    const ifVersion = `${given(...twoCompanies).directory.users.get('u2')?.version}.0`
    const status = (facts: NewFact[]) => update({ ifVersion, firstName: 'X' }, { facts }).refused?.status
    expect([twoCompanies, [...twoCompanies, renamed], [...twoCompanies, settings]].map(status)).toEqual([
      undefined,
      412,
      undefined,
    ])
    const moved: NewFact = { ...origin, type: 'user.updated', data: { userId: 'u2', groupId: 'indus' } }
    const deleted: NewFact = { ...origin, type: 'group.deleted', data: { groupId: 'punjab' } }
    expect(status([...twoCompanies, moved, deleted])).toBe(412)
  })
})

describe('deleting a user', () => {
  const signedIn = (userId: string, sessionId: string): NewFact => ({
    ...origin,
    type: 'user.signed-in',
    data: { userId, sessionId, refreshHash: 'h', expiresAt: 99 },
  })
  const remove = (userId: string, topId = 'indus', by = 'u1') =>
    given(...twoCompanies, signedIn('u2', 's1'), signedIn('u2', 's2')).when(
      (directory, command: CommandOf<'user.delete'>) => deleteUser(directory, command, topId),
      { type: 'user.delete', at: 7, by, data: { userId } },
    )

  test('ends all their sessions', () => {
    const ended = (sessionId: string) => ({
      ...origin,
      type: 'session.ended',
      data: { userId: 'u2', sessionId, reason: 'remote' },
    })
    expect(remove('u2')).toEqual({
      facts: [ended('s1'), ended('s2'), { ...origin, type: 'user.deleted', data: { userId: 'u2' } }],
    })
  })

  test('is not for oneself', () => {
    expect(remove('u2', 'punjab', 'u2').refused).toEqual({
      status: 409,
      message: 'You cannot delete yourself',
    })
  })

  test.each([
    ['u1', 'punjab'],
    ['u3', 'indus'],
    ['u99', 'indus'],
  ])('%s is not found from %s', (userId, topId) => expect(remove(userId, topId, 'x')).toEqual(NOT_FOUND))
})

import { describe, expect, test } from 'vitest'
import type { Fact, NewFact } from '../contracts/facts.ts'
import {
  deviceByImei,
  devicesWithin,
  emptyDirectory,
  evolve,
  groupsWithin,
  isWithin,
  userByLogin,
} from './directory.ts'

const thresholds = {
  lowTemperatureThreshold: 2,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 20,
  highHumidityThreshold: 80,
}
const group = (groupId: string, parentId: string | null): NewFact => ({
  type: 'group.created',
  at: 1,
  companyId: 'c',
  data: { groupId, companyId: 'c', parentId, name: groupId, description: '', ...thresholds },
})
const device = (deviceNo: number, groupId: string | null): NewFact => ({
  type: 'device.registered',
  at: 1,
  companyId: 'c',
  data: {
    no: deviceNo,
    imei: String(350000000000000 + deviceNo),
    companyId: 'c',
    groupId,
    name: `Truck ${deviceNo}`,
    plateNumber: `LES-${deviceNo}`,
    vehicleMakeAndModel: 'Hino 500',
    type: 'vehicle',
    source: 'world',
  },
})
const user: NewFact = {
  type: 'user.created',
  at: 1,
  companyId: 'c',
  data: {
    userId: 'u',
    companyId: 'c',
    groupId: 'top',
    firstName: 'Amna',
    lastName: 'Khan',
    userName: 'amna',
    email: 'Amna@indus.example',
    phone: '03001234567',
    type: 'Manager',
    role: 'Manager',
  },
}

const given = (...facts: NewFact[]) =>
  facts.reduce(
    (directory, fact, i) =>
      evolve(directory, { ...fact, seq: i + 1, id: `f${i}`, v: 1, recordedAt: 1 } as Fact),
    emptyDirectory(),
  )

const tree = [group('top', null), group('punjab', 'top'), group('lahore', 'punjab'), group('sindh', 'top')]

describe('the tree of groups', () => {
  test('a group holds itself and all below, parents first', () => {
    const directory = given(...tree)
    expect(groupsWithin(directory, 'top').map((g) => g._id)).toEqual(['top', 'punjab', 'sindh', 'lahore'])
    expect(groupsWithin(directory, 'nowhere')).toEqual([])
  })

  test('visibility goes down, never up or sideways', () => {
    const directory = given(...tree)
    expect(isWithin(directory, 'lahore', 'punjab')).toBe(true)
    expect(isWithin(directory, 'punjab', 'lahore')).toBe(false)
    expect(isWithin(directory, 'sindh', 'punjab')).toBe(false)
    expect(isWithin(directory, null, 'top')).toBe(false)
  })

  test('a moved group takes what is below with it', () => {
    const directory = given(...tree, device(0, 'lahore'), {
      type: 'group.updated',
      at: 2,
      companyId: 'c',
      data: { groupId: 'punjab', parentId: 'sindh' },
    })
    expect([...devicesWithin(directory, 'sindh')]).toEqual([0])
    expect(directory.groups.get('top')?.child).toEqual(['sindh'])
  })
})

describe('devices', () => {
  test('are found by imei and counted in every group above', () => {
    const directory = given(...tree, device(0, 'lahore'), device(1, 'sindh'), device(2, null))
    expect(deviceByImei(directory, '350000000000001')?.name).toBe('Truck 1')
    expect([...devicesWithin(directory, 'top')]).toEqual([0, 1])
    expect([...devicesWithin(directory, 'punjab')]).toEqual([0])
  })

  test('renaming and moving keep everything else', () => {
    const directory = given(...tree, device(0, 'lahore'), {
      type: 'device.updated',
      at: 2,
      companyId: 'c',
      data: { imei: '350000000000000', name: 'Milk 1', groupId: 'sindh' },
    })
    expect(directory.devices[0]).toMatchObject({ name: 'Milk 1', groupId: 'sindh', plateNumber: 'LES-0' })
    expect([...devicesWithin(directory, 'punjab')]).toEqual([])
    expect([...devicesWithin(directory, 'sindh')]).toEqual([0])
  })
})

describe('users', () => {
  test('sign in with e-mail address or user name, whatever the case', () => {
    const directory = given(...tree, user)
    expect(userByLogin(directory, ' amna@INDUS.example ')?._id).toBe('u')
    expect(userByLogin(directory, 'Amna')?._id).toBe('u')
    expect(userByLogin(directory, 'nobody')).toBeUndefined()
  })

  test('a new password ends the demand for one', () => {
    const directory = given(
      ...tree,
      user,
      { type: 'user.reset-required', at: 2, companyId: 'c', data: { userId: 'u' } },
      { type: 'user.password-set', at: 3, companyId: 'c', data: { userId: 'u', hash: 'h' } },
    )
    expect(directory.users.get('u')).toMatchObject({ resetRequired: false, passwordHash: 'h' })
  })

  test('of many exchanged refresh tokens the last thousand are remembered', () => {
    const session = { userId: 'u', sessionId: 's', expiresAt: 100 }
    const of = (type: 'user.signed-in' | 'session.refreshed', n: number): NewFact => ({
      type,
      at: 1,
      companyId: 'c',
      data: { ...session, refreshHash: `token-${n}` },
    })
    const refreshed = Array.from({ length: 1500 }, (_, n) => of('session.refreshed', n + 1))
    const directory = given(user, of('user.signed-in', 0), ...refreshed)
    const spent = [...(directory.users.get('u')?.sessions.get('s')?.spent ?? [])]
    expect([spent.length, spent[0], spent.at(-1)]).toEqual([1000, 'token-500', 'token-1499'])
  })

  test('an exchanged refresh token is remembered as spent', () => {
    const session = { userId: 'u', sessionId: 's', expiresAt: 100 }
    const directory = given(
      ...tree,
      user,
      { type: 'user.signed-in', at: 1, companyId: 'c', data: { ...session, refreshHash: 'one' } },
      { type: 'session.refreshed', at: 2, companyId: 'c', data: { ...session, refreshHash: 'two' } },
    )
    expect(directory.users.get('u')?.sessions.get('s')).toMatchObject({
      refreshHash: 'two',
      spent: new Set(['one']),
      exchangedAt: 2,
    })
  })

  test('a refresh that exchanges nothing leaves when the last one was', () => {
    const session = { userId: 'u', sessionId: 's', refreshHash: 'one', expiresAt: 100 }
    const directory = given(
      user,
      { type: 'user.signed-in', at: 1, companyId: 'c', data: session },
      { type: 'session.refreshed', at: 2, companyId: 'c', data: { ...session, expiresAt: 200 } },
    )
    expect(directory.users.get('u')?.sessions.get('s')).toMatchObject({ expiresAt: 200, exchangedAt: 0 })
  })

  test('a session in another company is one of the user, and says where it speaks for', () => {
    const session = { userId: 'u', sessionId: 's', refreshHash: 'one', expiresAt: 100 }
    const directory = given(user, {
      type: 'session.handed-off',
      at: 1,
      companyId: 'other',
      data: { ...session, companyId: 'other', groupId: 'other-top' },
    })
    const { companyId, sessions } = directory.users.get('u') ?? {}
    expect(companyId).toBe('c')
    expect(sessions?.get('s')?.handoff).toEqual({ companyId: 'other', groupId: 'other-top' })
  })

  test('who is deleted takes their links with them', () => {
    const link = { linkId: 'l', userId: 'u', purpose: 'activation' as const, tokenHash: 't', codeHash: null }
    const directory = given(
      user,
      { type: 'link.issued', at: 1, companyId: 'c', data: { ...link, expiresAt: 9 } },
      { type: 'user.deleted', at: 2, companyId: 'c', data: { userId: 'u' } },
    )
    expect([directory.links.byToken.size, directory.links.ofUser.size]).toEqual([0, 0])
  })
})

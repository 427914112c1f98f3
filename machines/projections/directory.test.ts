import { describe, expect, test } from 'vitest'
import type { Fact, NewFact } from '../contracts/facts.ts'
import {
  deviceByImei,
  deviceOfFact,
  devicesWithin,
  emptyDirectory,
  evolve,
  groupsWithin,
  isWithin,
  userByLogin,
} from './directory.ts'
import { membersOf } from './report-members.ts'
import type { ReportRecord } from './reports.ts'

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
type Registered = NewFact & { type: 'device.registered' }
const device = (deviceNo: number, groupId: string | null, companyId = 'c'): Registered => ({
  type: 'device.registered',
  at: 1,
  companyId,
  data: {
    no: deviceNo,
    imei: String(350000000000000 + deviceNo),
    companyId,
    groupId,
    name: `Truck ${deviceNo}`,
    plateNumber: `LES-${deviceNo}`,
    vehicleMakeAndModel: 'Hino 500',
    type: 'vehicle',
    source: 'world',
  },
})
const withImei = (fact: Registered, imei: string): Registered => ({ ...fact, data: { ...fact.data, imei } })
const OTHER = '350000000000107'
const LOAD = {
  ...{ loadId: 'l1', profileId: 'medicines', version: 0, reference: 'INV-1', userName: 'Amna' },
}
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

describe('an IMEI that goes from device to device', () => {
  const IMEI = '350000000000000'
  /** Device 0 is retired as the 5th fact, device 1 takes its IMEI as the 6th, another company's device 2 as the 8th. */
  const directory = given(
    group('top', null),
    group('sindh', 'top'),
    device(0, 'top'),
    { type: 'load.opened', at: 1, companyId: 'c', data: { ...LOAD, imei: IMEI } },
    { type: 'device.retired', at: 2, companyId: 'c', data: { no: 0, imei: IMEI } },
    withImei(device(1, 'sindh'), IMEI),
    { type: 'device.tracker-replaced', at: 3, companyId: 'c', data: { no: 1, before: IMEI, after: OTHER } },
    withImei(device(2, null, 'd'), IMEI),
  )
  const deviceNoOf = (seq: number, companyId: string, more: Partial<Fact> = {}) =>
    deviceOfFact(directory, {
      ...{ type: 'sensor.unplugged', seq, companyId, data: { imei: IMEI } },
      ...more,
    } as unknown as Fact)?.no

  test('is now of the last that took it, and a tracker that was replaced is found by both', () => {
    expect(deviceByImei(directory, IMEI)?.no).toBe(2)
    expect(deviceByImei(directory, OTHER)?.no).toBe(1)
  })

  test('was of each when facts were told of it, by their place in the record and their company', () => {
    expect([deviceNoOf(3, 'c'), deviceNoOf(5, 'c'), deviceNoOf(6, 'c'), deviceNoOf(7, 'c')]).toEqual([
      0, 0, 1, 1,
    ])
    expect([deviceNoOf(8, 'd'), deviceNoOf(99, 'd')]).toEqual([2, 2])
    // the evaluation is behind the record: what it tells of the device before is stored after the next has it
    expect(deviceNoOf(9, 'c')).toBe(1)
    expect([deviceNoOf(3, 'd'), deviceNoOf(9, 'nobody')]).toEqual([undefined, undefined])
  })

  test('is that of the device a notification tells of when people do something about it later', () => {
    const comment = { type: 'notification.commented', data: { imei: IMEI, notificationId: 'f4' } }
    expect(deviceNoOf(9, 'c', comment as unknown as Fact)).toBe(0)
  })

  test('says nothing of loads, which stay with their device', () => {
    const exhausted = { type: 'load.exhausted', data: { imei: IMEI, loadId: LOAD.loadId } }
    expect(deviceNoOf(9, 'c', exhausted as unknown as Fact)).toBe(0)
  })

  test('leaves a report with the devices it was asked for, in all its versions', () => {
    const request = (reportId: string, firstId?: string): NewFact =>
      ({
        ...{ type: 'report.requested', at: 1, companyId: 'c' },
        data: { reportId, things: [IMEI], groups: [], ...(firstId && { firstId, version: 2 }) },
      }) as unknown as NewFact
    const after = given(
      group('top', null),
      device(0, 'top'),
      request('r1'),
      { type: 'device.retired', at: 2, companyId: 'c', data: { no: 0, imei: IMEI } },
      withImei(device(1, 'top'), IMEI),
      request('r2', 'r1'),
      request('r3'),
    )
    expect([...after.reports.values()].map(({ devices }) => devices)).toEqual([[0], [0], [1]])
    const [first] = after.reports.values()
    const isOf = membersOf(after, first as ReportRecord)
    expect([isOf(0), isOf(1)]).toEqual([true, false])
  })
})

describe('users', () => {
  test('sign in with e-mail address or user name, whatever the case', () => {
    const directory = given(...tree, user)
    expect(userByLogin(directory, ' amna@INDUS.example ')?._id).toBe('u')
    expect(userByLogin(directory, 'Amna')?._id).toBe('u')
    expect(userByLogin(directory, 'nobody')).toBeUndefined()
  })

  test('of one mailbox sign in one after the other, as those before them are deleted', () => {
    const second: NewFact = {
      ...user,
      data: { ...user.data, userId: 'v', userName: 'amna.khan', email: 'amna@indus.example' },
    }
    const gone = (userId: string): NewFact => ({
      ...{ type: 'user.deleted', at: 2, companyId: 'c', data: { userId } },
    })
    const first = given(...tree, user, second)
    expect(userByLogin(first, 'amna@indus.example')?._id).toBe('u')
    const after = given(...tree, user, second, gone('u'))
    expect([userByLogin(after, 'amna@indus.example')?._id, userByLogin(after, 'amna')]).toEqual([
      'v',
      undefined,
    ])
    const back = given(...tree, user, second, gone('v'))
    expect(userByLogin(back, 'amna@indus.example')?._id).toBe('u')
    const nobody = given(...tree, user, second, gone('u'), gone('v'))
    expect([nobody.logins.size, nobody.namesakes.size]).toEqual([0, 0])
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

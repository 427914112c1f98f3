import { expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { ADMINISTRATION } from '#machines/projections/administrators.ts'
import { devicesWithin, senderRefusal } from '#machines/projections/directory.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { type Registrar, registerDevices, replaceTracker, retireDevice } from './register-devices.ts'
import { updateDevice } from './update-device.ts'

const admin: Registrar = { userId: 'u0', companyId: 'indus', topId: 'indus', isSuperAdmin: true }
const manager: Registrar = { ...admin, userId: 'u1', isSuperAdmin: false }
const IMEI = '350000000000001'
const FREE = '490154203237518'

const retired: NewFact = {
  type: 'device.retired',
  at: 5,
  companyId: 'indus',
  by: 'u0',
  data: { no: 1, imei: IMEI },
}
const replaced: NewFact = {
  type: 'device.tracker-replaced',
  at: 5,
  companyId: 'indus',
  by: 'u0',
  data: { no: 1, before: IMEI, after: FREE },
}

const register = (imeis: string[], who = admin, more: NewFact[] = [], rest = {}) =>
  given(...twoCompanies, ...more).when(
    (directory, command: Parameters<typeof registerDevices>[1]) => registerDevices(directory, command, who),
    {
      type: 'device.register',
      at: 7,
      by: who.userId,
      data: {
        devices: imeis.map((imei) => ({
          imei,
          name: ` Reefer ${imei.slice(-1)} `,
          plateNumber: 'LES-9',
          vehicleMakeAndModel: 'Hino',
          type: 'vehicle' as const,
          ...rest,
        })),
        source: 'tracker',
        skipKnown: false,
      },
    },
  )
const replace = (imei: string, newImei: string, who = admin, more: NewFact[] = []) =>
  given(...twoCompanies, ...more).when(
    (directory, command: Parameters<typeof replaceTracker>[1]) => replaceTracker(directory, command, who),
    { type: 'device.replace-tracker', at: 7, by: who.userId, data: { imei, newImei } },
  )
const retire = (imei: string, who = admin, more: NewFact[] = []) =>
  given(...twoCompanies, ...more).when(
    (directory, command: Parameters<typeof retireDevice>[1]) => retireDevice(directory, command, who),
    { type: 'device.retire', at: 7, by: who.userId, data: { imei, reason: ' sold ' } },
  )

test('a device is registered with the next number, in the group of whoever adds it', () => {
  expect(register([FREE])).toEqual({
    facts: [
      {
        type: 'device.registered',
        at: 7,
        companyId: 'indus',
        by: 'u0',
        data: {
          no: 5,
          imei: FREE,
          companyId: 'indus',
          groupId: 'indus',
          name: 'Reefer 8',
          plateNumber: 'LES-9',
          vehicleMakeAndModel: 'Hino',
          type: 'vehicle',
          source: 'tracker',
        },
      },
    ],
  })
})

test('several are registered together, or none', () => {
  expect(register([FREE, '490154203237519']).facts.map(({ data }) => 'no' in data && data.no)).toEqual([5, 6])
  const { facts, refused } = register([FREE, '350000000000000'])
  expect(facts).toEqual([])
  expect(refused).toMatchObject({ status: 422, extra: { path: 'devices.1.imei' } })
})

test.each<[string, string[], Registrar, object, number, RegExp]>([
  ['a manager where the company does not allow it', [FREE], manager, {}, 403, /super admin/],
  [
    'an administrator who is in no company',
    [FREE],
    { ...admin, companyId: ADMINISTRATION, topId: ADMINISTRATION },
    {},
    403,
    /enter one first/,
  ],
  ['a group out of scope', [FREE], admin, { groupId: 'karakoram' }, 404, /Not found/],
  ['a device there is', [IMEI], admin, {}, 422, /already: Reefer 1/],
  ['a device of another company', ['350000000000004'], admin, {}, 422, /already, in karakoram/],
])('%s is refused', (_, imeis, who, rest, status, message) => {
  expect(register(imeis, who, [], rest).refused).toMatchObject({
    status,
    message: expect.stringMatching(message),
  })
})

test('a replaced tracker: the device keeps its number, the old IMEI leads to it and sends no more', () => {
  const decision = replace(IMEI, FREE)
  expect(decision.facts).toEqual([{ ...replaced, at: 7 }])
  const { directory } = given(...twoCompanies, replaced)
  expect(directory.devices[1]).toMatchObject({ no: 1, imei: FREE, groupId: 'punjab' })
  expect(directory.numbers.get(IMEI)).toBe(1)
  expect(senderRefusal(directory, IMEI)).toBe('tracker was replaced')
  expect(senderRefusal(directory, FREE)).toBeUndefined()
})

test('the tracker it had before may come back', () => {
  expect(replace(FREE, IMEI, admin, [replaced]).facts).toEqual([
    { ...replaced, at: 7, data: { no: 1, before: FREE, after: IMEI } },
  ])
})

test.each<[string, string, string, Registrar, number]>([
  ['with a tracker of another device', IMEI, '350000000000002', admin, 422],
  ['with one of another company', IMEI, '350000000000004', admin, 422],
  ['of a device nobody has', FREE, FREE, admin, 404],
  ['of a device out of scope', '350000000000004', FREE, admin, 404],
  ['by a manager where the company does not allow it', IMEI, FREE, manager, 403],
])('a replacement %s is refused', (_, imei, newImei, who, status) => {
  expect(replace(imei, newImei, who).refused?.status).toBe(status)
})

test('a retired device is in no list, keeps its group, and its readings are refused', () => {
  expect(retire(IMEI).facts).toEqual([{ ...retired, at: 7, data: { no: 1, imei: IMEI, reason: 'sold' } }])
  const { directory } = given(...twoCompanies, retired)
  expect([...devicesWithin(directory, 'punjab')]).toEqual([2])
  expect(directory.devices[1]).toMatchObject({ groupId: 'punjab', retired: 5 })
  expect(senderRefusal(directory, IMEI)).toBe('device is retired')
  expect(retire(IMEI, admin, [retired])).toEqual({ facts: [] })
  expect(replace(IMEI, FREE, admin, [retired]).refused?.status).toBe(409)
})

test('what a retired device did is found above when its group is deleted', () => {
  const { directory } = given(...twoCompanies, retired, {
    type: 'group.deleted',
    at: 6,
    companyId: 'indus',
    data: { groupId: 'punjab' },
  })
  expect(directory.devices[1]?.groupId).toBe('indus')
})

test('a retired device is neither renamed nor moved back', () => {
  const { refused } = given(...twoCompanies, retired).when(
    (directory, command: Parameters<typeof updateDevice>[1]) => updateDevice(directory, command, 'indus'),
    { type: 'device.update', at: 7, by: 'u1', data: { imei: IMEI, name: 'x', ifVersion: null } },
  )
  expect(refused?.status).toBe(409)
})

test('only a super admin takes a retired IMEI in again, as a device of its own', () => {
  expect(register([IMEI], admin, [retired]).facts.map(({ data }) => 'no' in data && data.no)).toEqual([5])
  const allowed = { ...manager }
  const settings: NewFact[] = [retired]
  const { directory } = given(...twoCompanies, ...settings)
  Object.assign(directory.companies.get('indus') ?? {}, { managersAddDevices: true })
  const { refused } = registerDevices(
    directory,
    {
      type: 'device.register',
      at: 7,
      by: 'u1',
      data: {
        devices: [{ imei: IMEI, name: 'A', plateNumber: '', vehicleMakeAndModel: '', type: 'vehicle' }],
        source: 'tracker',
        skipKnown: false,
      },
    },
    allowed,
  )
  expect(refused).toMatchObject({ status: 422, message: expect.stringMatching(/only a super admin/) })
})

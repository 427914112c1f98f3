import { expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { deviceByImei } from '#machines/projections/directory.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { updateDevice } from './update-device.ts'

const update = (
  data: { imei: string; name?: string; groupId?: string; ifVersion?: string },
  topId: string,
  facts: readonly NewFact[] = [],
) =>
  given(...twoCompanies, ...facts).when(
    (directory, command: Parameters<typeof updateDevice>[1]) => updateDevice(directory, command, topId),
    { type: 'device.update', at: 7, by: 'u2', data: { ifVersion: null, ...data } },
  )

test('a device gets a new name and another group in one fact', () => {
  expect(update({ imei: '350000000000001', name: ' Chiller ', groupId: 'lahore' }, 'punjab')).toEqual({
    facts: [
      {
        type: 'device.updated',
        at: 7,
        companyId: 'indus',
        by: 'u2',
        data: { imei: '350000000000001', name: 'Chiller', groupId: 'lahore' },
      },
    ],
  })
})

test('what is as it was makes no fact', () => {
  expect(update({ imei: '350000000000001', name: 'Reefer 1', groupId: 'punjab' }, 'punjab')).toEqual({
    facts: [],
  })
})

test.each([
  ['a device nobody has', { imei: '359999999999999' }, 'indus'],
  ['a device of a sister group', { imei: '350000000000003', name: 'x' }, 'punjab'],
  ['a device of the group above', { imei: '350000000000000', name: 'x' }, 'punjab'],
  ['a device of another company', { imei: '350000000000004', name: 'x' }, 'indus'],
  ['a group above the own', { imei: '350000000000001', groupId: 'indus' }, 'punjab'],
  ['a group of another company', { imei: '350000000000001', groupId: 'karakoram' }, 'indus'],
  ['a group nobody has', { imei: '350000000000001', groupId: 'nowhere' }, 'indus'],
])('%s is not found', (_, data, topId) => {
  expect(update(data, topId)).toEqual({ facts: [], refused: { status: 404, message: 'Not found' } })
})

test('to who saw an older one a group that is gone meanwhile is a conflict', () => {
  const imei = '350000000000002'
  const seen = deviceByImei(given(...twoCompanies).directory, imei)?.version
  const origin = { at: 6, companyId: 'indus', by: 'u1' }
  const gone: NewFact[] = [
    { ...origin, type: 'device.updated', data: { imei, groupId: 'punjab' } },
    { ...origin, type: 'group.deleted', data: { groupId: 'lahore' } },
  ]
  const change = { imei, name: 'Chiller', groupId: 'lahore' }
  expect(update({ ...change, ifVersion: String(seen) }, 'indus', gone).refused?.status).toBe(412)
  expect(update(change, 'indus', gone).refused?.status).toBe(404)
})

test('a blank name is refused', () => {
  expect(update({ imei: '350000000000001', name: '   ' }, 'punjab').refused?.status).toBe(400)
})

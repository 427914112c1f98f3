import { expect, test } from 'vitest'
import type { CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { moveDevices, stayed } from './move-devices.ts'

const imeiOf = (no: number) => String(350_000_000_000_000 + no)
const RETIRED: NewFact = {
  type: 'device.retired',
  at: 5,
  companyId: 'indus',
  data: { no: 1, imei: imeiOf(1) },
}
const move = (numbers: number[], groupId: string, topId = 'indus', facts = twoCompanies) =>
  given(...facts).when(
    (directory, command: CommandOf<'device.move'>) => moveDevices(directory, command, topId),
    { type: 'device.move', at: 7, by: 'u1', data: { things: numbers.map(imeiOf), groupId } },
  )
const into = (no: number, groupId: string): NewFact => ({
  at: 7,
  companyId: 'indus',
  by: 'u1',
  type: 'device.updated',
  data: { imei: imeiOf(no), groupId },
})

test('several go into a group, each once; what is there already makes no fact', () => {
  expect(move([1, 2, 3, 1], 'sindh')).toEqual({ facts: [into(1, 'sindh'), into(2, 'sindh')] })
})

test('what is retired stays, and is named; the others go', () => {
  const facts = [...twoCompanies, RETIRED]
  expect(move([1, 2], 'sindh', 'indus', facts)).toEqual({ facts: [into(2, 'sindh')] })
  expect(stayed(given(...facts).directory, [imeiOf(1), imeiOf(2), imeiOf(1)])).toEqual([
    { imei: imeiOf(1), message: 'This device is retired' },
  ])
})

test.each([
  ['a device nobody has', [1, 99], 'lahore', 'indus'],
  ['a device of a sister group', [1, 3], 'lahore', 'punjab'],
  ['a device of another company', [1, 4], 'lahore', 'indus'],
  ['a group above the own', [1], 'indus', 'punjab'],
  ['a group of another company', [1], 'karakoram', 'indus'],
  ['a group nobody has', [1], 'nowhere', 'indus'],
])('with %s nothing is moved: it is not found', (_, numbers, groupId, topId) => {
  expect(move(numbers, groupId, topId)).toEqual({
    facts: [],
    refused: { status: 404, message: 'Not found' },
  })
})

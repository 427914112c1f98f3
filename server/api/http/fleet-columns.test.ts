import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { decodeFleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import { type Device, type Directory, emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { emptyLatest } from '#machines/projections/latest.ts'
import { twoCompanies } from '../../commands/testing/company-facts.ts'
import { group } from '../../testing/facts.ts'
import { createFleetColumns, type FleetColumns } from './fleet-columns.ts'

let directory: Directory
let columns: FleetColumns
let looked: number
let head: number
beforeEach(() => {
  directory = emptyDirectory()
  head = 0
  for (const fact of twoCompanies) happens(fact)
  looked = 0
  for (const device of directory.devices) {
    const { plateNumber } = device
    Object.defineProperty(device, 'plateNumber', {
      get() {
        looked++
        return plateNumber
      },
    })
  }
  columns = createFleetColumns(directory, emptyLatest())
})

function happens(fact: NewFact): void {
  head++
  evolve(directory, { ...fact, seq: head, id: `f${head}`, v: 1, recordedAt: 0 })
}

const updated = (data: { imei: string; name: string; groupId?: string }): NewFact => ({
  type: 'device.updated',
  at: 0,
  companyId: 'indus',
  data,
})

const bytesOf = (from: FleetColumns, groupId = 'indus') => Buffer.from(from.of(groupId, head, 2))

test('who asks for a warm group waits for no name', async () => {
  await columns.warm(['indus'])
  expect(looked).toBeGreaterThan(0)
  looked = 0
  const { device } = decodeFleetSnapshot(columns.of('indus', 1, 2).slice().buffer as ArrayBuffer)
  expect(device.length).toBeGreaterThan(0)
  expect(looked).toBe(0)
  columns.of('karakoram', 1, 2)
  expect(looked).toBeGreaterThan(0)
  expect(columns.known().sort()).toEqual(['indus', 'karakoram'])
})

test('a group that is gone is passed over', async () => {
  await columns.warm(['nobody', 'indus'])
  expect(columns.known()).toEqual(['indus'])
})

test('after renames and moves a fleet is as one gathered anew', () => {
  const imeis = directory.devices.map(({ imei }) => imei)
  const groupIds = [...directory.groups.keys()]
  const changes = fc.array(
    fc.record({
      imei: fc.constantFrom(...imeis),
      name: fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constant('')),
      groupId: fc.option(fc.constantFrom(...groupIds), { nil: undefined, freq: 5 }),
      isRequestedFor: fc.boolean(),
    }),
    { minLength: 1, maxLength: 12 },
  )
  fc.assert(
    fc.property(changes, fc.constantFrom(...groupIds), (all, groupId) => {
      for (const { isRequestedFor, groupId: to, ...renamed } of all) {
        happens(updated({ ...renamed, ...(to && { groupId: to }) }))
        if (isRequestedFor) bytesOf(columns, groupId)
      }
      expect(bytesOf(columns, groupId)).toEqual(
        bytesOf(createFleetColumns(directory, emptyLatest()), groupId),
      )
    }),
  )
})

test('when one was renamed, that one is looked at again and no other', async () => {
  await columns.warm(['indus'])
  looked = 0
  const { imei } = directory.devices[3] as Device
  happens(updated({ imei, name: 'Renamed' }))
  expect(bytesOf(columns).includes('Renamed')).toBe(true)
  expect(looked).toBe(1)
})

test('a group that came is told, though no device is in it', async () => {
  await columns.warm(['indus'])
  happens(group('multan', 'indus', 'indus'))
  expect(bytesOf(columns).includes('"_id":"multan"')).toBe(true)
})

test('each name is where it is said to be, whatever letters it has, halves of them at two ends too', () => {
  const names = ['Truck 1', 'ٹرک ۲', 'é\u0301 🚚', '\ude9a half \ud83d']
  const [first] = directory.devices
  const devices = names.map(
    (name, no) => ({ ...first, no, name, plateNumber: name }) as typeof first & object,
  )
  const numbers = new Map(devices.map(({ imei, no }) => [imei, no]))
  const named = createFleetColumns({ ...directory, devices, numbers }, emptyLatest())
  const { device, textOffsets, text } = decodeFleetSnapshot(
    named.of('indus', 1, 2).slice().buffer as ArrayBuffer,
  )
  expect([...device]).toEqual(names.map((_, no) => no))
  const utf8 = new TextDecoder()
  device.forEach((no, i) => {
    const texts = [0, 1, 2].map((k) =>
      utf8.decode(text.subarray(textOffsets[3 * i + k], textOffsets[3 * i + k + 1])),
    )
    const { imei, name, plateNumber } = devices[no] as (typeof devices)[number]
    expect(texts).toEqual([imei, name.toWellFormed(), plateNumber.toWellFormed()])
  })
})

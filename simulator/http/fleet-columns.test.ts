import { beforeEach, expect, test } from 'vitest'
import { decodeFleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import { type Directory, emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { emptyLatest } from '#machines/projections/latest.ts'
import { house } from '../commands/testing/house-facts.ts'
import { createFleetColumns, type FleetColumns } from './fleet-columns.ts'

let directory: Directory
let columns: FleetColumns
let looked: number
beforeEach(() => {
  directory = emptyDirectory()
  for (const [i, fact] of house.entries())
    evolve(directory, { ...fact, seq: i + 1, id: `f${i}`, v: 1, recordedAt: 0 })
  looked = 0
  const devices = directory.devices.map((device) => ({
    ...device,
    get plateNumber() {
      looked++
      return device.plateNumber
    },
  }))
  columns = createFleetColumns({ ...directory, devices }, emptyLatest())
})

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

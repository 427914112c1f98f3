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

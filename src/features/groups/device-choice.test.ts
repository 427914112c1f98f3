import { expect, test } from 'vitest'
import { createFleet } from '../../read-model/fleet.ts'
import { createSearchIndex } from '../../read-model/search-index.ts'
import { imeiOf, plainDevice, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import { deviceChanges, deviceOptions, deviceRows } from './device-choice.ts'

function fleetOf(size: number) {
  const fleet = createFleet((call) => call())
  fleet.load(
    snapshotOf(
      1,
      Array.from({ length: size }, (_, no) => plainDevice(no, { name: `Reefer ${no}` })),
    ),
  )
  return { fleet, search: createSearchIndex(fleet.names) }
}

test('those chosen stand first, then the rest', () => {
  const { fleet, search } = fleetOf(5)
  const chosen = new Set([imeiOf(3), 'unknown'])
  expect([...deviceRows(fleet, search, { query: '', scope: 'all', chosen })]).toEqual([3, 0, 1, 2, 4])
  expect([...deviceRows(fleet, search, { query: '', scope: 'chosen', chosen })]).toEqual([3])
})

test('a search goes through all of a large fleet, or through those chosen', () => {
  const { fleet, search } = fleetOf(3000)
  const chosen = new Set([imeiOf(2999)])
  const found = deviceRows(fleet, search, { query: 'reefer 2999', scope: 'all', chosen })
  expect(deviceOptions(fleet, found).at(0)).toMatchObject({ id: imeiOf(2999), text: 'Reefer 2999' })
  expect(deviceRows(fleet, search, { query: 'reefer', scope: 'all', chosen }).length).toBe(3000)
  expect([...deviceRows(fleet, search, { query: 'reefer', scope: 'chosen', chosen })]).toEqual([2999])
})

test('counts what came and what went', () => {
  expect(deviceChanges(['1', '2', '3'], new Set(['2', '3', '4', '5']))).toEqual({ added: 2, removed: 1 })
  expect(deviceChanges([], new Set())).toEqual({ added: 0, removed: 0 })
})

import { expect, test } from 'vitest'
import { createFleet } from '../read-model/fleet.ts'
import { createSearchIndex } from '../read-model/search-index.ts'
import {
  imeiOf,
  type PlainDevice,
  plainDevice,
  plainGroup,
  snapshotOf,
} from '../read-model/testing/make-fleet.ts'
import { deviceOptions, deviceRows, imeisOf, inScope, maskOf } from './device-options.ts'

const GROUPS = [plainGroup('top'), plainGroup('north', 'top')]

function fleetOf(size: number, given: (deviceNo: number) => Partial<PlainDevice> = () => ({})) {
  const fleet = createFleet((call) => call())
  const devices = Array.from({ length: size }, (_, deviceNo) =>
    plainDevice(deviceNo, { name: `Reefer ${deviceNo}`, ...given(deviceNo) }),
  )
  fleet.load(snapshotOf(1, devices, GROUPS))
  return { fleet, search: createSearchIndex(fleet.names) }
}

test('those chosen stand first, then the rest; unknown ones are passed over', () => {
  const { fleet, search } = fleetOf(5)
  const first = maskOf(fleet, [imeiOf(3), 'unknown'])
  expect([...deviceRows(fleet, search, '', undefined, first)]).toEqual([3, 0, 1, 2, 4])
})

test('a search goes through all of a large fleet, or through a part of it', () => {
  const { fleet, search } = fleetOf(3000)
  const found = deviceRows(fleet, search, 'reefer 2999')
  expect(deviceOptions(fleet, found).at(0)).toEqual({
    id: imeiOf(2999),
    text: 'Reefer 2999',
    detail: 'LEB-2999 · top',
  })
  expect(deviceRows(fleet, search, 'reefer').length).toBe(3000)
  expect([...deviceRows(fleet, search, 'reefer', (row) => row === 7)]).toEqual([7])
})

test('a scope holds vehicles, warehouses or groups alone', () => {
  const { fleet, search } = fleetOf(6, (deviceNo) => ({ kind: deviceNo % 2, group: deviceNo < 3 ? 0 : 1 }))
  const rows = (scope: Parameters<typeof inScope>[1]) => [
    ...deviceRows(fleet, search, '', inScope(fleet, scope)),
  ]
  expect(rows({ kind: 'vehicle' })).toEqual([0, 2, 4])
  expect(rows({ groups: new Set(['north']) })).toEqual([3, 4, 5])
  expect(rows({ kind: 'warehouse', groups: new Set(['north', 'elsewhere']) })).toEqual([3, 5])
  expect(inScope(fleet, {})).toBeUndefined()
  expect(imeisOf(fleet, Uint32Array.of(2))).toEqual([imeiOf(2)])
})

import { expect, test } from 'vitest'
import { ZOOM } from '../../../map/zooms.ts'
import { createFleet } from '../../../read-model/fleet.ts'
import { unitX, unitY } from '../../../read-model/mercator.ts'
import { plainDevice, snapshotOf } from '../../../read-model/testing/make-fleet.ts'
import { boundsOf, liesWithin } from './bounds.ts'
import { CENTRE } from './camera.ts'

const padding = { top: 40, right: 64, bottom: 40, left: 40 }
const camera = { x: unitX(CENTRE.lng), y: unitY(CENTRE.lat), zoom: ZOOM.opened, width: 880, height: 716 }

function boundsAt(...places: [lat: number, lng: number][]) {
  const fleet = createFleet((call) => call())
  fleet.load(
    snapshotOf(
      1,
      places.map(([lat, lng], no) => plainDevice(no, { lat: lat * 1e6, lng: lng * 1e6 })),
    ),
  )
  return (mask?: Uint8Array) => boundsOf(fleet.columns, mask)
}

test('the box around what is shown', () => {
  const bounds = boundsAt([24.9, 67], [31.5, 74.3], [35.9, 74.3])
  expect(bounds()).toMatchObject({
    west: expect.closeTo(unitX(67), 9),
    east: expect.closeTo(unitX(74.3), 9),
  })
  expect(bounds(Uint8Array.of(0, 1, 0))).toMatchObject({
    west: expect.closeTo(unitX(74.3), 9),
    east: expect.closeTo(unitX(74.3), 9),
  })
  expect(bounds(Uint8Array.of(0, 0, 0))).toBeUndefined()
})

test('a device beyond the end of the map lies at its edge', () => {
  const bounds = boundsAt([90, 0], [-90, 0])()
  expect(bounds?.north).toBeCloseTo(0, 6)
  expect(bounds?.south).toBeCloseTo(1, 6)
  // a step further would be the other edge: places go round
  expect(bounds?.north).toBeGreaterThanOrEqual(0)
  expect(bounds?.south).toBeLessThan(1)
})

test('a fleet of Punjab lies in the view of the documents, one from Karachi to Gilgit does not', () => {
  const punjab = boundsAt([30.2, 71.5], [31.5, 72.9])()
  const country = boundsAt([24.9, 67], [35.9, 74.3])()
  expect(punjab && liesWithin(punjab, camera, padding)).toBe(true)
  expect(country && liesWithin(country, camera, padding)).toBe(false)
})

test('what a sheet covers is not in view', () => {
  const south = boundsAt([28.6, 71.5])()
  expect(south && liesWithin(south, camera, padding)).toBe(true)
  // The middle of what is left clear is higher up: the place is under the sheet.
  expect(south && liesWithin(south, camera, { ...padding, bottom: 420 })).toBe(false)
})

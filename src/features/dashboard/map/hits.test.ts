import { expect, test } from 'vitest'
import { createFleet } from '../../../read-model/fleet.ts'
import { unitX, unitY } from '../../../read-model/mercator.ts'
import { frameOf, plainDevice, snapshotOf } from '../../../read-model/testing/make-fleet.ts'
import type { Camera } from './camera.ts'
import { hitAt } from './hits.ts'

const camera: Camera = { x: unitX(74.3), y: unitY(31.5), zoom: 12, width: 800, height: 600 }
/** degrees of longitude, × 1e6, a px at zoom 12 */
const PX = (360 / (512 * 2 ** 12)) * 1e6

function hit(x: number, given: { rows?: Uint32Array; mask?: Uint8Array } = {}) {
  const fleet = createFleet((call) => call())
  const at = { lat: 31.5e6 }
  fleet.load(
    snapshotOf(1, [
      plainDevice(1, { ...at, lng: 74.3e6 }),
      plainDevice(2, { ...at, lng: 74.3e6 + 100 * PX }),
      plainDevice(3, { ...at, lng: 74.3e6 + 103 * PX }),
    ]),
  )
  return hitAt({ columns: fleet.columns, mask: undefined, motion, camera, y: 300, slack: 2, x, ...given })
}
const motion = { now: 2501, perMs: 1, isStill: false }

test('a point is pressed like a mark, and land beside it is land', () => {
  expect(hit(404)).toMatchObject({ kind: 'device', row: 0 })
  expect(hit(410)).toBeUndefined()
})

test('points too near to each other to be told apart are pressed together', () => {
  expect(hit(501)).toMatchObject({ kind: 'several', members: { rows: [1, 2] } })
})

test('only what is asked for and shown is met', () => {
  expect(hit(501, { mask: Uint8Array.of(1, 0, 1) })).toMatchObject({ kind: 'device', row: 2 })
  expect(hit(501, { rows: Uint32Array.of(1) })).toMatchObject({ kind: 'device', row: 1 })
})

test('a device on its way is pressed where it is drawn, and not yet where it goes', () => {
  const fleet = createFleet((call) => call())
  const start = plainDevice(1, { at: 10_000, lat: 31.5e6, lng: 74.3e6 })
  fleet.load(snapshotOf(1, [start]))
  fleet.merge(frameOf(1, 2, [{ ...start, at: 20_000, lng: 74.3e6 + 100 * PX }]), 1)
  const at = (x: number) =>
    hitAt({ columns: fleet.columns, mask: undefined, motion, camera, x, y: 300, slack: 2 })
  expect(at(425)).toMatchObject({ kind: 'device', row: 0, x: expect.closeTo(425, 3) })
  expect([at(400), at(500)]).toEqual([undefined, undefined])
})

import { expect, test } from 'vitest'
import { violationBit } from '#machines/contracts/device-state.ts'
import { createFleet } from '../../../read-model/fleet.ts'
import { frameOf, type PlainDevice, plainDevice, snapshotOf } from '../../../read-model/testing/make-fleet.ts'
import { unitX, unitY } from './camera.ts'
import { createFleetPoints } from './fleet-points.ts'
import { PLACE_STEPS, type Points, STYLE, WORDS } from './points.ts'

const HOT = violationBit('HIGH_TEMPERATURE_DETECTED')
const COLD = violationBit('LOW_TEMPERATURE_DETECTED')
/** of each severity a colour of its own */
const colours = [10, 11, 12, 13, 14, 15, 16, 17]
const motion = { now: 2500, perMs: 1, isStill: false }

function fed(devices: PlainDevice[], mask?: Uint8Array) {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, devices))
  const points = createFleetPoints()
  const feed = () =>
    points.feed({
      columns: fleet.columns,
      mask,
      motion,
      colours,
      singles: Uint32Array.of(0),
      isCrowded: false,
    })
  feed()
  return { fleet, points, feed }
}

/** Points that are drawn, in their order: colour, and place on the unit square. */
const drawn = ({ words, length }: Points) =>
  Array.from({ length }, (_, i) => words.subarray(i * WORDS, (i + 1) * WORDS))
    .filter((point) => point[STYLE] !== 0)
    .map(([x = 0, y = 0, colour = 0]) => ({ x: x / PLACE_STEPS, y: y / PLACE_STEPS, colour }))

test('every device is a point at its place; what is wrong is above the rest, the worst last', () => {
  const { points } = fed([
    plainDevice(1, { state: HOT }),
    plainDevice(2, { lat: 24e6, lng: 67e6 }),
    plainDevice(3, { state: COLD }),
  ])
  const [calm] = drawn(points.calm)
  expect(drawn(points.calm)).toHaveLength(1)
  expect(calm?.x).toBeCloseTo(unitX(67), 9)
  expect(calm?.y).toBeCloseTo(unitY(24), 9)
  expect([...points.troubleRows]).toEqual([2, 0])
  expect(drawn(points.trouble).map(({ colour }) => colour)).toEqual([16, 17])
})

test('what is left out by a mask or has no place is not drawn', () => {
  const devices = [plainDevice(1), plainDevice(2), plainDevice(3, { state: HOT })]
  expect(drawn(fed(devices, Uint8Array.of(0, 1, 0)).points.calm)).toHaveLength(1)
  expect(drawn(fed(devices, Uint8Array.of(0, 1, 0)).points.trouble)).toEqual([])
})

test('the first points are spread over the fleet, and the order is the same each time', () => {
  const devices = Array.from({ length: 400 }, (_, no) => plainDevice(no, { lng: (no / 4) * 1e6 }))
  const places = () => drawn(fed(devices).points.calm).map(({ x }) => x)
  const first = places().slice(0, 100)
  const west = first.filter((x) => x < unitX(50)).length
  expect(west).toBeGreaterThan(30)
  expect(west).toBeLessThan(70)
  expect(places()).toEqual(places())
})

test('a device on its way with room around it is an arrow, and no dot', () => {
  const { points } = fed([
    plainDevice(1, { speed: 40, heading: 90 }),
    plainDevice(2, { speed: 40, heading: 90, lng: 67e6 }),
  ])
  expect(drawn(points.moving).map(({ x }) => x)).toEqual([expect.closeTo(unitX(74), 5)])
  expect(drawn(points.calm).map(({ x }) => x)).toEqual([expect.closeTo(unitX(67), 5)])
})

test('a device is drawn on its way between two readings', () => {
  const start = plainDevice(1, { at: 10_000, lng: 74e6 })
  const { fleet, points, feed } = fed([start])
  fleet.merge(frameOf(1, 2, [{ ...start, at: 20_000, lng: 75e6 }]), 1)
  feed()
  expect(drawn(points.calm)[0]?.x).toBeCloseTo(unitX(74.25), 5)
})

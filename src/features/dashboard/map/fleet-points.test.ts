import fc from 'fast-check'
import { expect, test } from 'vitest'
import { violationBit } from '#machines/contracts/device-state.ts'
import { createFleet } from '../../../read-model/fleet.ts'
import { unitX, unitY } from '../../../read-model/mercator.ts'
import { frameOf, type PlainDevice, plainDevice, snapshotOf } from '../../../read-model/testing/make-fleet.ts'
import { worldPx } from './camera.ts'
import { createFleetPoints, type PointsInput } from './fleet-points.ts'
import { PLACE_STEPS, type Points, SHAPES, WORDS } from './points.ts'

const HOT = violationBit('HIGH_TEMPERATURE_DETECTED')
const COLD = violationBit('LOW_TEMPERATURE_DETECTED')
/** of each severity a colour of its own */
const colours = [10, 11, 12, 13, 14, 15, 16, 17]
const motion = { now: 2500, perMs: 1, isStill: false }

function fed(devices: PlainDevice[], mask?: Uint8Array, others: Partial<PointsInput> = {}) {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, devices))
  const points = createFleetPoints()
  const feed = () =>
    points.feed({
      columns: fleet.columns,
      mask,
      motion,
      colours,
      singles: Uint32Array.of(),
      isCrowded: false,
      zoom: 20,
      isEach: false,
      ...others,
    })
  feed()
  return { fleet, points, feed }
}

/** Points that are drawn, in their order: colour, and place on the unit square. */
const drawn = ({ words, length }: Points) =>
  Array.from({ length }, (_, i) => words.subarray(i * WORDS, (i + 1) * WORDS)).map(
    ([x = 0, y = 0, colour = 0]) => ({ x: x / PLACE_STEPS, y: y / PLACE_STEPS, colour }),
  )

const shapesOf = ({ words, length }: Points) =>
  Array.from({ length }, (_, i) => SHAPES[(words[i * WORDS + 3] as number) & 255])

test('every device is a point at its place; what is wrong is above the rest, the worst last', () => {
  const { points } = fed([
    plainDevice(1, { state: HOT }),
    plainDevice(2, { lat: 24e6, lng: 67e6 }),
    plainDevice(3, { state: COLD }),
  ])
  const [calm] = drawn(points.crowd)
  expect(drawn(points.crowd)).toHaveLength(1)
  expect(calm?.x).toBeCloseTo(unitX(67), 9)
  expect(calm?.y).toBeCloseTo(unitY(24), 9)
  expect([...points.troubleRows]).toEqual([2, 0])
  expect(drawn(points.trouble).map(({ colour }) => colour)).toEqual([16, 17])
})

test('what is left out by a mask or has no place is not drawn', () => {
  const devices = [plainDevice(1), plainDevice(2), plainDevice(3, { state: HOT })]
  expect(drawn(fed(devices, Uint8Array.of(0, 1, 0)).points.crowd)).toHaveLength(1)
  expect(drawn(fed(devices, Uint8Array.of(0, 1, 0)).points.trouble)).toEqual([])
})

test('the first points are spread over the fleet, and the order is the same each time', () => {
  const devices = Array.from({ length: 400 }, (_, no) => plainDevice(no, { lng: (no / 4) * 1e6 }))
  const places = () => drawn(fed(devices).points.crowd).map(({ x }) => x)
  const first = places().slice(0, 100)
  const west = first.filter((x) => x < unitX(50)).length
  expect(west).toBeGreaterThan(30)
  expect(west).toBeLessThan(70)
  expect(places()).toEqual(places())
})

test('with room around it a device is no dot of the crowd, an arrow where it goes', () => {
  const devices = [plainDevice(1, { speed: 40, heading: 90 }), plainDevice(2, { lng: 67e6 }), plainDevice(3)]
  const { points } = fed(devices, undefined, { singles: Uint32Array.of(0, 1) })
  expect(drawn(points.singles).map(({ x }) => x)).toEqual(
    [74, 67].map((lng) => expect.closeTo(unitX(lng), 9)),
  )
  expect(shapesOf(points.singles)).toEqual(['arrow', 'dot'])
  expect(drawn(points.crowd)).toHaveLength(1)
})

test('of those at one place one is drawn, or each; from near they are apart', () => {
  const metre = 9
  const devices = [0, 1, 2].map((no) => plainDevice(no, { lng: 74e6 + no * metre }))
  const at = (others: Partial<PointsInput>) => drawn(fed(devices, undefined, others).points.crowd)
  expect(at({ zoom: 6 })).toHaveLength(1)
  expect(at({ zoom: 6, isEach: true })).toHaveLength(3)
  expect(at({ zoom: 6, isEach: true }).at(-1)).toEqual(at({ zoom: 6 })[0])
  expect(at({ zoom: 20 })).toHaveLength(3)
})

test('what is left out of a crowd changes nothing: it is drawn in the order of all, each place where its last is', () => {
  const devices = Array.from({ length: 500 }, (_, no) => plainDevice(no, { lng: 74e6 + (no % 40) * 50_000 }))
  const each = drawn(fed(devices, undefined, { zoom: 5, isEach: true }).points.crowd)
  const few = drawn(fed(devices, undefined, { zoom: 5 }).points.crowd)
  expect(each).toHaveLength(500)
  expect(few).toEqual(each.filter(({ x }, i) => !each.slice(i + 1).some((above) => above.x === x)))
  expect(few.length).toBeLessThan(41)
})

test('a dot stays within a quarter of a px of its device', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 20, noNaN: true }),
      fc.integer({ min: -179e6, max: 179e6 }),
      (zoom, lng) => {
        const [dot] = drawn(fed([plainDevice(1, { lng })], undefined, { zoom }).points.crowd)
        const px = Math.abs((dot?.x as number) - unitX(lng / 1e6)) * worldPx(zoom + 0.5)
        expect(px).toBeLessThanOrEqual(0.25)
      },
    ),
  )
})

test('a device is drawn on its way between two readings, and it is said as long as it is', () => {
  const start = plainDevice(1, { at: 10_000, lng: 74e6 })
  const others: Partial<PointsInput> = {}
  const { fleet, points, feed } = fed([start], undefined, others)
  expect(points.isOnTheWay).toBe(false)
  fleet.merge(frameOf(1, 2, [{ ...start, at: 20_000, lng: 75e6 }]), 1)
  feed()
  expect(drawn(points.crowd)[0]?.x).toBeCloseTo(unitX(74.25), 5)
  expect(points.isOnTheWay).toBe(true)
  others.motion = { ...motion, now: 20_000 }
  feed()
  expect(drawn(points.crowd)[0]?.x).toBeCloseTo(unitX(75), 5)
  expect(points.isOnTheWay).toBe(false)
})

test('a way too short to be seen is none', () => {
  const start = plainDevice(1, { at: 10_000, lng: 74e6 })
  const { fleet, points, feed } = fed([start], undefined, { zoom: 4 })
  fleet.merge(frameOf(1, 2, [{ ...start, at: 20_000, lng: 74e6 + 1000 }]), 1)
  feed()
  expect(points.isOnTheWay).toBe(false)
})

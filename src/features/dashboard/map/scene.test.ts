import fc from 'fast-check'
import { expect, test } from 'vitest'
import { violationBit } from '#machines/contracts/device-state.ts'
import { clusterBox, clusterFleet } from '../../../read-model/clusters.ts'
import { createFleet, type Fleet } from '../../../read-model/fleet.ts'
import { unitX, unitY } from '../../../read-model/mercator.ts'
import { SEVERITY_OF } from '../../../read-model/severity.ts'
import {
  frameOf,
  imeiOf,
  type PlainDevice,
  plainDevice,
  snapshotOf,
} from '../../../read-model/testing/make-fleet.ts'
import { type Camera, screenX, screenY, viewOf, worldPx } from './camera.ts'
import type { Box } from './labels.ts'
import { membersOf } from './members.ts'
import { buildScene, hitTest, type Mark, picturesOf, type Ring, withinBudget } from './scene.ts'

const LAHORE = { lat: 31.5e6, lng: 74.3e6 }
const camera: Camera = { x: unitX(74.3), y: unitY(31.5), zoom: 12, width: 800, height: 600 }
const still = { now: 1e9, perMs: 1, isStill: false }

function sceneOf(
  devices: PlainDevice[],
  given: {
    camera?: Camera
    selected?: number
    now?: number
    covered?: Box[]
    rings?: ReadonlyMap<number, Ring>
  } = {},
) {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, devices))
  const at = given.camera ?? camera
  const look = () =>
    buildScene({
      columns: fleet.columns,
      clusters: clusterFleet(fleet, clusterBox(viewOf(at))),
      camera: at,
      motion: { ...still, now: given.now ?? still.now },
      troubleRows: rowsInTrouble(fleet),
      selectedRow: given.selected === undefined ? -1 : fleet.names.rowOf(imeiOf(given.selected)),
      rings: given.rings ?? new Map(),
      covered: given.covered ?? [],
    })
  return { fleet, look, ...look() }
}

/** As the points have them: the worst last. */
function rowsInTrouble({ columns }: Fleet): Uint32Array {
  const severity = (row: number) => SEVERITY_OF[columns.state[row] as number] as number
  const rows = Array.from({ length: columns.size }, (_, row) => row).filter((row) => severity(row) > 0)
  return Uint32Array.from(rows.sort((a, b) => severity(a) - severity(b)))
}

/** About 20 px at zoom 12. */
const BESIDE = 4000

test('the camera puts places where the map does', () => {
  expect([screenX(camera, camera.x), screenY(camera, camera.y)]).toEqual([400, 300])
  expect(screenX({ ...camera, x: 0.999, zoom: 5 }, 0.001)).toBeGreaterThan(400)
})

test('devices apart are marks of their own, those together one with its trouble counted, and what is wrong stays seen', () => {
  const { marks } = sceneOf([
    plainDevice(1, LAHORE),
    plainDevice(2, { ...LAHORE, lng: LAHORE.lng + BESIDE, state: violationBit('HIGH_TEMPERATURE_DETECTED') }),
    plainDevice(3, { ...LAHORE, lng: LAHORE.lng + 10 * BESIDE }),
  ])
  const cluster = marks.find((mark) => mark.kind === 'cluster')
  expect(cluster).toMatchObject({ count: 2, trouble: 1 })
  expect(marks.filter((mark) => mark.kind === 'device').map(({ row }) => row)).toEqual([2, 1])
})

test('the worst is painted last, so that nothing lies on it; the selected one above all', () => {
  const devices = [0, 1, 2].map((no) => plainDevice(no, { ...LAHORE, lng: LAHORE.lng + no * 5 * BESIDE }))
  const hot = { ...(devices[0] as PlainDevice), state: violationBit('HIGH_TEMPERATURE_DETECTED') }
  const { marks } = sceneOf([hot, ...devices.slice(1)], { selected: 1 })
  expect(marks.map((mark) => mark.kind === 'device' && mark.row)).toEqual([2, 0, 1])
})

test('a selected device is drawn by itself also where it stands among others, clear of their circle', () => {
  const together = [1, 2, 3].map((no) => plainDevice(no, LAHORE))
  const [circle, selected] = sceneOf(together, { selected: 2 }).marks as [Mark, Mark]
  expect([circle.kind, selected.kind]).toEqual(['cluster', 'device'])
  expect(selected).toMatchObject({ isSelected: true })
  expect(Math.hypot(circle.x - selected.x, circle.y - selected.y)).toBeGreaterThan(circle.radius)
})

test('what is out of sight is not drawn', () => {
  expect(sceneOf([plainDevice(1, { lat: 24.9e6, lng: 67e6 })]).marks).toEqual([])
})

test('one that is wrong among thousands at one place is above the circle, and the circle beside it', () => {
  const devices = Array.from({ length: 2000 }, (_, no) =>
    plainDevice(no, { ...LAHORE, state: no === 700 ? violationBit('LOW_TEMPERATURE_DETECTED') : 0 }),
  )
  const { marks } = sceneOf(devices)
  expect(marks.map(({ kind }) => kind)).toEqual(['cluster', 'device'])
  const [circle, device] = marks as [Mark, Mark]
  expect(circle).toMatchObject({ count: 2000, trouble: 1 })
  expect(device).toMatchObject({ row: 700 })
  expect(Math.hypot(circle.x - device.x, circle.y - device.y)).toBeGreaterThan(circle.radius)
})

test('of very many that are wrong at one place the worst are marks, and one that stands alone is always one', () => {
  const hot = violationBit('HIGH_TEMPERATURE_DETECTED')
  const humid = violationBit('HIGH_HUMIDITY_DETECTED')
  const crowd = Array.from({ length: 500 }, (_, no) =>
    plainDevice(no, { ...LAHORE, state: no < 10 ? hot : humid }),
  )
  const alone = plainDevice(500, { ...LAHORE, lng: LAHORE.lng + 10 * BESIDE, state: humid })
  const { marks, wrong } = sceneOf([...crowd, alone])
  const rows = marks.flatMap((mark) => (mark.kind === 'device' ? [mark.row] : []))
  expect(rows).toHaveLength(121)
  expect(rows).toEqual(expect.arrayContaining([0, 9, 500]))
  expect(wrong, 'names keep clear of those too that are points').toHaveLength(501)
})

test('circles keep to their cells and so do not cover each other', () => {
  const hot = violationBit('HIGH_TEMPERATURE_DETECTED')
  const devices = Array.from({ length: 400 }, (_, no) =>
    plainDevice(no, {
      lat: LAHORE.lat + ((no * 7919) % 100) * 700,
      lng: LAHORE.lng + ((no * 104729) % 100) * 900,
      state: no % 3 === 0 ? hot : 0,
    }),
  )
  const circles = sceneOf(devices).marks.filter(({ kind }) => kind === 'cluster')
  expect(circles.length).toBeGreaterThan(5)
  for (const [i, a] of circles.entries())
    for (const b of circles.slice(i + 1))
      expect(Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y))).toBeGreaterThanOrEqual(
        Math.min(60, a.radius + b.radius) - 1e-6,
      )
})

test('a circle steps aside from what is wrong in it, but not off the map, nor under what lies on the map', () => {
  const devices = [
    plainDevice(1, { ...LAHORE, state: violationBit('HIGH_TEMPERATURE_DETECTED') }),
    plainDevice(2, LAHORE),
  ]
  const partedIn = (given: Parameters<typeof sceneOf>[1]) => {
    const { marks } = sceneOf(devices, given)
    const circle = marks.find(({ kind }) => kind === 'cluster') as Mark
    const wrong = marks.find(({ kind }) => kind === 'device') as Mark
    expect(Math.hypot(circle.x - wrong.x, circle.y - wrong.y)).toBeGreaterThan(circle.radius)
    return circle
  }
  const { x, radius } = partedIn({})
  expect(x).toBeGreaterThan(440)
  const atTheEdge = { ...camera, x: camera.x - 360 / worldPx(camera.zoom) }
  expect(partedIn({ camera: atTheEdge }).x).toBeLessThanOrEqual(camera.width - radius)
  const onTheRight = { x: 440, y: 0, width: 360, height: 600 }
  expect(partedIn({ covered: [onTheRight] }).x).toBeLessThanOrEqual(440 - radius)
})

test('a device is on its way from its last place for as long as lay between its readings', () => {
  const start = plainDevice(1, { ...LAHORE, at: 10_000 })
  const { fleet, look } = sceneOf([start], { now: 1e6 + 2500 })
  fleet.merge(frameOf(1, 2, [{ ...start, at: 20_000, lng: LAHORE.lng + 10 * BESIDE }]), 1e6)
  const { marks, pxPerSecond } = look()
  const whole = screenX(camera, unitX((LAHORE.lng + 10 * BESIDE) / 1e6)) - 400
  expect((marks[0] as Mark).x - 400).toBeCloseTo(whole / 4, 6)
  expect(pxPerSecond).toBeCloseTo(whole / 10, 6)
})

test('a device that stands at the end of its way stays there, however much later it says so again', () => {
  const start = plainDevice(1, { ...LAHORE, at: 10_000 })
  const there = { ...start, at: 20_000, lng: LAHORE.lng + 10 * BESIDE }
  const { fleet, look } = sceneOf([start], { now: 1e6 + 10_000 })
  fleet.merge(frameOf(1, 2, [there]), 1e6)
  const arrived = look()
  fleet.merge(
    frameOf(2, 3, [{ ...there, at: 30_000 }], () => false),
    1e6 + 10_000,
  )
  expect(look()).toEqual(arrived)
  expect(arrived.pxPerSecond).toBe(0)
})

test('the pointer hits the uppermost mark, with slack for fingers', () => {
  const { marks } = sceneOf([plainDevice(1, LAHORE)], { selected: 1 })
  expect(hitTest(marks, 405, 305)).toMatchObject({ kind: 'device', row: 0 })
  expect(hitTest(marks, 416, 300)).toBeUndefined()
  expect(hitTest(marks, 416, 300, 10)).toBeDefined()
})

test('the members of a circle are found again when it is pressed', () => {
  const devices = Array.from({ length: 40 }, (_, no) =>
    plainDevice(no, { ...LAHORE, lng: LAHORE.lng + (no % 4) * 4 * BESIDE + (no % 5) * 100 }),
  )
  const { fleet, marks } = sceneOf(devices)
  const circles = marks.filter((mark) => mark.kind === 'cluster')
  const rows = circles.flatMap((circle) => {
    const members = membersOf(fleet.columns, circle, undefined)
    expect(members.rows).toHaveLength(circle.count)
    return members.rows
  })
  expect(rows.toSorted((a, b) => a - b)).toEqual(devices.map((_, i) => i))
})

test('a circle one device of which has driven off since is opened on those that are left, not on others around', () => {
  const devices = [0, 0, 0, 60, 200, 300].map((no, i) =>
    plainDevice(i, { ...LAHORE, lng: LAHORE.lng + no * BESIDE }),
  )
  const { fleet, marks } = sceneOf(devices, { camera })
  const circle = marks.find((mark) => mark.kind === 'cluster') as Extract<Mark, { kind: 'cluster' }>
  const driveOff = (no: number, seq: number) =>
    fleet.merge(frameOf(seq - 1, seq, [{ ...(devices[no] as PlainDevice), lng: LAHORE.lng + 8 * BESIDE }]), 0)
  driveOff(0, 2)
  expect(membersOf(fleet.columns, circle, undefined).rows).toEqual([1, 2])
  driveOff(1, 3)
  const { rows, west, east } = membersOf(fleet.columns, circle, undefined)
  expect(rows).toEqual([])
  expect(east - west).toBeCloseTo(circle.cell, 12)
})

test('pictures in sight are never more than there is time for, and what is wrong is the last to go', () => {
  const kinds = Uint8Array.from({ length: 10 }, (_, row) => row % 2)
  const place = { x: 0, y: 0, radius: 10, unitX: 0, unitY: 0, cell: 1, trouble: 0 }
  const circle = fc.record({ count: fc.integer({ min: 2, max: 9 }), severity: fc.nat(5) })
  const device = fc.record({ row: fc.nat(9), severity: fc.nat(5), isSelected: fc.boolean() })
  const mark: fc.Arbitrary<Mark> = fc.oneof(
    circle.map((given): Mark => ({ ...place, ...given, kind: 'cluster' })),
    device.map((given): Mark => ({ ...place, ...given, kind: 'device' })),
  )
  const sum = (marks: Mark[]): number => marks.reduce((all, one) => all + picturesOf(one, kinds), 0)
  const isWrong = (one: Mark): boolean => one.kind === 'device' && !one.isSelected && one.severity > 0
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 60 }), fc.nat(40), (marks, most) => {
      const kept = withinBudget(marks, kinds, most)
      expect(sum(kept)).toBeLessThanOrEqual(most)
      if (sum(marks) <= most) expect(kept).toEqual(marks)
      // Where a mark of what is wrong had to go, no circle stayed.
      if (marks.some((one) => isWrong(one) && !kept.includes(one)))
        expect(kept.filter(({ kind }) => kind === 'cluster')).toEqual([])
    }),
  )
})

test('a calm device among others is a mark of its own where its load needs somebody, and takes one picture', () => {
  const devices = Array.from({ length: 40 }, (_, no) =>
    plainDevice(no, { ...LAHORE, lat: LAHORE.lat + no * 10 }),
  )
  const { fleet, marks } = sceneOf(devices, {
    rings: new Map([
      [3, 'exhausted'],
      [5, 'at-risk'],
    ]),
  })
  const alone = marks.flatMap((mark) => (mark.kind === 'device' ? [mark] : []))
  expect(alone.map(({ row, ring }) => [row, ring])).toEqual([
    [3, 'exhausted'],
    [5, 'at-risk'],
  ])
  expect(alone.map((mark) => picturesOf(mark, fleet.columns.kind))).toEqual([1, 1])
})

test('a wide map full of circles keeps its names and marks within five hundred pictures', () => {
  const wide: Camera = { ...camera, zoom: 9, width: 1920, height: 1080 }
  const devices = Array.from({ length: 4000 }, (_, no) =>
    plainDevice(no, {
      lat: LAHORE.lat + ((no % 40) - 20) * 40_000,
      lng: LAHORE.lng + (Math.floor((no % 2000) / 40) - 25) * 70_000,
      state: no % 3 === 0 ? violationBit('HIGH_TEMPERATURE_DETECTED') : 0,
    }),
  )
  const { fleet, marks } = sceneOf(devices, { camera: wide })
  const { kind } = fleet.columns
  const pictures = marks.reduce((sum, mark) => sum + picturesOf(mark, kind), 0)
  expect(pictures).toBeLessThanOrEqual(440)
  expect(marks.filter((mark) => mark.kind === 'device' && mark.severity > 0)).toHaveLength(120)
})

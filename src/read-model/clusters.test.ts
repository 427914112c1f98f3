import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Clusters, clusterBox, clusterFleet, type MapView } from './clusters.ts'
import { createFleet } from './fleet.ts'
import { FIRST_VIOLATION, SEVERITY_OF } from './severity.ts'
import { plainDevice, snapshotOf } from './testing/make-fleet.ts'

const place = fc.record({
  lat: fc.integer({ min: 24e6, max: 37e6 }),
  lng: fc.integer({ min: 61e6, max: 77e6 }),
  state: fc.nat(127),
  temperature: fc.oneof(fc.integer({ min: -3000, max: 3000 }), fc.constant(-0x8000)),
  nowhere: fc.integer({ min: 0, max: 9 }),
})

const fleetOf = (
  places: { lat: number; lng: number; state: number; temperature: number; nowhere: number }[],
) => {
  const fleet = createFleet(() => {})
  fleet.load(
    snapshotOf(
      1,
      places.map(({ nowhere, ...p }, deviceNo) =>
        plainDevice(deviceNo, { ...p, ...(nowhere === 0 && { lat: -0x80000000 }) }),
      ),
    ),
  )
  return fleet
}

const PAKISTAN: MapView = {
  bounds: { west: 60, south: 23, east: 78, north: 38 },
  zoom: 5,
  width: 1440,
  height: 900,
}

/** Rows of each cluster, found the slow way: nobody knows them better than a second look at each device. */
function check(fleet: ReturnType<typeof fleetOf>, view: MapView, clusters: Clusters, mask?: Uint8Array) {
  const { columns } = fleet
  const box = clusterBox(view)
  const inside = Array.from({ length: columns.size }, (_, row) => row).filter((row) => {
    const [x, y] = [columns.x[row] as number, columns.y[row] as number]
    return (
      mask?.[row] !== 0 &&
      x >= box.west &&
      x <= box.west + box.width &&
      y >= box.north &&
      y <= box.north + box.height
    )
  })
  const severities = inside.map((row) => SEVERITY_OF[columns.state[row] as number] as number)
  const singles = [...clusters.singles]
  const singlesInTrouble = singles.filter(
    (row) => (SEVERITY_OF[columns.state[row] as number] as number) >= FIRST_VIOLATION,
  )
  const total = (values: Iterable<number>) => [...values].reduce((sum, n) => sum + n, 0)
  expect(total(clusters.count) + singles.length).toBe(inside.length)
  expect(total(clusters.trouble) + singlesInTrouble.length).toBe(
    severities.filter((s) => s >= FIRST_VIOLATION).length,
  )
  const clustered = Array.from(clusters.count, (n, c) => n * (clusters.x[c] as number))
  const alone = singles.map((row) => columns.x[row] as number)
  const sumOfPlaces = total(inside.map((row) => columns.x[row] as number))
  expect(total(clustered) + total(alone)).toBeCloseTo(sumOfPlaces, 6)
  const worst = Math.max(0, ...severities)
  const shownWorst = Math.max(
    0,
    ...clusters.worst,
    ...singles.map((r) => SEVERITY_OF[columns.state[r] as number] as number),
  )
  expect(shownWorst).toBe(worst)
  for (let c = 0; c < clusters.length; c++) {
    const row = clusters.worstRow[c] as number
    expect(inside).toContain(row)
    expect(SEVERITY_OF[columns.state[row] as number]).toBe(clusters.worst[c])
    expect(clusters.worstCount[c]).toBeGreaterThan(0)
    expect(clusters.count[c]).toBeGreaterThan(1)
    if (!Number.isNaN(clusters.meanTemperature[c])) expect(clusters.worstTemperature[c]).not.toBeNaN()
  }
}

describe('clusters', () => {
  test('hold every device of the view once, and every one that is in trouble', () => {
    fc.assert(
      fc.property(
        fc.array(place, { maxLength: 120 }),
        fc.double({ min: 3, max: 12, noNaN: true }),
        fc.array(fc.constantFrom(0, 1), { minLength: 120, maxLength: 120 }),
        (places, zoom, dice) => {
          const fleet = fleetOf(places)
          const view = { ...PAKISTAN, zoom }
          const mask = Uint8Array.from(dice)
          check(fleet, view, clusterFleet(fleet, clusterBox(view)))
          check(fleet, view, clusterFleet(fleet, clusterBox(view), mask), mask)
        },
      ),
    )
  })

  test('one cell tells how many, how bad, who is worst and how warm', () => {
    const fleet = createFleet(() => {})
    const hot = 0b0000_0100
    fleet.load(
      snapshotOf(1, [
        plainDevice(0, { temperature: 400 }),
        plainDevice(1, { temperature: 1000, state: hot }),
        plainDevice(2, { temperature: 1400, state: hot }),
        plainDevice(3, { temperature: -0x8000, state: 1 }),
        plainDevice(4, { lat: 35e6 }),
      ]),
    )
    const clusters = clusterFleet(fleet, clusterBox(PAKISTAN))
    expect(clusters.length).toBe(1)
    expect([...clusters.count, ...clusters.trouble, ...clusters.worstCount]).toEqual([4, 2, 2])
    expect(clusters.worstRow[0]).toBe(2)
    expect(clusters.worst[0]).toBe(SEVERITY_OF[hot])
    expect(clusters.meanTemperature[0]).toBeCloseTo(2800 / 3, 3)
    expect(clusters.worstTemperature[0]).toBe(1400)
    expect([...clusters.singles]).toEqual([4])
  })

  test('are never more than asked for, however the fleet is spread', () => {
    fc.assert(
      fc.property(
        fc.array(place, { minLength: 50, maxLength: 200 }),
        fc.integer({ min: 1, max: 40 }),
        (places, most) => {
          const fleet = fleetOf(places)
          const clusters = clusterFleet(fleet, clusterBox(PAKISTAN), undefined, most)
          expect(clusters.length + clusters.singles.length).toBeLessThanOrEqual(most)
          check(fleet, PAKISTAN, clusters)
        },
      ),
    )
  })

  test('stay the same while the view moves within half a screen', () => {
    const moved = (degrees: number): MapView => ({
      ...PAKISTAN,
      zoom: 6.2,
      bounds: { west: 70 + degrees, east: 80 + degrees, north: 34, south: 29 },
    })
    expect(clusterBox(moved(0.01)).key).toBe(clusterBox(moved(0)).key)
    expect(clusterBox(moved(30)).key).not.toBe(clusterBox(moved(0)).key)
    expect(clusterBox({ ...moved(0), zoom: 6.45 }).key).toBe(clusterBox(moved(0)).key)
    expect(clusterBox({ ...moved(0), zoom: 6.5 }).key).not.toBe(clusterBox(moved(0)).key)
  })

  test('reach across the date line', () => {
    const fleet = createFleet(() => {})
    fleet.load(
      snapshotOf(1, [
        plainDevice(0, { lat: 0, lng: 179_990_000 }),
        plainDevice(1, { lat: 0, lng: -179_990_000 }),
      ]),
    )
    const view = {
      bounds: { west: 179, east: -179, north: 1, south: -1 },
      zoom: 9,
      width: 1456,
      height: 1456,
    }
    const { count, singles } = clusterFleet(fleet, clusterBox(view))
    expect([...count, singles.length].reduce((sum, n) => sum + n, 0)).toBe(2)
  })
})

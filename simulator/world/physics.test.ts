import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ReadingColumns, readingAt } from '#machines/contracts/readings.ts'
import { distanceKm } from './corridor.ts'
import { calm, demo, deviceOf, HOUR, MINUTE, messages, smallWorld } from './testing/demo.ts'

const DAY = 24 * HOUR

describe('a healthy cold chain', () => {
  const world = smallWorld(400, calm)
  const groups = new Map(
    demo.companies.flatMap((company) => company.groups.map((group) => [group.id, group])),
  )

  test('keeps its temperature: beyond a limit only for the minutes of a door, never for long', () => {
    for (const { index, groupId } of world.registration.devices) {
      const group = groups.get(groupId)
      if (!group) throw new RangeError(groupId)
      const day = world.history(index, world.start - DAY, world.start)
      let beyond = 0
      for (let i = 0; i < day.length; i++) {
        const celsius = (day.temperature[i] as number) / 100
        if (celsius > group.highTemperatureThreshold || celsius < group.lowTemperatureThreshold) beyond++
      }
      // five minutes each
      expect(beyond, `${index} of ${groupId}`).toBeLessThan(0.12 * day.length)
    }
  })

  test('is nearly always within a few degrees of its set-point', () => {
    for (const { index, fleet } of world.registration.devices) {
      const { setPoint } = demo.thermalProfiles.find((profile) => profile.id === fleet.thermal) ?? {
        setPoint: Number.NaN,
      }
      const day = world.history(index, world.start - DAY, world.start)
      const sorted = [...day.temperature.subarray(0, day.length)].sort((a, b) => a - b)
      expect((sorted[day.length >> 1] as number) / 100).toBeGreaterThan(setPoint - 1.5)
      expect((sorted[day.length >> 1] as number) / 100).toBeLessThan(setPoint + 2)
    }
  })

  test('breathes: a compressor works in cycles, an opened door warms the box and moves its humidity', () => {
    const { index } = deviceOf(world, 'lahore-frozen-local')
    const day = world.history(index, world.start - DAY, world.start)
    const temperatures = [...day.temperature.subarray(0, day.length)].map((t) => t / 100)
    const humidities = [...day.humidity.subarray(0, day.length)].map((h) => h / 100)
    expect(new Set(temperatures).size).toBeGreaterThan(50)
    expect(Math.max(...temperatures) - Math.min(...temperatures)).toBeGreaterThan(3)
    expect(Math.max(...humidities) - Math.min(...humidities)).toBeGreaterThan(3)
  })
})

describe('driving', () => {
  test('is never faster than a lorry, stays on its road, and says so itself', () => {
    const world = smallWorld(120, calm)
    const last = new Map<number, { at: number; lat: number; lng: number }>()
    let moved = 0
    const fastest = { reported: 0, driven: 0, offRoad: 0 }
    for (const { device, at, lat, lng, speed } of messages(world.advance(world.start + 14 * HOUR))) {
      if (lat === undefined || lng === undefined || speed === undefined) throw new RangeError('no position')
      fastest.reported = Math.max(fastest.reported, speed)
      const before = last.get(device)
      last.set(device, { at, lat, lng })
      if (!before || (before.lat === lat && before.lng === lng)) continue
      moved++
      const km = distanceKm(before.lat, before.lng, lat, lng)
      fastest.driven = Math.max(fastest.driven, (km * HOUR) / (at - before.at))
      if (moved % 97 === 0)
        fastest.offRoad = Math.max(fastest.offRoad, distanceToRoute(world, device, lat, lng))
    }
    expect(moved).toBeGreaterThan(10_000)
    expect(fastest.reported).toBeLessThanOrEqual(130)
    expect(fastest.driven).toBeLessThanOrEqual(130)
    expect(fastest.driven).toBeGreaterThan(60)
    expect(fastest.offRoad).toBeLessThan(0.1)
  })

  test('a warehouse stays where it is', () => {
    const world = smallWorld(200, calm)
    const { index } = deviceOf(world, 'store')
    const places = messages(world.advance(world.start + HOUR), index).map(({ lat, lng }) => `${lat},${lng}`)
    expect(new Set(places).size).toBe(1)
  })

  test('loads and delivers standing still, with the engine off', () => {
    const world = smallWorld(200, calm)
    const still = messages(world.advance(world.start + 2 * HOUR)).filter(({ ignition }) => ignition === 0)
    expect(still.length).toBeGreaterThan(1000)
    expect(still.filter(({ speed }) => speed !== 0)).toEqual([])
  })
})

describe('history', () => {
  test('ends where the live readings begin: the same messages on a coarser grid', () => {
    const world = smallWorld(120)
    const earlier = smallWorld(120)
    earlier.resume(world.start - HOUR)
    const live = new Map(
      messages(earlier.advance(world.start)).map(({ sentAt, ...reading }) => [
        `${reading.device}/${reading.at}`,
        reading,
      ]),
    )
    let compared = 0
    for (const { index } of world.registration.devices) {
      const past = world.history(index, world.start - HOUR, world.start)
      for (let i = 0; i < past.length; i++) {
        const sent = live.get(`${index}/${past.at[i]}`)
        if (sent === undefined) continue
        expect(readingAt(past, i)).toEqual(sent)
        compared++
      }
    }
    expect(compared).toBeGreaterThan(1200)
  })

  test('is the same in one piece or in two, wherever it is cut, and 31 days long', () => {
    const world = smallWorld(60)
    const rows = (columns: ReadingColumns) =>
      Array.from({ length: columns.length }, (_, i) => readingAt(columns, i))
    const [from, to] = [world.historyStart, world.historyStart + 2 * DAY]
    fc.assert(
      fc.property(fc.nat(59), fc.integer({ min: from, max: to }), (index, cut) => {
        const parts = [world.history(index, from, cut), world.history(index, cut, to)]
        expect(parts.flatMap(rows)).toEqual(rows(world.history(index, from, to)))
      }),
      { numRuns: 60 },
    )
    expect(world.start - world.historyStart).toBe(31 * DAY)
  })

  test('nothing moves while it is told', () => {
    const [requested, plain] = [smallWorld(30), smallWorld(30)]
    for (const world of [requested, plain]) world.advance(world.start + 20 * MINUTE)
    for (let index = 0; index < 30; index++) requested.history(index, requested.start - DAY, requested.start)
    for (const world of [requested, plain]) world.advance(world.start + 40 * MINUTE)
    expect(requested.hash()).toBe(plain.hash())
  })
})

describe('trouble', () => {
  test('at any hour a few devices, not many, have been too warm for a quarter of an hour, are silent, or lost a sensor', () => {
    const world = smallWorld(1500)
    const groups = new Map(
      demo.companies.flatMap((company) => company.groups.map((group) => [group.id, group])),
    )
    for (const hoursBack of [3, 11, 17, 22]) {
      const until = world.start - hoursBack * HOUR
      let warm = 0
      let silent = 0
      let sensorless = 0
      for (const { index, groupId } of world.registration.devices) {
        const limit = (groups.get(groupId)?.highTemperatureThreshold ?? Number.NaN) * 100
        const { length, temperature } = world.history(index, until - 20 * MINUTE, until)
        const last = [...temperature.subarray(0, length)]
        if (length === 0) silent++
        else if (last.at(-1) === -0x8000) sensorless++
        else if (last.every((t) => t > limit)) warm++
      }
      expect(warm).toBeGreaterThan(3)
      expect(warm).toBeLessThan(90)
      expect(silent).toBeGreaterThan(3)
      expect(silent).toBeLessThan(60)
      expect(sensorless).toBeLessThan(30)
    }
  })
})

/** km from a point to the nearest stretch of the vehicle's route */
function distanceToRoute(
  world: ReturnType<typeof smallWorld>,
  index: number,
  lat: number,
  lng: number,
): number {
  const route = world.route(index)
  if (!route) return 0
  const scale = Math.cos((lat * Math.PI) / 180)
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i + 1 < route.lat.length; i++) {
    const [ax, ay] = [((route.lng[i] as number) - lng) * scale, (route.lat[i] as number) - lat]
    const [bx, by] = [((route.lng[i + 1] as number) - lng) * scale, (route.lat[i + 1] as number) - lat]
    const [dx, dy] = [bx - ax, by - ay]
    const t = Math.max(0, Math.min(1, -(ax * dx + ay * dy) / (dx * dx + dy * dy || 1)))
    best = Math.min(best, Math.hypot(ax + t * dx, ay + t * dy) * 111.2)
  }
  return best
}

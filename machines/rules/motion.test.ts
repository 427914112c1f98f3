import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createReadings, pushReading, type Reading, type ReadingColumns } from '../contracts/readings.ts'
import { dayStarts } from './days.ts'
import { distanceKm } from './distance.ts'
import { drivingDays } from './driving-days.ts'
import { followMotion, MOTION } from './motion.ts'
import { tripsOf } from './trips.ts'

const MINUTE = 60_000
const GAP = 10 * MINUTE
const START = Date.UTC(2026, 10, 20, 6)

function columnsOf(rows: Omit<Reading, 'device'>[]): ReadingColumns {
  const columns = createReadings(rows.length)
  for (const row of rows) pushReading(columns, { device: 0, ...row })
  return columns
}

/** km and minutes of each kind, all readings together. */
function totals(columns: ReadingColumns) {
  const sum = { km: 0, gap: 0, standing: 0, idling: 0, driving: 0 }
  followMotion(columns, GAP, (i, motion, km) => {
    const name = (Object.keys(MOTION) as (keyof typeof MOTION)[]).find((key) => MOTION[key] === motion)
    sum[name as keyof typeof MOTION] += ((columns.at[i] as number) - (columns.at[i - 1] as number)) / MINUTE
    sum.km += km || 0
  })
  return sum
}

/** A position so many metres north of where it all begins. */
const north = (metres: number) => ({ lat: 31 + metres / 111_195, lng: 74 })

describe('what a device did between readings', () => {
  test('is the way it drove, and the time', () => {
    const drive = Array.from({ length: 11 }, (_, i) => ({
      at: START + i * MINUTE,
      ...north(i * 1000),
      speed: 60,
      ignition: 1,
    }))
    expect(totals(columnsOf(drive))).toEqual({
      km: expect.closeTo(10, 2),
      driving: 10,
      gap: 0,
      standing: 0,
      idling: 0,
    })
  })

  test('adds nothing while a parked receiver wanders', () => {
    const parked = Array.from({ length: 600 }, (_, i) => ({
      at: START + i * 10_000,
      lat: 31 + 0.0003 * Math.sin(i * 2.1),
      lng: 74 + 0.0003 * Math.cos(i * 1.7),
      speed: (i % 7) / 2,
      ignition: 0,
    }))
    expect(totals(columnsOf(parked))).toMatchObject({ km: 0, driving: 0, standing: expect.closeTo(99.83, 1) })
  })

  test('counts no speed of a vehicle whose ignition is off: it is towed, or on a ferry', () => {
    const towed = [0, 1, 2].map((i) => ({
      at: START + i * MINUTE,
      ...north(i * 800),
      speed: 48,
      ignition: 0,
    }))
    expect(totals(columnsOf(towed))).toMatchObject({ km: 0, standing: 2 })
  })

  test('is idling where it stands with the engine on', () => {
    const idle = [0, 1, 2].map((i) => ({
      at: START + i * MINUTE,
      ...north(i),
      speed: 0,
      ignition: i < 2 ? 1 : 0,
    }))
    expect(totals(columnsOf(idle))).toMatchObject({ km: 0, idling: 1, standing: 1 })
  })

  test('without a speed is driving once it has come 50 m from where it stood', () => {
    const wandering = Array.from({ length: 60 }, (_, i) => ({
      at: START + i * MINUTE,
      ...north((i % 3) * 20),
    }))
    expect(totals(columnsOf(wandering))).toMatchObject({ km: 0, standing: 59 })
    const driving = Array.from({ length: 31 }, (_, i) => ({ at: START + i * 10_000, ...north(i * 30) }))
    expect(totals(columnsOf(driving)).km).toBeCloseTo(0.9, 2)
  })

  test('is nothing in a gap, however far it has come', () => {
    const rows = [0, 1, 12, 13].map((i) => ({
      at: START + i * MINUTE,
      ...north(i * 1000),
      speed: 60,
      ignition: 1,
    }))
    expect(totals(columnsOf(rows))).toMatchObject({ km: expect.closeTo(2, 2), driving: 2, gap: 11 })
  })

  test('has no way where a fix is wrong or missing', () => {
    const rows = [
      { at: START, ...north(0), speed: 60 },
      { at: START + MINUTE, ...north(50_000), speed: 60 },
      { at: START + 2 * MINUTE, speed: 60 },
      { at: START + 3 * MINUTE, ...north(51_000), speed: 60 },
      { at: START + 4 * MINUTE, ...north(52_000), speed: 60 },
    ]
    expect(totals(columnsOf(rows))).toMatchObject({ km: expect.closeTo(1, 2), driving: 4 })
  })
})

const row = fc.record({
  wait: fc.oneof(fc.integer({ min: 1, max: 8 * MINUTE }), fc.integer({ min: 1, max: 9 * 3_600_000 })),
  metres: fc.integer({ min: -2000, max: 2000 }),
  hasPlace: fc.boolean(),
  speed: fc.option(fc.integer({ min: 0, max: 90 }), { nil: undefined }),
  ignition: fc.option(fc.constantFrom(0, 1), { nil: undefined }),
})
const history = fc.array(row, { maxLength: 80 }).map((rows) => {
  let [at, metres] = [START, 0]
  return columnsOf(
    rows.map(({ wait, metres: step, hasPlace, speed, ignition }) => {
      at += wait
      metres += step
      return { at, ...(hasPlace ? north(metres) : {}), speed, ignition }
    }),
  )
})

describe('whatever was sent', () => {
  test('every moment is accounted for once, and no way is longer than the straight lines', () => {
    fc.assert(
      fc.property(history, (columns) => {
        const { km, ...minutes } = totals(columns)
        const span =
          columns.length < 2 ? 0 : (columns.at[columns.length - 1] as number) - (columns.at[0] as number)
        const sum = minutes.gap + minutes.standing + minutes.idling + minutes.driving
        expect(sum * MINUTE).toBeCloseTo(span, 3)
        let straight = 0
        let last = -1
        for (let i = 0; i < columns.length; i++) {
          if (columns.lat[i] === -0x80000000) continue
          if (last >= 0)
            straight += distanceKm(
              (columns.lat[last] as number) / 1e6,
              (columns.lng[last] as number) / 1e6,
              (columns.lat[i] as number) / 1e6,
              (columns.lng[i] as number) / 1e6,
            )
          last = i
        }
        expect(km).toBeLessThanOrEqual(straight + 1e-9)
      }),
    )
  })

  test('the days add up to the whole, wherever days begin', () => {
    const zone = fc.constantFrom('Asia/Karachi', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kathmandu')
    fc.assert(
      fc.property(history, zone, (columns, name) => {
        const end = (columns.at[columns.length - 1] ?? START) + 1
        const days = drivingDays(columns, dayStarts(START, end, name), GAP)
        const { km, ...minutes } = totals(columns)
        const sum = (of: 'km' | 'driving' | 'idling' | 'standing' | 'gap') =>
          days.reduce((all, day) => all + day[of], 0)
        expect(sum('km')).toBeCloseTo(km, 6)
        for (const of of ['driving', 'idling', 'standing', 'gap'] as const)
          expect(sum(of)).toBeCloseTo(minutes[of] * MINUTE, 3)
      }),
    )
  })

  test('trips hold all that was driven, in order, and none reaches into another', () => {
    fc.assert(
      fc.property(history, (columns) => {
        const { km, driving } = totals(columns)
        const trips = tripsOf(columns, GAP)
        expect(trips.reduce((sum, trip) => sum + trip.km, 0)).toBeCloseTo(km, 6)
        expect(trips.reduce((sum, trip) => sum + trip.driving, 0)).toBeCloseTo(driving * MINUTE, 3)
        for (const [i, trip] of trips.entries()) {
          expect(trip.first).toBeLessThan(trip.last)
          expect(trip.driving + trip.stopped).toBe(
            (columns.at[trip.last] as number) - (columns.at[trip.first] as number),
          )
          if (i > 0) expect(trip.first).toBeGreaterThanOrEqual(trips[i - 1]?.last as number)
        }
      }),
    )
  })
})

test('a stop of five minutes parts two trips, traffic lights do not', () => {
  const at = (minute: number, metres: number, speed: number) => ({
    at: START + minute * MINUTE,
    ...north(metres),
    speed,
    ignition: 1,
  })
  const rows = [
    at(0, 0, 50),
    at(1, 800, 50),
    at(2, 900, 0),
    at(3, 900, 0),
    at(4, 900, 40),
    at(5, 1500, 40),
    at(6, 1600, 0),
  ]
  const stopped = [7, 8, 9, 10, 11, 12].map((minute) => at(minute, 1600, 0))
  const trips = tripsOf(columnsOf([...rows, ...stopped, at(13, 1700, 60), at(14, 2500, 62)]), GAP)
  expect(trips.map(({ first, last, topSpeed }) => [first, last, topSpeed])).toEqual([
    [0, 6, 50],
    [12, 14, 62],
  ])
  expect(trips[0]?.stopped).toBe(MINUTE)
})

describe('the days of a zone', () => {
  test('are 23 and 25 hours long where its clocks change', () => {
    const hours = (from: string, to: string, zone: string) => {
      const starts = dayStarts(Date.parse(from), Date.parse(to), zone)
      return [...starts].slice(1).map((end, i) => (end - (starts[i] as number)) / 3_600_000)
    }
    expect(hours('2026-03-28T00:00+01:00', '2026-03-31T00:00+02:00', 'Europe/Berlin')).toEqual([24, 23, 24])
    expect(hours('2026-10-24T00:00+02:00', '2026-10-27T00:00+01:00', 'Europe/Berlin')).toEqual([24, 25, 24])
    expect(hours('2026-11-20T10:00Z', '2026-11-21T20:00Z', 'Asia/Karachi')).toEqual([9, 24, 1])
  })

  test('are none where there is no time', () => {
    expect([...dayStarts(START, START, 'Asia/Karachi')]).toEqual([START])
  })
})

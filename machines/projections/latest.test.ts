import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SENSOR_UNPLUGGED, statusOf, violationsOf } from '../contracts/device-state.ts'
import type { Fact } from '../contracts/facts.ts'
import { createReadings, pushReading, type Reading, readingAt } from '../contracts/readings.ts'
import { emptyDirectory, evolve } from './directory.ts'
import { applyReadings as apply, applyFact, type Changes, emptyLatest, type Latest } from './latest.ts'
import { type Measured, measuredOf } from './measured.ts'

const batch = (...readings: Reading[]) => {
  const columns = createReadings(readings.length)
  for (const reading of readings) pushReading(columns, reading)
  return columns
}

const MINUTE = 60_000
const PATIENCE = 20 * MINUTE
const known = new WeakMap<Latest, Measured>()
function applyReadings(
  latest: Latest,
  readings: ReturnType<typeof batch>,
  record: ReturnType<typeof stored>,
  changes?: Changes,
): void {
  const measured = known.get(latest) ?? measuredOf(latest.readings, latest.size)
  known.set(latest, measured)
  apply(latest, measured, readings, record, () => PATIENCE, changes)
}

/** A record of long after its readings. */
const stored = (seq: number) => ({ seq, recordedAt: 100 * MINUTE })

describe('the newest reading of each device', () => {
  test('is what the device clock says, in whatever order readings come', () => {
    const reading = fc.record({
      device: fc.nat(5),
      at: fc.integer({ min: 1, max: 50 }),
      temperature: fc.integer({ min: -30, max: 30 }),
    })
    fc.assert(
      fc.property(fc.array(fc.array(reading, { maxLength: 10 }), { maxLength: 10 }), (batches) => {
        const latest = emptyLatest(1)
        for (const [i, readings] of batches.entries())
          applyReadings(latest, batch(...readings), stored(i + 1))
        const all = batches.flat()
        for (const device of new Set(all.map((r) => r.device))) {
          const newest = Math.max(...all.filter((r) => r.device === device).map((r) => r.at))
          const first = all.find((r) => r.device === device && r.at === newest)
          expect(readingAt(latest.readings, device)).toMatchObject({
            at: newest,
            temperature: first?.temperature,
          })
        }
      }),
    )
  })

  test('of a clock that ran ahead holds until the next, whatever time that one says', () => {
    const latest = emptyLatest()
    const shown = () => readingAt(latest.readings, 0)
    const ahead = (temperature: number) => ({ device: 0, at: 90_000, temperature })
    applyReadings(latest, batch(ahead(4), ahead(5)), { seq: 1, recordedAt: 1000.5 })
    expect(shown()).toMatchObject({ at: 1000, temperature: 5 })
    applyReadings(latest, batch({ device: 0, at: 1010, temperature: 6 }), { seq: 2, recordedAt: 1020 })
    expect(shown()).toMatchObject({ at: 1010, temperature: 6 })
    applyReadings(latest, batch({ device: 0, at: 900, temperature: 7 }), { seq: 3, recordedAt: 1030 })
    expect(shown()).toMatchObject({ at: 1010, temperature: 6 })
  })

  test('says which devices changed, each once', () => {
    const latest = emptyLatest()
    const changes = new Set<number>()
    applyReadings(
      latest,
      batch({ device: 3, at: 10 }, { device: 3, at: 20 }, { device: 1, at: 5 }),
      stored(7),
      changes,
    )
    applyReadings(latest, batch({ device: 3, at: 15 }), stored(8), changes)
    expect([...changes]).toEqual([3, 1])
    expect(latest.seq[3]).toBe(7)
  })

  test('a reading without a position leaves the device where it was', () => {
    const latest = emptyLatest()
    applyReadings(
      latest,
      batch({ device: 0, at: 1, lat: 31.5, lng: 74.3, temperature: 4 }, { device: 0, at: 2, temperature: 5 }),
      stored(1),
    )
    expect(readingAt(latest.readings, 0)).toMatchObject({ lat: 31.5, lng: 74.3, temperature: 5 })
  })

  test('a tracker that sends places and what it measured apart shows both, until its sensor gives no more', () => {
    const latest = emptyLatest()
    const place = (at: number): Reading => ({ device: 0, at, lat: 31.5, lng: 74.3 })
    const inner = (at: number): Reading => ({ device: 0, at, temperature: 4, temperature2: 5, humidity: 60 })
    const shown = () => readingAt(latest.readings, 0)
    applyReadings(latest, batch(inner(60_000), inner(120_000)), stored(1))
    applyReadings(latest, batch(place(269_999)), stored(2))
    expect(shown()).toMatchObject({ at: 269_999, lat: 31.5, temperature: 4, temperature2: 5, humidity: 60 })
    applyReadings(latest, batch(place(270_000)), stored(3))
    expect(shown()).toEqual({ device: 0, at: 270_000, lat: 31.5, lng: 74.3 })
  })

  test('and the newest known values of its sensors are the same, in whatever order and batches readings come', () => {
    const value = fc.option(fc.integer({ min: 0, max: 90 }), { nil: undefined })
    const reading = fc.record({ at: fc.integer({ min: 1, max: 60 }), temperature: value, humidity: value })
    const readings = fc.uniqueArray(reading, { minLength: 1, maxLength: 12, selector: ({ at }) => at })
    const inSomeOrder = readings.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray([...all, ...all], { minLength: 2 * all.length }),
        fc.integer({ min: 1, max: 5 }),
      ),
    )
    fc.assert(
      fc.property(inSomeOrder, ([all, sent, size]) => {
        const latest = emptyLatest(1)
        for (let i = 0; i < sent.length; i += size)
          applyReadings(
            latest,
            batch(...sent.slice(i, i + size).map((one) => ({ device: 0, ...one, at: one.at * MINUTE }))),
            stored(i + 1),
          )
        const inOrder = all.toSorted((a, b) => a.at - b.at)
        const newest = inOrder.at(-1)?.at as number
        const knownOf = (field: 'temperature' | 'humidity') => {
          const [last, before] = inOrder.filter((one) => one[field] !== undefined).toReversed()
          if (last === undefined) return undefined
          const until = Math.min(
            2.5 * (last.at - (before?.at ?? Number.NEGATIVE_INFINITY)),
            PATIENCE / MINUTE,
          )
          return last.at === newest || newest - last.at < until ? last[field] : undefined
        }
        const { at, temperature, humidity } = readingAt(latest.readings, 0)
        expect({ at, temperature, humidity }).toEqual({
          at: newest * MINUTE,
          temperature: knownOf('temperature'),
          humidity: knownOf('humidity'),
        })
      }),
      { numRuns: 1000 },
    )
  })

  test('the way travelled is the sum of its steps; a wild fix does not count', () => {
    const latest = emptyLatest()
    const at = (lat: number, time: number): Reading => ({ device: 0, at: time, lat, lng: 74 })
    applyReadings(latest, batch(at(31, 1), at(31.01, 2), at(31.02, 3), at(55, 4)), stored(1))
    expect(latest.odometer[0]).toBeCloseTo(2.224, 2)
  })
})

describe('the state of a device', () => {
  const envelope = { id: 'f', v: 1, at: 1, recordedAt: 1, companyId: 'c' }
  const imei = '350000000000000'
  const facts: Fact[] = [
    {
      ...envelope,
      seq: 1,
      type: 'device.registered',
      data: {
        no: 0,
        imei,
        companyId: 'c',
        groupId: null,
        name: 'Truck',
        plateNumber: '',
        vehicleMakeAndModel: '',
        type: 'vehicle',
        source: 'api',
      },
    },
    {
      ...envelope,
      seq: 2,
      type: 'device-status.changed',
      data: { imei, from: 'disconnected', to: 'online' },
    },
    {
      ...envelope,
      seq: 3,
      type: 'violation.opened',
      data: {
        violationId: 'v',
        imei,
        type: 'HIGH_TEMPERATURE_DETECTED',
        threshold: 8,
        delaySeconds: 60,
        clearMargin: 0.5,
        since: 1,
        value: 9,
        lat: null,
        lng: null,
        readings: [],
      },
    },
    { ...envelope, seq: 4, type: 'sensor.unplugged', data: { imei } },
    {
      ...envelope,
      seq: 5,
      type: 'violation.cleared',
      data: {
        violationId: 'v',
        imei,
        type: 'HIGH_TEMPERATURE_DETECTED',
        value: 5,
        worst: 9,
        durationSeconds: 60,
        reason: 'sensor-unplugged',
      },
    },
  ]
  const stateAfter = (n: number) => {
    const directory = emptyDirectory()
    const latest = emptyLatest()
    for (const fact of facts.slice(0, n)) {
      evolve(directory, fact)
      applyFact(latest, directory, fact)
    }
    return latest.state[0] as number
  }

  test('a device never heard is disconnected', () => expect(statusOf(stateAfter(1))).toBe('disconnected'))
  test('its status is the last one told', () => expect(statusOf(stateAfter(2))).toBe('online'))
  test('a violation shows until it is cleared', () => {
    expect(violationsOf(stateAfter(3))).toEqual(['HIGH_TEMPERATURE_DETECTED'])
    expect(violationsOf(stateAfter(5))).toEqual([])
    expect(statusOf(stateAfter(5))).toBe('online')
  })
  test('an unplugged sensor shows', () => expect(stateAfter(4) & SENSOR_UNPLUGGED).toBe(SENSOR_UNPLUGGED))
})

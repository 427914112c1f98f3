import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createReadings,
  LATE_UNKNOWN,
  pushReading,
  READING_FIELD_NAMES,
  READING_FIELDS,
  type ReadingColumns,
  readingAt,
} from '#machines/contracts/readings.ts'
import { DAY, decodeChunk, decodeTimes, encodeChunk } from './chunk.ts'

const day = 20_000
const device = 4_000_000
/** a chunk of device 7 as the first release wrote it */
const VERSION_1 = '0102004827300200006a006fffff000000c802e05d00002020'

/** a column that behaves like measured ones do, or like none does */
const column = (low: number, high: number, missing: number, count: number) => {
  const value = fc.integer({ min: low, max: high })
  return fc.oneof(
    fc.array(fc.oneof({ weight: 5, arbitrary: value }, fc.constant(missing)), {
      minLength: count,
      maxLength: count,
    }),
    fc.oneof(value, fc.constant(missing)).map((same) => Array.from({ length: count }, () => same)),
    fc
      .tuple(
        value,
        fc.array(fc.integer({ min: -3, max: 3 }), { minLength: count, maxLength: count }),
        fc.nat(9),
      )
      .map(([start, drifts, gap]) =>
        drifts.map((drift, i) =>
          gap > 5 && i % gap === 0 ? missing : Math.min(high, Math.max(low, start + drift)),
        ),
      ),
  )
}

const chunks = fc
  .oneof(
    fc.uniqueArray(fc.integer({ min: 0, max: DAY - 1 }), { maxLength: 60 }),
    fc
      .tuple(fc.nat(1000), fc.integer({ min: 1, max: 300_000 }), fc.nat(250))
      .map(([start, step, count]) => Array.from({ length: count }, (_, i) => start + i * step))
      .map((times) => times.filter((time) => time < DAY)),
    fc.uniqueArray(fc.double({ min: 0, max: DAY - 1, noNaN: true }), { maxLength: 20 }),
  )
  .map((times) => [...new Set(times.map((time) => day * DAY + time))].sort((a, b) => a - b))
  .chain((times) =>
    fc
      .tuple(
        ...READING_FIELD_NAMES.map((name) => {
          const { missing } = READING_FIELDS[name]
          const array = createReadings(1)[name]
          const bits = array.BYTES_PER_ELEMENT * 8
          const signed = missing < 0
          const low = signed ? -(2 ** (bits - 1)) : 0
          return column(low, low + 2 ** bits - 1, missing, times.length)
        }),
      )
      .chain((columns) =>
        column(-300, 100_000, LATE_UNKNOWN, times.length).map((lateBy) => ofColumns(times, columns, lateBy)),
      ),
  )

function ofColumns(times: number[], columns: number[][], lateBy: number[]): ReadingColumns {
  const readings = createReadings(times.length)
  readings.length = times.length
  readings.device.fill(device)
  readings.at.set(times)
  readings.lateBy.set(lateBy)
  for (const [f, name] of READING_FIELD_NAMES.entries()) readings[name].set(columns[f] ?? [])
  return readings
}

describe('a chunk', () => {
  test('gives back every column exactly, whatever the numbers', () => {
    fc.assert(
      fc.property(chunks, (readings) => {
        const bytes = encodeChunk(readings)
        expect(decodeChunk(bytes, device, day)).toEqual(readings)
        expect(decodeTimes(bytes, day)).toEqual(readings.at)
      }),
      { numRuns: 300 },
    )
  })

  test('costs next to nothing for columns that stand still', () => {
    const still = createReadings(360)
    for (let i = 0; i < 360; i++)
      pushReading(still, {
        device,
        at: day * DAY + i * 10_000,
        lat: 31.5,
        lng: 74.3,
        temperature: 4,
        ignition: 0,
      })
    expect(encodeChunk(still).length).toBeLessThan(40)
  })

  test('of a truck on the road takes at most 6 bytes a reading', () => {
    const road = createReadings(360)
    let lat = 31.5
    let lng = 74.3
    const chance = noise(7)
    let speed = 70
    let heading = 200
    for (let i = 0; i < 360; i++) {
      speed += chance() * 2
      heading = (heading + chance() * 3 + 360) % 360
      lat += (Math.cos((heading * Math.PI) / 180) * speed * 10) / 3600 / 111
      lng += (Math.sin((heading * Math.PI) / 180) * speed * 10) / 3600 / 95
      pushReading(road, {
        device,
        at: day * DAY + i * 10_000,
        lat,
        lng,
        speed,
        heading,
        temperature: 4 + Math.sin(i / 40) + chance() * 0.05,
        humidity: 60 + Math.sin(i / 30) * 5 + chance() * 0.2,
        gsmSignal: 4,
        gnssStatus: 1,
        externalVoltage: 27.9 + chance() * 0.03,
        batteryVoltage: 4.05,
        ignition: 1,
        unplug: 0,
      })
    }
    expect(encodeChunk(road).length / 360).toBeLessThan(6)
  })

  test('of an earlier release is read, and knows neither when its readings were received nor their doors', () => {
    const readings = decodeChunk(ofHex(VERSION_1), 7, day)
    const known = [0, 1].map((i) => ({
      device: 7,
      at: day * DAY + i * 10_000,
      temperature: 4 + i,
      humidity: 60,
      ignition: 1,
    }))
    expect([0, 1].map((i) => readingAt(readings, i))).toEqual(known)
    expect([...readings.lateBy]).toEqual([LATE_UNKNOWN, LATE_UNKNOWN])
  })

  test('of readings on time pays three bytes at most for saying so', () => {
    const readings = createReadings(360)
    for (let i = 0; i < 360; i++)
      pushReading(readings, { device, at: day * DAY + i * 10_000, temperature: 4 })
    const unsaid = encodeChunk(readings).length
    for (let i = 0; i < 360; i++) readings.lateBy[i] = 0
    expect(encodeChunk(readings).length - unsaid).toBeLessThanOrEqual(3)
  })

  test('that is cut off or of another version is refused', () => {
    expect(() => decodeChunk(Uint8Array.of(9, 0), device, day)).toThrow(/version 9/)
    expect(() => decodeChunk(Uint8Array.of(1, 200, 1, 0, 0), device, day)).toThrow(RangeError)
  })
})

function noise(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state / 2 ** 32 - 0.5) * 2
  }
}

function ofHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}

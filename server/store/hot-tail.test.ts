import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createReadings,
  LATE_UNKNOWN,
  pushReading,
  READING_COLUMN_NAMES,
  READING_FIELDS,
  type Reading,
  readingAt,
} from '#machines/contracts/readings.ts'
import { HotTail } from './hot-tail.ts'

const columnsOf = (readings: readonly Reading[]) => {
  const columns = createReadings(readings.length)
  for (const reading of readings) pushReading(columns, reading)
  return columns
}

const SEGMENT = 65_536
const reading = fc.record({ device: fc.nat(3), at: fc.integer({ min: 1, max: 40 }).map((n) => n * 2 ** 31) })

test('it has what it was given and did not forget, whichever segment that is in', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ readings: fc.array(reading, { maxLength: 20 }), keeps: fc.nat(30) }), {
        maxLength: 6,
      }),
      fc.integer({ min: SEGMENT - 40, max: SEGMENT }),
      (steps, before) => {
        const tail = new HotTail()
        // another device fills most of a segment, so that the end of it comes while rows are told apart
        tail.append(columnsOf(Array.from({ length: before }, (_, at) => ({ device: 9, at }))))
        const rows: Reading[] = []
        let forgotten = 0
        for (const { readings, keeps } of steps) {
          tail.append(columnsOf(readings))
          rows.push(...readings)
          tail.forget(tail.end - keeps)
          forgotten = Math.max(forgotten, rows.length - keeps)
          const kept = rows.slice(forgotten)
          for (const { device, at } of rows)
            expect(tail.has(device, at)).toBe(kept.some((one) => one.device === device && one.at === at))
          expect(tail.has(4, 2 ** 31)).toBe(false)
        }
      },
    ),
    { numRuns: 30 },
  )
})

test('segments that are used again know nothing of what they held', () => {
  const tail = new HotTail()
  for (let round = 0; round < 3; round++) {
    tail.append(
      columnsOf(Array.from({ length: SEGMENT }, (_, i) => ({ device: 1, at: round * SEGMENT + i }))),
    )
    tail.forget(tail.end)
    expect(tail.has(1, round * SEGMENT)).toBe(false)
  }
})

test('what it answers of a device is what it was given of it, in every column, over segments too', () => {
  const tail = new HotTail()
  const given = createReadings(SEGMENT + 4000)
  const ends = Object.entries(READING_FIELDS)
  for (let i = 0; i < SEGMENT + 4000; i++) {
    // the lowest value, the highest, and none
    const values = ends.map(([name, { min, max }]) => [name, [min, max, undefined][(i >> 2) % 3]])
    pushReading(given, { device: i % 7, at: 2 ** 41 + (i % 5) * 1000 + i, ...Object.fromEntries(values) })
    given.lateBy[i] = [0, 121, -300, LATE_UNKNOWN, 0x7fffffff][i % 5]!
  }
  tail.append(given)
  for (const device of [0, 3, 6]) {
    const own = Array.from({ length: given.length }, (_, i) => i).filter((i) => given.device[i] === device)
    const answered = tail.readingsOf(device, 0, Number.POSITIVE_INFINITY)
    expect(answered.length).toBe(own.length)
    for (const name of READING_COLUMN_NAMES)
      expect(Array.from(answered[name])).toEqual(own.map((i) => given[name][i]))
    const hot = tail.rowsOf(device, ['temperature'])
    expect(Array.from(hot.rows)).toEqual(own)
    expect(Array.from(hot.readings.temperature)).toEqual(own.map((i) => given.temperature[i]))
    expect(readingAt(hot.readings, 0).humidity).toBeUndefined()
  }
})

test('that a device has very many rows makes no look longer', () => {
  const tail = new HotTail()
  const [rows, looks] = [400_000, 100_000]
  for (let from = 0; from < rows; from += 50_000)
    tail.append(columnsOf(Array.from({ length: 50_000 }, (_, i) => ({ device: 1, at: (from + i) * 1000 }))))
  let found = 0
  // a walk over all rows for each of them would take minutes
  for (let i = 0; i < looks; i++) if (tail.has(1, i * 500)) found++
  expect(found).toBe(looks / 2)
})

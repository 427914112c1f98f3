import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createReadings } from '#machines/contracts/readings.ts'
import { keepRecent } from './recent-records.ts'
import type { LogRecord } from './store.ts'

const batch = (seq: number, length: number): LogRecord => ({
  ...{ seq, kind: 'readings', recordedAt: seq },
  readings: { ...createReadings(0), length },
})

/** A log of batches of so many readings each. */
function logOf(...sizes: number[]) {
  const records = sizes.map((length, i) => batch(i + 1, length))
  const read = vi.fn((after: number, limit: number) =>
    records.filter(({ seq }) => seq > after).slice(0, limit),
  )
  return { records, read, head: () => records.length }
}

test('what was committed last is read once for all who follow', () => {
  const log = logOf(10, 10, 10)
  const read = keepRecent(log.read, log.head)
  const first = read(0, 100)
  expect(read(0, 100)).toEqual(first)
  expect(read(2, 100)).toEqual(first.slice(2))
  expect(read(1, 1)).toEqual(first.slice(1, 2))
  expect(read(3, 100)).toEqual([])
  expect(log.read).toHaveBeenCalledTimes(1)
})

test('whoever follows gets what the log has, whatever was read before', () => {
  const Step = fc.oneof(
    fc.record({ append: fc.integer({ min: 0, max: 40_000 }) }),
    fc.record({ after: fc.nat(12), limit: fc.integer({ min: 1, max: 5 }) }),
  )
  fc.assert(
    fc.property(fc.array(Step, { maxLength: 40 }), (steps) => {
      const log = logOf(5)
      const read = keepRecent(log.read, log.head)
      for (const step of steps)
        if ('append' in step) log.records.push(batch(log.records.length + 1, step.append))
        else {
          const { after, limit } = step
          const seqs = (records: LogRecord[]) => records.map(({ seq }) => seq)
          expect(seqs(read(after, limit))).toEqual(
            seqs(log.records.filter(({ seq }) => seq > after).slice(0, limit)),
          )
        }
    }),
  )
})

test('what is large is not held in memory', () => {
  const log = logOf(40_000, 40_000)
  const read = keepRecent(log.read, log.head)
  read(0, 100)
  read(1, 100)
  expect(log.read).toHaveBeenCalledTimes(1)
  read(0, 100)
  expect(log.read).toHaveBeenCalledTimes(2)
})

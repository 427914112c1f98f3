import type { NewFact } from '#machines/contracts/facts.ts'
import {
  createReadings,
  lateByOf,
  pushReading,
  type Reading,
  type ReadingColumns,
  readingAt,
} from '#machines/contracts/readings.ts'
import type { AsideReading } from '../../store/aside.ts'
import type { Store } from '../../store/store.ts'

/**
 * A store of which the test decides when, and whether, it has written. Remembers every reading and fact it was given.
 * @param options.looksFor how long a look for a reading takes: it sees what was there when it began
 */
export function telemetryDouble(options: { holds?: boolean; looksFor?: () => Promise<unknown> } = {}) {
  const readings: Reading[] = []
  const received = new Map<Reading, number>()
  const aside: AsideReading[] = []
  const batches: number[] = []
  const facts: NewFact[] = []
  const held: PromiseWithResolvers<void>[] = []
  let isHolding = options.holds ?? false
  let seq = 0
  const store = {
    telemetry: {
      async append(columns: ReadingColumns, receivedAt = 0) {
        const rows = Array.from({ length: columns.length }, (_, i) => readingAt(columns, i))
        if (isHolding) {
          const gate = Promise.withResolvers<void>()
          held.push(gate)
          await gate.promise
        }
        readings.push(...rows)
        for (const row of rows) received.set(row, receivedAt)
        batches.push(rows.length)
        return { seq: ++seq }
      },
      async has(device: number, at: number) {
        const isThere = readings.some((one) => one.device === device && one.at === at)
        await options.looksFor?.()
        return isThere
      },
      async history(device: number, from: number, to: number) {
        const found = readings.filter((one) => one.device === device && one.at >= from && one.at < to)
        const columns = createReadings(found.length)
        for (const one of found.toSorted((a, b) => a.at - b.at)) {
          pushReading(columns, one)
          columns.lateBy[columns.length - 1] = lateByOf(one.at, received.get(one) ?? one.at)
        }
        return columns
      },
    },
    aside: {
      async add(kept: AsideReading[]) {
        aside.push(...kept)
      },
      async heldOf(devices: number[]) {
        const isOf = (no: number) =>
          aside.filter(({ kind, reading }) => kind === 'held' && reading.device === no)
        return new Map(devices.map((no) => [no, isOf(no).length]))
      },
    },
    log: {
      async append(_: string, news: NewFact[]) {
        facts.push(...news)
        return { facts: [], version: 0, repeated: false }
      },
    },
  } as unknown as Pick<Store, 'log' | 'telemetry' | 'aside'>
  return {
    store,
    readings,
    /** kept beside them */
    aside,
    batches,
    facts,
    /** writes that wait for the test */
    held,
    hold() {
      isHolding = true
    },
    release() {
      isHolding = false
      for (const gate of held.splice(0)) gate.resolve()
    },
    fail(error: Error) {
      for (const gate of held.splice(0)) gate.reject(error)
    },
  }
}

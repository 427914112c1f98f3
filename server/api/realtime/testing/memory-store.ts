import type { Fact, NewFact } from '#machines/contracts/facts.ts'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { createDamageRegister } from '../../../store/damage.ts'
import type { Store } from '../../../store/store.ts'

/** What delivery needs of a store, held in memory: records in order, published as soon as they are there. */
export type MemoryStore = {
  store: Store
  add(facts: NewFact[]): number
  addReadings(readings: ReadingColumns, recordedAt?: number): number
}

export function memoryStore(): MemoryStore {
  const records: ReturnType<Store['log']['read']> = []
  const listeners = new Set<(head: number) => void>()
  const notify = () => {
    for (const listener of listeners) listener(records.length)
    return records.length
  }
  const unused = () => {
    throw new Error('delivery does not ask for this')
  }
  return {
    store: {
      log: {
        append: unused,
        readStream: unused,
        version: unused,
        appended: unused,
        caughtUp: async () => records.length,
        readStored: unused,
        readFacts: (after, { limit = 1000, types } = {}) =>
          records
            .slice(after)
            .flatMap((r) => (r.kind === 'fact' ? [r.fact] : []))
            .filter((fact) => types?.includes(fact.type) ?? true)
            .slice(0, limit),
        read: (after, limit) => records.slice(after, after + limit),
        head: () => records.length,
        onCommit(listener) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      },
      telemetry: {
        append: unused,
        batchesFrom: unused,
        missingDays: unused,
        putDays: unused,
        history: unused,
        packed: unused,
        hold: unused,
        has: unused,
        daySummaries: unused,
        maintain: unused,
        storedDays: unused,
        dropReadings: unused,
        storedBytes: unused,
        uncompacted: unused,
      },
      answers: { claim: unused, keep: unused, release: unused, drop: unused },
      seals: {
        extend: unused,
        size: unused,
        tile: unused,
        heads: unused,
        keepHead: unused,
        holdBatches: unused,
        compacted: unused,
        noteStated: unused,
        entries: unused,
        factText: unused,
        groups: unused,
        group: unused,
      },
      aside: {
        add: unused,
        of: unused,
        lastOf: unused,
        heldOf: unused,
        due: unused,
        settle: unused,
        drop: unused,
        dropMeasured: unused,
      },
      frames: {
        put: unused,
        upTo: unused,
        next: unused,
        span: unused,
        lateDevices: unused,
        lateAmong: unused,
        drop: unused,
      },
      checkpoints: { save: unused, load: () => undefined, caughtUp: unused },
      damage: createDamageRegister(),
      check: async () => true,
      close: async () => {},
    },
    add(facts) {
      for (const fact of facts) {
        const seq = records.length + 1
        const stored = { ...fact, seq, id: `f${seq}`, v: 1, recordedAt: fact.at } as Fact
        records.push({ seq, kind: 'fact', fact: stored })
      }
      return notify()
    },
    addReadings(readings, recordedAt = 0) {
      records.push({ seq: records.length + 1, kind: 'readings', recordedAt, readings })
      return notify()
    },
  }
}

import { setImmediate } from 'node:timers/promises'
import type { Fact, NewFact } from '#machines/contracts/facts.ts'
import { emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { type EventLog, StoreUnavailable, VersionConflict } from '../../store/store.ts'

/** A record that several nodes append to, each of which holds what it has heard of it. */
export function openRecord(facts: NewFact[] = []) {
  const record: { stream: string; fact: Fact }[] = []
  const keys = new Map<string, Fact[]>()
  let isAway = false
  let requests = 0
  const add = (stream: string, fact: NewFact): Fact => {
    const seq = record.length + 1
    const stored = { ...fact, seq, id: `f${seq}`, v: 1, recordedAt: fact.at } as Fact
    record.push({ stream, fact: stored })
    return stored
  }
  const versionAt = (stream: string, head: number) =>
    record.slice(0, head).filter((each) => each.stream === stream).length
  /** a request to the record takes its time */
  async function reached(): Promise<void> {
    requests++
    await setImmediate()
    if (isAway) throw new StoreUnavailable('nobody answers')
  }
  for (const fact of facts) add('setup', fact)

  function node() {
    const directory = emptyDirectory()
    const readModels = { seq: 0, directory, settled: async (seq: number) => hear(seq) }
    let head = 0
    function hear(upTo: number): void {
      head = Math.max(head, Math.min(upTo, record.length))
      for (; readModels.seq < head; readModels.seq++)
        evolve(directory, (record[readModels.seq] as { fact: Fact }).fact)
    }
    const log: Pick<EventLog, 'head' | 'version' | 'caughtUp' | 'append' | 'appended'> = {
      head: () => head,
      version: (stream) => versionAt(stream, head),
      async caughtUp() {
        await reached()
        hear(record.length)
        return record.length
      },
      async appended(idempotencyKey) {
        await reached()
        const facts = keys.get(idempotencyKey)
        if (facts === undefined) return undefined
        hear(record.length)
        return { facts, version: 0, repeated: true }
      },
      async append(stream, news, { expectedVersion = 'any', idempotencyKey } = {}) {
        await reached()
        const before = keys.get(idempotencyKey ?? '')
        if (before) {
          hear(record.length)
          return { facts: before, version: versionAt(stream, record.length), repeated: true }
        }
        const actual = versionAt(stream, record.length)
        if (expectedVersion !== 'any' && expectedVersion !== actual)
          throw new VersionConflict(stream, expectedVersion, actual)
        const stored = news.map((fact) => add(stream, fact))
        if (idempotencyKey !== undefined) keys.set(idempotencyKey, stored)
        hear(record.length)
        return { facts: stored, version: actual + stored.length, repeated: false }
      },
    }
    hear(record.length)
    return {
      log,
      readModels,
      directory,
      /** hears of the record up to there */
      hear,
    }
  }
  return {
    record,
    node,
    /** how often somebody asked the record or wanted to append to it */
    requested: () => requests,
    /** whether nobody can ask the record or append to it */
    away(is: boolean): void {
      isAway = is
    },
  }
}

import { expect, onTestFinished, test, vi } from 'vitest'
import { StoreUnavailable } from '../store.ts'
import { FACT_FORMAT } from '../upcast.ts'
import { type Copy, openCopy } from './copy.ts'
import type { Database } from './database.ts'
import { Follower } from './follower.ts'
import { createWriter } from './writer.ts'

const ORIGINAL = { database: 'd', epoch: 1 }
const DISK_FULL = Object.assign(new Error('database or disk is full'), {
  code: 'ERR_SQLITE_ERROR',
  errcode: 13,
})
/** The state of the record and its one batch, as the database answers who asks for what comes after nothing. */
const FETCHED = {
  ...{ ...ORIGINAL, head: 1, deleted_through: 0 },
  ...{ seq: 1, stream: null, recorded_at: 5, sum: null, bytes: Buffer.alloc(8) },
}

/** A follower of a record of one batch, and a writer, on a disk and a database that a test has say no, and what they told. */
function follower() {
  vi.useFakeTimers()
  const calls = { stale: [] as string[], unable: [] as string[], appends: 0 }
  const no: { disk?: Error; database?: Error } = {}
  const held = openCopy(':memory:', ORIGINAL, FACT_FORMAT)
  const copy: Copy = {
    ...held,
    take(rows, head) {
      if (no.disk) throw new StoreUnavailable(no.disk)
      held.take(rows, head)
    },
  }
  const sql = async ([text = '']: TemplateStringsArray) => {
    if (!text.includes('append_flush')) return [FETCHED]
    calls.appends++
    return [{ answers: [{ first: 1, count: 1 }] }]
  }
  const database = {
    ask: async (work: (requested: typeof sql) => unknown) => {
      if (no.database) throw new StoreUnavailable(no.database)
      return work(sql)
    },
    isUp: () => no.database === undefined,
    up: async () => {},
    listen: () => () => {},
    onReconnect: () => () => {},
  } as unknown as Database
  const started = new Follower(database, copy, ORIGINAL, {
    onStale: (why) => calls.stale.push(why),
    onUnable: (why) => calls.unable.push(why),
  })
  const writer = createWriter(database, started, ORIGINAL.epoch)
  onTestFinished(() => {
    started.stop()
    held.close()
    vi.useRealTimers()
  })
  return { follower: started, writer, copy, calls, no }
}

test('a disk that does not take the record is told of from 5 s on, until it does', async () => {
  const { copy, calls, no } = follower()
  no.disk = DISK_FULL
  await vi.advanceTimersByTimeAsync(4_000)
  expect(calls.unable).toEqual([])
  await vi.advanceTimersByTimeAsync(3_000)
  expect(new Set(calls.unable)).toEqual(new Set(["the store can't write now: database or disk is full"]))
  delete no.disk
  await vi.advanceTimersByTimeAsync(1_000)
  const before = calls.unable.length
  await vi.advanceTimersByTimeAsync(10_000)
  expect([copy.head(), calls.unable.length, calls.stale]).toEqual([1, before, []])
})

test('a database that is away says nothing against this node', async () => {
  const { copy, calls, no } = follower()
  no.database = new Error('it does not answer')
  await vi.advanceTimersByTimeAsync(20_000)
  delete no.database
  await vi.advanceTimersByTimeAsync(1_000)
  expect([copy.head(), calls.unable, calls.stale]).toEqual([1, [], []])
})

test('what cannot be had here for 5 s is not waited for any longer', async () => {
  const { follower: one, no } = follower()
  for (const part of ['disk', 'database'] as const) {
    no[part] = DISK_FULL
    const reached = expect(one.reached(1)).rejects.toThrow(StoreUnavailable)
    await vi.advanceTimersByTimeAsync(10_000)
    await reached
    delete no[part]
  }
  const reached = one.reached(1)
  await vi.advanceTimersByTimeAsync(1_000)
  await reached
})

test('what is stored and cannot be had here is answered in the end, nothing more is sent, and closing ends', async () => {
  const { writer, calls, no } = follower()
  no.disk = DISK_FULL
  const refused = () =>
    expect(writer.submit({ kind: 'batch', recordedAt: 5, bytes: FETCHED.bytes })).rejects.toThrow(
      StoreUnavailable,
    )
  for (let appends = 1; appends <= 3; appends++) {
    const answered = refused()
    await vi.advanceTimersByTimeAsync(10_000)
    await answered
  }
  const last = refused()
  const closed = writer.close()
  await vi.advanceTimersByTimeAsync(20_000)
  await Promise.all([last, closed])
  expect(calls.appends).toBe(1)
})

import { expect, onTestFinished, test, vi } from 'vitest'
import { StoreUnavailable } from '../store.ts'
import { FACT_FORMAT } from '../upcast.ts'
import { type Copy, openCopy } from './copy.ts'
import type { Database } from './database.ts'
import type { Fetched } from './fetching.ts'
import { Follower } from './follower.ts'

const ORIGINAL = { database: 'd', epoch: 1 }
const DISK_FULL = Object.assign(new Error('database or disk is full'), {
  code: 'ERR_SQLITE_ERROR',
  errcode: 13,
})
const ROW = { seq: 1, recorded_at: 5, bytes: new Uint8Array(8), sum: null }

/** A follower of a record of one batch, on a disk and a database that a test has say no, and what it told. */
function follower() {
  vi.useFakeTimers()
  const said = { stale: [] as string[], unable: [] as string[] }
  const no: { disk?: Error; database?: Error } = {}
  const held = openCopy(':memory:', ORIGINAL, FACT_FORMAT)
  const copy: Copy = {
    ...held,
    take(rows, head) {
      if (no.disk) throw new StoreUnavailable(no.disk)
      held.take(rows, head)
    },
  }
  const fetched: Fetched = { ...ORIGINAL, head: 1, deletedThrough: 0, rows: [ROW], through: 1 }
  const database = {
    ask: async () => {
      if (no.database) throw new StoreUnavailable(no.database)
      return fetched
    },
    listen: () => () => {},
    onReconnect: () => () => {},
  } as unknown as Database
  const started = new Follower(database, copy, ORIGINAL, {
    onStale: (why) => said.stale.push(why),
    onUnable: (why) => said.unable.push(why),
  })
  onTestFinished(() => {
    started.stop()
    held.close()
    vi.useRealTimers()
  })
  return { follower: started, copy, said, no }
}

test('a disk that does not take the record is told of from 5 s on, until it does', async () => {
  const { copy, said, no } = follower()
  no.disk = DISK_FULL
  await vi.advanceTimersByTimeAsync(4_000)
  expect(said.unable).toEqual([])
  await vi.advanceTimersByTimeAsync(3_000)
  expect(new Set(said.unable)).toEqual(new Set(["the store can't write now: database or disk is full"]))
  delete no.disk
  await vi.advanceTimersByTimeAsync(1_000)
  const before = said.unable.length
  await vi.advanceTimersByTimeAsync(10_000)
  expect([copy.head(), said.unable.length, said.stale]).toEqual([1, before, []])
})

test('a database that is away says nothing against this node', async () => {
  const { copy, said, no } = follower()
  no.database = new Error('it does not answer')
  await vi.advanceTimersByTimeAsync(20_000)
  delete no.database
  await vi.advanceTimersByTimeAsync(1_000)
  expect([copy.head(), said.unable, said.stale]).toEqual([1, [], []])
})

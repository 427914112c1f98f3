import { expect, onTestFinished, test, vi } from 'vitest'
import type { Database } from '../store/postgres/database.ts'
import { StoreUnavailable } from '../store/store.ts'
import { openSharedValues } from './shared-values.ts'

type Rows = Record<string, { name: string; value: unknown; revision: number }>

/** A database of these rows, and how it speaks up by itself. */
function databaseOf(rows: Rows) {
  const listeners = { hear: (_: string) => {}, begin: () => {}, reconnect: () => {} }
  const database = {
    ask: vi.fn(async () => structuredClone(Object.values(rows))),
    listen: (_: string, listener: typeof listeners.hear, onBegin = () => {}) => {
      Object.assign(listeners, { hear: listener, begin: onBegin })
      return () => {}
    },
    onReconnect: (listener: typeof listeners.reconnect) => {
      listeners.reconnect = listener
      return () => {}
    },
  }
  return {
    ask: database.ask,
    hear: (message: string) => listeners.hear(message),
    begin: () => listeners.begin(),
    reconnect: () => listeners.reconnect(),
    open: () => openSharedValues(database as unknown as Database),
  }
}

test('a change that could not be fetched when it was told of is fetched afterwards', async () => {
  const rows: Rows = { cancel: { name: 'cancel', value: [], revision: 1 } }
  const { ask, hear, open } = databaseOf(rows)
  const values = await open()
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  rows.cancel = { name: 'cancel', value: ['import'], revision: 2 }
  const busy = new StoreUnavailable('all connections to PostgreSQL are busy')
  ask.mockRejectedValueOnce(busy).mockRejectedValueOnce(busy)
  hear('cancel')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(values.get('cancel')).toEqual(['import'])
  expect(vi.getTimerCount()).toBe(0)
  ask.mockRejectedValueOnce(busy)
  hear('cancel')
  await vi.advanceTimersByTimeAsync(0)
  values.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('a change before the database tells of any is not missed', async () => {
  const rows: Rows = { clock: { name: 'clock', value: { speed: 1 }, revision: 1 } }
  const { begin, open } = databaseOf(rows)
  const values = await open()
  const heard: unknown[] = []
  values.onChange((...change) => heard.push(change))
  rows.clock = { name: 'clock', value: { speed: 60 }, revision: 2 }
  begin()
  await new Promise((resolve) => setImmediate(resolve))
  expect(heard).toEqual([['clock', { speed: 60 }]])
})

test('what a server that took over lacks is given up, and what is set there is heard, whatever its revision', async () => {
  const rows: Rows = {
    clock: { name: 'clock', value: { speed: 60 }, revision: 5 },
    keys: { name: 'keys', value: ['k'], revision: 2 },
    trial: { name: 'trial', value: 't', revision: 1 },
  }
  const { hear, reconnect, open } = databaseOf(rows)
  const values = await open()
  const heard: unknown[] = []
  values.onChange((...change) => heard.push(change))

  rows.clock = { name: 'clock', value: { speed: 1 }, revision: 4 }
  delete rows.trial
  // the same server, as answers may overtake each other
  hear('clock')
  await values.refresh()
  expect(heard).toEqual([])
  reconnect()
  await vi.waitUntil(() => heard.length > 0)
  expect(heard).toEqual([
    ['clock', { speed: 1 }],
    ['trial', undefined],
  ])
  expect(values.get('trial')).toBeUndefined()

  rows.clock = { name: 'clock', value: { speed: 10 }, revision: 5 }
  hear('clock')
  await vi.waitUntil(() => heard.length > 2)
  expect(values.get('clock')).toEqual({ speed: 10 })
  expect(heard).toHaveLength(3)
})

import { expect, test, vi } from 'vitest'
import type { Database } from '../store/postgres/database.ts'
import { openSharedValues } from './shared-values.ts'

test('what a server that took over lacks is given up, and what is set there is heard, whatever its revision', async () => {
  const rows = {
    clock: { name: 'clock', value: { speed: 60 }, revision: 5 },
    keys: { name: 'keys', value: ['k'], revision: 2 },
  }
  let hear: (message: string) => void = () => {}
  let reconnect: () => void = () => {}
  const database = {
    ask: async () => structuredClone(Object.values(rows)),
    listen: (_: string, listener: typeof hear) => {
      hear = listener
      return () => {}
    },
    onReconnect: (listener: typeof reconnect) => {
      reconnect = listener
      return () => {}
    },
  } as unknown as Database
  const values = await openSharedValues(database)
  const heard: unknown[] = []
  values.onChange((...change) => heard.push(change))

  rows.clock = { name: 'clock', value: { speed: 1 }, revision: 4 }
  // the same server, as answers may overtake each other
  hear('clock')
  await values.refresh()
  expect(heard).toEqual([])
  reconnect()
  await vi.waitUntil(() => heard.length > 0)
  expect(heard).toEqual([['clock', { speed: 1 }]])

  rows.clock = { name: 'clock', value: { speed: 10 }, revision: 5 }
  hear('clock')
  await vi.waitUntil(() => heard.length > 1)
  expect(values.get('clock')).toEqual({ speed: 10 })
  expect(heard).toHaveLength(2)
})

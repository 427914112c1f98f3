import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../tools/local-cluster/test-database.ts'
import { openDatabase } from '../store/postgres/database.ts'
import { migrate } from '../store/postgres/migrations.ts'
import { createReportFiles } from '../store/report-files.ts'
import { alone } from './alone.ts'
import type { Cluster } from './cluster.ts'
import { openNotifyBus } from './notify-bus.ts'
import { joinOthers } from './several.ts'

let url: string
beforeAll(async () => {
  url = await emptyDatabase()
  const database = await openDatabase(url)
  await migrate(database)
  await database.close()
})

async function join(node: string): Promise<Cluster> {
  const database = await openDatabase(url)
  const bus = openNotifyBus(database)
  const files = createReportFiles(':memory:')
  const cluster = await joinOthers({ database, bus, node, address: `http://${node}`, files })
  onTestFinished(async () => {
    await cluster.close()
    await bus.close()
    await database.close()
  })
  return cluster
}
/** resolves with the next change of a value that this node hears of */
const next = ({ values }: Cluster): Promise<[string, unknown]> =>
  new Promise((resolve) => {
    const stop = values.onChange((name, value) => {
      stop()
      resolve([name, value])
    })
  })

test('what one node sets all hear, who comes later finds it, and nobody goes back to what was before', async () => {
  const [first, second] = [await join('first'), await join('second')]
  const heard = next(second)
  await first.values.set('clock', { at: 1, speed: 60 })
  expect(first.values.get('clock')).toEqual({ at: 1, speed: 60 })
  expect(await heard).toEqual(['clock', { at: 1, speed: 60 }])
  const all = Promise.all(
    Array.from({ length: 20 }, (_, i) => [first, second][i % 2]?.values.set('clock', i)),
  )
  await all
  await Promise.all([first, second].map(({ values }) => values.refresh()))
  const third = await join('third')
  expect(new Set([first, second, third].map(({ values }) => values.get('clock'))).size).toBe(1)
  expect(third.values.get('other')).toBeUndefined()
})

test('what one tells the others hear, not itself', async () => {
  const [first, second] = [await join('first'), await join('second')]
  const own: unknown[] = []
  first.onMessage('progress', (message) => own.push(message))
  const heard = new Promise((resolve) => second.onMessage('progress', resolve))
  const sending = setInterval(() => first.publish('progress', ['r1', 0.5]), 5)
  expect(await heard).toEqual(['r1', 0.5])
  clearInterval(sending)
  expect(own).toEqual([])
})

test('a node alone leads, and its values are its own', async () => {
  const cluster = alone({ node: 'a', address: 'http://a', dataDir: ':memory:' })
  const heard = next(cluster)
  await cluster.values.set('clock', 1)
  expect([cluster.leads(), cluster.leader()?.node, cluster.values.get('clock'), await heard]).toEqual([
    true,
    'a',
    1,
    ['clock', 1],
  ])
})

import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type NatsServer, startNats } from '../../tools/local-cluster/nats.ts'
import { emptyDatabase } from '../../tools/local-cluster/test-database.ts'
import { type Database, openDatabase } from '../store/postgres/database.ts'
import { migrate } from '../store/postgres/migrations.ts'
import { bytesOf, hears, met } from './bus.contract.ts'
import { openBus } from './open-bus.ts'

test('nodes hear each other over NATS, over the database while it is gone, and one that never found it too', async () => {
  const url = await emptyDatabase()
  const nats = await startNats(1)
  onTestFinished(() => nats.stop())
  const lines: string[] = []
  async function node(natsServers: string[]) {
    const database = await openDatabase(url)
    await migrate(database)
    const bus = await openBus({ database, natsServers, node: 'test', say: (line) => lines.push(line) })
    onTestFinished(async () => {
      await bus.close()
      await database.close()
    })
    return bus
  }
  const third = await node([])
  const small = third.most
  const [first, second] = [await node([nats.url]), await node([nats.url])]
  while (first.most === small || second.most === small) await setTimeout(5)
  const heard = hears(second, 'batch')
  await met(first, second)
  first.publish('batch', new Uint8Array(small + 1).fill(65))
  expect((await heard.until(1))[0]).toHaveLength(small + 1)

  await (nats.servers[0] as NatsServer).kill()
  while (first.most !== small || second.most !== small) await setTimeout(5)
  expect([first.isUp(), first.isWhole(), third.isWhole()]).toEqual([true, false, true])
  await met(first, second)
  first.publish('batch', bytesOf('by the database'))
  expect((await heard.until(2))[1]).toBe('by the database')

  const lost = await node(['nats://127.0.0.1:1'])
  const received = hears(third, 'batch')
  await met(lost, third)
  lost.publish('batch', bytesOf('from nowhere'))
  expect(await received.until(1)).toEqual(['from nowhere'])
  expect(new Set(lines)).toEqual(new Set(['NATS cannot be reached: nodes ask the database instead']))
})

test('nodes on what was restored from a dump hear each other, and nothing of the record it is of', async () => {
  const nats = await startNats(1)
  onTestFinished(() => nats.stop())
  async function opened(url: string) {
    const database = await openDatabase(url)
    await migrate(database)
    onTestFinished(() => database.close())
    return database
  }
  async function node(database: Database) {
    const bus = await openBus({ database, natsServers: [nats.url], node: 'test', say: () => {} })
    onTestFinished(() => bus.close())
    return bus
  }
  const [record, restored] = [await opened(await emptyDatabase()), await opened(await emptyDatabase())]
  const [first, second] = [await node(record), await node(record)]
  const [log] = await record.ask((sql) => sql<{ database: string }[]>`SELECT database FROM log`)
  const [key] = await record.ask(
    (sql) => sql<{ value: string }[]>`SELECT value FROM house_keys WHERE name = 'bus'`,
  )
  await restored.ask((sql) => sql`UPDATE log SET database = ${log?.database ?? ''}`)
  await restored.ask((sql) => sql`INSERT INTO house_keys VALUES ('bus', ${key?.value ?? ''})`)
  const [trial, other] = [await node(restored), await node(restored)]
  while (![first, second, trial, other].every((bus) => bus.isWhole())) await setTimeout(5)
  await Promise.all([met(first, second), met(second, first), met(other, trial)])
  const heard = hears(trial, 'rows')
  const here = hears(second, 'rows')
  await met(first, second)
  first.publish('rows', bytesOf('of the record'))
  expect(await here.until(1)).toEqual(['of the record'])
  await met(other, trial)
  other.publish('rows', bytesOf('of the trial'))
  expect(await heard.until(1)).toEqual(['of the trial'])
  expect(here.heard).toEqual(['of the record'])
})

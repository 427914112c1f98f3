import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databasesAt } from '../../tools/local-cluster/databases.ts'
import { emptyDatabase } from '../../tools/local-cluster/test-database.ts'
import { type Database, openDatabase } from '../store/postgres/database.ts'
import { busContract, bytesOf, hears, met } from './bus.contract.ts'
import { openNotifyBus } from './notify-bus.ts'

describe('a bus of the database', () => {
  const databases: Database[] = []
  const urls = new Map<string, string>()
  async function database(cluster: string): Promise<Database> {
    const opened = await openDatabase(urls.get(cluster) as string)
    databases.push(opened)
    return opened
  }
  beforeAll(async () => {
    for (const cluster of ['one', 'two']) urls.set(cluster, await emptyDatabase())
  })
  afterAll(() => Promise.all(databases.map((each) => each.close())))

  busContract('NOTIFY', async (cluster) => openNotifyBus(await database(cluster)))

  test('it is heard again when the connections were cut, and what is told meanwhile harms nobody', async () => {
    const [sender, other] = [openNotifyBus(await database('one')), openNotifyBus(await database('one'))]
    const heard = hears(other, 'head')
    await met(sender, other)
    // on a connection of its own: those of a node may be cut while they are asked
    await databasesAt(urls.get('one') as string).ask(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    sender.publish('head', bytesOf('perhaps'))
    await met(sender, other)
    sender.publish('head', bytesOf('surely'))
    await heard.until(heard.heard.length + 1)
    expect(heard.heard.at(-1)).toBe('surely')
    await Promise.all([sender.close(), other.close()])
  })
})

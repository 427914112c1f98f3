import { serialize } from 'node:v8'
import { expect, onTestFinished, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { createReadings, pushReading } from '#machines/contracts/readings.ts'
import { emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { StoreUnavailable } from '../store.ts'
import { type Database, openDatabase } from './database.ts'
import { openPostgresStore } from './open.ts'
import type { RowBus } from './sharing.ts'

const clock = { now: () => 1_000 }
const suspended = (companyId: string): NewFact => ({
  type: 'company.suspended',
  at: 6,
  companyId,
  data: { companyId },
})

/** A bus between nodes of this process; the test says which messages are lost. */
function openWire() {
  const members: ((bytes: Uint8Array) => void)[] = []
  const wire = { isCut: false, published: 0 }
  const member = (most = 1e6): RowBus => {
    const me = members.push(() => {}) - 1
    return {
      most,
      publish(_, bytes) {
        wire.published++
        if (!wire.isCut) for (const [i, hear] of members.entries()) if (i !== me) hear(bytes)
      },
      subscribe(_, listener) {
        members[me] = listener
        return () => {
          members[me] = () => {}
        }
      },
    }
  }
  return { wire, member, say: (bytes: Uint8Array) => members.forEach((hear) => void hear(bytes)) }
}

async function node(url: string, bus: RowBus) {
  const database = await openDatabase(url)
  let isAway = false
  /** a database that this node cannot ask, and does not hear of, while it is away */
  const seen: Database = {
    ...database,
    ask: (work, patience) =>
      isAway ? Promise.reject(new StoreUnavailable('away')) : database.ask(work, patience),
    listen: (channel, listener) => database.listen(channel, (message) => isAway || listener(message)),
  }
  const store = await openPostgresStore({ database: seen, dir: ':memory:', clock, bus })
  onTestFinished(async () => {
    isAway = false
    await store.close()
    await database.close()
  })
  const reached = (seq: number) =>
    new Promise<void>((resolve) => {
      const look = () => store.log.head() >= seq && resolve()
      store.log.onCommit(look)
      look()
    })
  return {
    ...store,
    reached,
    away: (is: boolean) => {
      isAway = is
    },
  }
}

test('what one node appended another has without asking the database, and what it missed once it can ask', async () => {
  const url = await emptyDatabase()
  const { wire, member, say } = openWire()
  const [here, there] = [await node(url, member()), await node(url, member())]
  // both have looked at the record
  await here.log.append('company-z', [suspended('z')])
  await there.reached(1)
  there.away(true)
  const readings = createReadings(2)
  pushReading(readings, { device: 1, at: 500, temperature: 4 })
  await here.log.append('company-a', [suspended('a'), suspended('b')])
  await here.telemetry.append(readings, 1_000)
  await there.reached(4)
  expect(there.log.read(0, 10)).toEqual(here.log.read(0, 10))

  wire.isCut = true
  await here.log.append('company-a', [suspended('c')])
  wire.isCut = false
  for (const wrong of ['no bytes of ours', serialize({ epoch: 1, rows: [{ seq: 'x' }] }), serialize(null)])
    say(Buffer.from(wrong))
  say(serialize({ epoch: 7, rows: [{ seq: 5, data: '{}' }] }))
  await here.log.append('company-a', [suspended('d')])
  expect(there.log.head()).toBe(4)
  there.away(false)
  await there.reached(6)
  expect(there.log.readStream('company-a')).toEqual(here.log.readStream('company-a'))
  expect((await there.telemetry.history(1, 0, 1_000)).length).toBe(1)
})

test('a bus of small messages is not used for it, and what is too large for a bus is fetched', async () => {
  const url = await emptyDatabase()
  const { wire, member } = openWire()
  const [small, large] = [await node(url, member(5_000)), await node(url, member(70_000))]
  await small.log.append('company-a', [suspended('a')])
  await large.log.append(
    'company-a',
    Array.from({ length: 300 }, (_, i) => suspended(`c${i}`)),
  )
  expect(wire.published).toBe(0)
  await Promise.all([small.reached(301), large.reached(301)])
  await large.log.append('company-b', [suspended('b')])
  expect(wire.published).toBe(1)
})

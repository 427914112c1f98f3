import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type Databases, databasesAt } from '../../tools/local-cluster/databases.ts'
import { emptyDatabase } from '../../tools/local-cluster/test-database.ts'
import { type Database, openDatabase } from '../store/postgres/database.ts'
import { migrate } from '../store/postgres/migrations.ts'
import { StoreUnavailable } from '../store/store.ts'
import { holdLease, type Lease } from './lease.ts'

let url: string
/** on a connection of its own each time: none that a test cuts */
let ask: Databases['ask']
beforeAll(async () => {
  url = await emptyDatabase()
  ask = databasesAt(url).ask
  const database = await openDatabase(url)
  await migrate(database)
  await database.close()
})
beforeEach(() => ask(`UPDATE lead SET until = '-infinity'`))

/** for what waits until it is over; a busy machine may be late for so short a time, and another leads or it begins anew */
const SHORT = 900
const LONG = 60_000

/** A node with connections of its own, which can be cut off from the database without being told. */
async function node(name: string, ttl: number, uptime = () => performance.now()) {
  const own = await openDatabase(url)
  let cut: Error | undefined
  const messages: string[] = []
  let unheard: (() => void) | undefined
  const lease = await holdLease({
    node: name,
    address: `http://${name}`,
    ttl,
    uptime,
    say: (line) => messages.push(line),
    database: {
      ...own,
      ask: async (...args) => {
        if (cut) throw cut
        const answer = await own.ask(...args)
        if (unheard === undefined) return answer
        unheard()
        throw new StoreUnavailable('the answer is lost')
      },
    },
  })
  onTestFinished(async () => {
    await lease.close()
    await own.close()
  })
  return {
    ...lease,
    messages,
    cutOff(error: Error = new StoreUnavailable('cut off')) {
      cut = error
    },
    mend() {
      cut = undefined
    },
    /** does what it asks for, but does not hear the answer; resolves when that was so */
    deafen: () =>
      new Promise<void>((resolve) => {
        unheard = resolve
      }),
    hear() {
      unheard = undefined
    },
  }
}
/** resolves with what `look` answers at the moment this node begins or ends leading */
const when = <T>({ onLeadership }: Pick<Lease, 'onLeadership'>, leads: boolean, look: () => T): Promise<T> =>
  new Promise((resolve) => {
    const stop = onLeadership((now) => {
      if (now !== leads) return
      stop()
      resolve(look())
    })
  })
/** resolves with one that leads, as soon as there is one */
async function leading<One extends Pick<Lease, 'leads'>>(nodes: readonly One[]): Promise<One> {
  for (;;) {
    const lead = nodes.find(({ leads }) => leads())
    if (lead !== undefined) return lead
    await nextTurn()
  }
}
const isTimeLeft = async () => {
  const [row] = await ask('SELECT until > clock_timestamp() AS left FROM lead')
  return row?.left
}

test('one leads, and the others know who and where', async () => {
  const first = await node('first', LONG)
  const second = await node('second', LONG)
  expect([first.leads(), second.leads()]).toEqual([true, false])
  expect(second.leader()).toEqual(first.leader())
  expect(second.leader()).toMatchObject({
    node: 'first',
    address: 'http://first',
    key: expect.stringMatching(/.{20}/),
  })
})

test('one that cannot renew leads no more before its time is up', async () => {
  let ahead = 0
  const first = await node('first', LONG, () => performance.now() + ahead)
  first.cutOff()
  expect(first.leads()).toBe(true)
  ahead = 0.9 * LONG
  expect([first.leads(), first.leader()]).toEqual([false, undefined])
  expect(await isTimeLeft()).toBe(true)
})

/** A node that leads and is answered nothing more, by a clock of the test; `asked`: how often it has asked the database. */
async function unanswered(behind = () => 0) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const answers = [{ term: 1, node: 'one', address: '', key: '', isMine: true, remaining: LONG }]
  let asked = 0
  const lease = await holdLease({
    ...{ node: 'one', address: '', ttl: LONG },
    uptime: () => performance.now() - behind(),
    database: {
      ask: () => {
        asked++
        const answer = answers.pop()
        return answer ? Promise.resolve(answer) : new Promise(() => {})
      },
      listen: () => () => {},
      onReconnect: () => () => {},
    } as unknown as Database,
  })
  return { ...lease, asked: () => asked }
}

test('one whose timer came a moment too early hears all the same that it leads no more', async () => {
  let behind = 0
  const lease = await unanswered(() => behind)
  const heard: boolean[] = []
  lease.onLeadership((leads) => heard.push(leads))
  behind = 0.5
  await vi.advanceTimersByTimeAsync(LONG)
  expect(heard).toEqual([false])
})

test('one that steps down gives the lead away when what it did as the leader is over', async () => {
  const lease = await unanswered()
  const over = Promise.withResolvers<void>()
  lease.onLeadership(() => over.promise)
  lease.stepDown('its disk is full')
  await vi.advanceTimersByTimeAsync(1_000)
  expect([lease.leads(), lease.asked()]).toEqual([false, 1])
  over.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(lease.asked()).toBe(2)
})

test('one that steps down waits for what does not end as long as it was given the lead for', async () => {
  const lease = await unanswered()
  lease.onLeadership(() => new Promise(() => {}))
  lease.stepDown('its disk is full')
  await vi.advanceTimersByTimeAsync(LONG)
  expect(lease.asked()).toBe(2)
})

test('where one cannot renew another leads after it, in a later term', async () => {
  const nodes = { one: await node('one', SHORT), other: await node('other', SHORT) }
  const first = await leading(Object.values(nodes))
  const [name, second] = first === nodes.one ? ['other', nodes.other] : ['one', nodes.one]
  const term = first.leader()?.term ?? 0
  const left = when(first, false, () => [first.leads(), first.leader()])
  const taken = when(second, true, () => first.leads())
  first.cutOff()
  expect(await left).toEqual([false, undefined])
  expect(await taken).toBe(false)
  await expect.poll(() => second.leader()?.node).toBe(name)
  await expect.poll(() => second.leader()?.term).toBeGreaterThan(term)
})

test('one whom the database refuses for a while goes on asking, says why once, and leads again', async () => {
  const one = await leading([await node('one', SHORT)])
  const left = when(one, false, () => true)
  one.cutOff(new Error('function hold_lead(text, text, text, integer) does not exist'))
  await left
  await expect.poll(() => one.messages).toHaveLength(1)
  const taken = when(one, true, () => true)
  one.mend()
  await taken
  expect(one.messages).toEqual([
    'PostgreSQL does not say who leads, retrying: Error: function hold_lead(text, text, text, integer) does not exist',
  ])
})

test('who leads is asked for before all who wait for a connection', async () => {
  const own = await openDatabase(url, { connections: 1 })
  const [running, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const busy = own.ask(() => {
    running.resolve()
    return over.promise
  })
  await running.promise
  const order: string[] = []
  const requested = ['a', 'b', 'c'].map((name) =>
    own.ask(async (sql) => {
      await sql`SELECT 1`
      order.push(name)
    }),
  )
  const held = holdLease({ database: own, node: 'one', address: 'http://one', ttl: LONG }).then((lease) => {
    order.push('lease')
    return lease
  })
  // all stand in line by then
  await nextTurn()
  over.resolve()
  await Promise.all([busy, ...requested])
  const lease = await held
  expect(order).toEqual(['lease', 'a', 'b', 'c'])
  await lease.close()
  await own.close()
})

test('one that resigns is followed at once, however much time it had', async () => {
  const first = await node('first', LONG)
  const second = await node('second', LONG)
  const taken = when(second, true, () => first.leads())
  await first.close()
  expect(await taken).toBe(false)
})

test('one that steps down is followed at once, leads no more while it stands aside, and may again afterwards', async () => {
  let ahead = 0
  const first = await node('first', LONG, () => performance.now() + ahead)
  const second = await node('second', LONG)
  const taken = when(second, true, () => first.leads())
  first.stepDown('its disk is full')
  expect([first.leads(), first.leader()]).toEqual([false, undefined])
  expect(await taken).toBe(false)
  expect(first.messages).toEqual(['this node leaves the lead to another: its disk is full'])
  // the place is free, and whoever comes finds it so
  await second.close()
  const third = await node('third', LONG)
  expect([third.leads(), first.leads()]).toEqual([true, false])
  await expect.poll(() => first.leader()?.node).toBe('third')
  ahead = LONG
  const back = when(first, true, () => third.leads())
  await third.close()
  expect(await back).toBe(false)
})

test('an answer that was lost is heard the next time: nobody waits for what is their own', async () => {
  const first = await node('first', LONG)
  const second = await node('second', LONG)
  const lost = second.deafen()
  await first.close()
  await lost
  expect(second.leads()).toBe(false)
  await expect.poll(isTimeLeft).toBe(true)
  const taken = when(second, true, () => second.leader()?.node)
  second.hear()
  await ask('NOTIFY lead')
  expect(await taken).toBe('second')
})

test('connections that are cut do not end leading', async () => {
  const first = await node('first', LONG)
  const second = await node('second', LONG)
  const heard: boolean[] = []
  first.onLeadership((leads) => heard.push(leads))
  const until = async () => (await ask('SELECT until::text FROM lead'))[0]?.until
  const before = await until()
  await ask(`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`)
  await vi.waitUntil(async () => (await until()) !== before)
  expect([first.leads(), second.leads(), heard]).toEqual([true, false, []])
})

test('of many that want to lead at once, again and again, never two do', async () => {
  const nodes = await Promise.all(['a', 'b', 'c', 'd'].map((name) => node(name, LONG)))
  const terms = new Set<number>()
  for (let left = nodes.length; left > 0; left--) {
    const leading = nodes.filter(({ leads }) => leads())
    expect(leading).toHaveLength(1)
    const [lead] = leading
    terms.add(lead?.leader()?.term ?? 0)
    const next = Promise.race(
      nodes
        .filter((each) => each !== lead)
        .map((each) => when(each, true, () => nodes.filter(({ leads }) => leads()))),
    )
    await lead?.close()
    if (left > 1) expect(await next).toHaveLength(1)
  }
  expect(terms.size).toBe(nodes.length)
})

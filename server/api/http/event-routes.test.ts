import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { EVENT_TYPES } from '#machines/contracts/events.ts'
import { FACT_TYPES, type NewFact } from '#machines/contracts/facts.ts'
import { DEVICE_KEY } from '../../commands/testing/company-facts.ts'
import { company, deviceKey, group } from '../../testing/facts.ts'
import { sampleFacts } from './testing/sample-facts.ts'
import { buildTestServer, type TestServer } from './testing/test-app.ts'

let server: TestServer
let start: number
let onAdvance: MockInstance
beforeEach(async () => {
  server = await buildTestServer({
    facts: [deviceKey('indus', DEVICE_KEY), deviceKey('thar', 'key-of-thar')],
  })
  start = server.store.log.head()
  onAdvance = vi.spyOn(server.readModels, 'onAdvance')
})
afterEach(() => server.close())

const ask = (query: object = {}, key = DEVICE_KEY) =>
  server.answer('events', { query: { after: start, ...query }, headers: { 'x-device-key': key } })
const unplugged = (companyId: string, at = 1_700_000_000_000): NewFact => ({
  type: 'sensor.unplugged',
  at,
  companyId,
  data: { imei: '356307042441013', lat: 31.5, lng: 74.3 },
})

describe('events', () => {
  test('are those of the allow-list, of the company of the key, with the fields of the list and no others', async () => {
    const of = (companyId: string) => sampleFacts(companyId)
    expect(new Set(of('indus').map(({ type }) => type)), 'every fact type is tried').toEqual(
      new Set(FACT_TYPES),
    )
    await server.store.log.append('all', [...of('thar'), ...of('indus'), ...of('thar')])
    const { events, hasMore } = await ask({ limit: 1000 })
    expect(hasMore).toBe(false)
    expect(events.map(({ type }) => type).sort()).toEqual([...EVENT_TYPES].sort())
    const text = JSON.stringify(events)
    expect(text).not.toMatch(/SECRET/)
    expect(text).not.toMatch(/companyId|"by"|hash|userName|email|comment|thar/i)
    for (const { seq } of events) {
      const [fact] = server.store.log.readFacts(seq - 1, { limit: 1 })
      expect(fact?.companyId).toBe('indus')
    }
  })

  test('say nothing of who has a lost device: other systems hear that it is silent, and know of no violation', async () => {
    const imei = '356307042441013'
    const about = { at: 1_700_000_000_000, companyId: 'indus', by: 'u1' }
    await server.store.log.append('lost', [
      {
        ...about,
        type: 'device-status.changed',
        data: { imei, from: 'online', to: 'offline', heardAt: about.at - 60_000 },
      },
      {
        ...about,
        type: 'violation.acknowledged',
        data: {
          ...{ violationId: 'lost-f1', notificationId: 'f1', imei },
          ...{ type: 'offline', userName: 'U', comment: '' },
        },
      },
    ])
    const { events } = await ask()
    expect(events.map(({ data }) => data)).toEqual([{ imei, from: 'online', to: 'offline' }])
  })

  test('come in order, a page at a time, each once; next goes on after what was of others', async () => {
    const facts = Array.from({ length: 12 }, (_, i) => unplugged(i % 3 === 0 ? 'thar' : 'indus', 1000 + i))
    await server.store.log.append('all', facts)
    const times: string[] = []
    let page = await ask({ limit: 3 })
    for (; page.events.length > 0; page = await ask({ limit: 3, after: page.next }))
      times.push(...page.events.map(({ at }) => at))
    const theirs = facts
      .filter(({ companyId }) => companyId === 'indus')
      .map(({ at }) => new Date(at).toISOString())
    expect(times).toEqual(theirs)
    expect(page).toEqual({ events: [], next: server.store.log.head(), hasMore: false })
  })

  test('a look is bounded: what others did in between is gone through in several calls', async () => {
    const others = Array.from({ length: 6000 }, () => unplugged('thar'))
    await server.store.log.append('others', others)
    await server.store.log.append('ours', [unplugged('indus')])
    const first = await ask()
    expect(first).toMatchObject({ events: [], hasMore: true, next: start + 5000 })
    expect(await ask({ after: first.next })).toMatchObject({
      events: [{ seq: start + 6001 }],
      hasMore: false,
    })
  })

  test('a call that waits is answered by the next event of its own company', async () => {
    let isAnswered = false
    const waits = ask({ wait: 25 }).finally(() => {
      isAnswered = true
    })
    await waitsAre(1)
    await server.store.log.append('others', [unplugged('thar')])
    await server.store.log.append('others', [
      {
        ...unplugged('indus'),
        type: 'session.ended',
        data: {
          userId: 'u',
          sessionId: 's',
          reason: 'expired',
        },
      } as NewFact,
    ])
    expect(isAnswered).toBe(false)
    await server.store.log.append('ours', [unplugged('indus')])
    expect(await waits).toMatchObject({ events: [{ seq: start + 3, type: 'sensor.unplugged' }] })
  })

  test('a server that closes answers who waits; more than eight of one company do not wait', async () => {
    const waits = Array.from({ length: 8 }, () => ask({ wait: 25 }))
    await waitsAre(8)
    const query = { after: start, wait: 25 }
    const ninth = await server.ask('events', { query, headers: { 'x-device-key': DEVICE_KEY } })
    expect(ninth.statusCode).toBe(429)
    const closing = server.app.close()
    for (const page of await Promise.all(waits))
      expect(page).toEqual({ events: [], next: start, hasMore: false })
    await closing
  })

  test('where as many of all companies wait as may, those of the next are answered at once', async () => {
    const others = Array.from({ length: 25 }, (_, i) => `other-${i}`)
    await server.store.log.append(
      'others',
      others.flatMap((id) => [company(id), group(id, id, null), deviceKey(id, `key-of-${id}`)]),
    )
    start = server.store.log.head()
    await server.readModels.settled(start)
    const query = { after: start, wait: 25 }
    const waits = others.flatMap((id, i) =>
      Array.from({ length: 8 }, () =>
        server.ask('events', { query, headers: { 'x-device-key': `key-of-${id}` }, from: `10.0.0.${i}` }),
      ),
    )
    await waitsAre(200)
    expect(await ask({ wait: 25 })).toEqual({ events: [], next: start, hasMore: false })
    await server.app.close()
    for (const { statusCode } of await Promise.all(waits)) expect(statusCode).toBe(200)
  })

  test('a call that waits hears nothing once its company is suspended', async () => {
    const waits = server.ask('events', {
      query: { after: start, wait: 25 },
      headers: { 'x-device-key': DEVICE_KEY },
    })
    await waitsAre(1)
    const suspended = {
      type: 'company.suspended' as const,
      at: 1,
      companyId: 'indus',
      data: { companyId: 'indus' },
    }
    const { facts } = await server.store.log.append('company-indus', [suspended])
    await server.readModels.settled(facts[0]?.seq ?? 0)
    await server.store.log.append('ours', [unplugged('indus')])
    expect((await waits).statusCode).toBe(403)
  })

  test('what happens while a call waits is read from the log for none, and that of others is behind what is asked for next', async () => {
    const waits = ask({ wait: 20 })
    await waitsAre(1)
    const readFacts = vi.spyOn(server.store.log, 'readFacts')
    for (let i = 0; i < 5; i++) await server.store.log.append('theirs', [unplugged('thar')])
    expect(readFacts).not.toHaveBeenCalled()
    const { facts } = await server.store.log.append('ours', [unplugged('indus')])
    expect(await waits).toMatchObject({ events: [{ seq: facts[0]?.seq }], next: facts[0]?.seq })
    expect(readFacts).not.toHaveBeenCalled()
  })

  test('of more than is asked for at once, a call that waited is told that there is more', async () => {
    const waits = ask({ wait: 25, limit: 2 })
    await waitsAre(1)
    await server.store.log.append('ours', [
      unplugged('thar'),
      ...[1, 2, 3].map((at) => unplugged('indus', at)),
    ])
    const page = await waits
    expect(page).toMatchObject({ events: [{ seq: start + 2 }, { seq: start + 3 }], next: start + 3 })
    expect(page.hasMore).toBe(true)
    expect((await ask({ after: page.next })).events).toMatchObject([{ seq: start + 4 }])
  })

  test('without a key there is nothing, and a suspended company has nothing either', async () => {
    for (const headers of [{}, { 'x-device-key': 'guess' }] as Record<string, string>[])
      expect((await server.ask('events', { headers })).statusCode).toBe(401)
    const by = { type: 'company.suspended' as const, at: 1, companyId: 'indus', data: { companyId: 'indus' } }
    const { facts } = await server.store.log.append('company-indus', [by])
    await server.readModels.settled(facts[0]?.seq ?? 0)
    expect((await server.ask('events', { headers: { 'x-device-key': DEVICE_KEY } })).statusCode).toBe(403)
  })

  test.each([{ limit: 1001 }, { limit: 0 }, { wait: 26 }, { after: -1 }, { after: 'x' }, { from: 1 }])(
    'what is asked for out of bounds is refused: %o',
    async (query) => {
      const { statusCode, body } = await server.ask('events', {
        query,
        headers: { 'x-device-key': DEVICE_KEY },
      })
      expect(statusCode, body).toBe(400)
    },
  )
})

/** So many calls have looked once and wait. */
async function waitsAre(count: number): Promise<void> {
  while (onAdvance.mock.calls.length < count) await new Promise<void>((others) => setImmediate(others))
}

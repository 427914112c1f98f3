import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { LIVE_CLOSE } from '#machines/contracts/live-messages.ts'
import { devicesWithin } from '#machines/projections/directory.ts'
import { connectLive, type Knowledge, knowNothing, type Row } from './testing/live-client.ts'
import { device, imeiOf, openTestServer, START, type TestServer } from './testing/test-app.ts'

const QUICK = { limits: { fewEvery: 5, manyEvery: 5 }, times: { turn: 2, age: 20 } }

const servers: TestServer[] = []
async function open(
  devices: number,
  options: Parameters<typeof openTestServer>[1] = QUICK,
): Promise<TestServer> {
  const server = await openTestServer(devices, options)
  servers.push(server)
  return server
}
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

/** What the server itself shows of a group, as a visitor should come to know it. */
function truth(server: TestServer, groupId: string): Map<number, Row> {
  const { readings, state } = server.readModels.latest
  const rows = new Map<number, Row>()
  for (const no of devicesWithin(server.readModels.directory, groupId)) {
    const row = {} as Row
    for (const name of ['at', 'temperature', 'humidity', 'lat', 'lng', 'speed', 'heading'] as const)
      row[name] = readings[name][no] as number
    rows.set(no, { ...row, state: state[no] as number })
  }
  return rows
}

const fetched = (server: TestServer, groupId: string): Knowledge => ({
  seq: server.readModels.seq,
  rows: truth(server, groupId),
})

const reading = (no: number, at: number, temperature: number, lat = 31 + at / 1000) => ({
  device: no,
  at: START + at,
  temperature,
  lat,
  lng: 74,
  speed: 40,
  heading: 90,
})

describe('/live', () => {
  test('tells a visitor the readings of their group and all below, and no others', async () => {
    const server = await open(8)
    const known = fetched(server, 'punjab')
    const client = connectLive(server.port, 'ayesha@punjab', known)
    await client.until(() => client.messages.some((m) => m.type === 'welcome'))
    server.read(...[0, 1, 2, 3, 4, 5, 6, 7].map((no) => reading(no, 1, no)))
    await client.until(() => known.seq === server.readModels.seq)
    expect(known.rows).toEqual(truth(server, 'punjab'))
    expect([...new Set(client.frames.flatMap((f) => [...f.device]))].sort()).toEqual([0, 1, 4, 5])
  })

  test('a row that stood still does not carry its position again', async () => {
    const server = await open(1)
    const known = fetched(server, 'punjab')
    const client = connectLive(server.port, 'ayesha@punjab', known)
    server.read(reading(0, 1, 4, 31))
    await client.until(() => known.seq === server.readModels.seq)
    server.read(reading(0, 2, 5, 31))
    await client.until(() => known.seq === server.readModels.seq)
    expect(client.frames.at(-1)?.movedRow.length).toBe(0)
    expect(known.rows).toEqual(truth(server, 'punjab'))
  })

  test('links of one scope get the same bytes, and one that comes later is not left out', async () => {
    const server = await open(8)
    const early = connectLive(server.port, 'ayesha@indus', fetched(server, 'indus'))
    await early.until(() => early.messages.length > 0)
    server.read(reading(0, 1, 1))
    await early.until(() => early.frames.length > 1)
    const known = fetched(server, 'indus')
    const late = connectLive(server.port, 'bilal@indus', known)
    await late.until(() => late.frames.length > 0)
    server.read(reading(1, 2, 2))
    await Promise.all([early, late].map((c) => c.until(() => c.frames.at(-1)?.device.includes(1) === true)))
    expect(late.frames.at(-1)).toEqual(early.frames.at(-1))
    expect(known.rows).toEqual(truth(server, 'indus'))
    expect(early.gaps + late.gaps).toBe(0)
  })

  test('whatever the points at which the link is cut, the visitor ends up knowing what the server knows', async () => {
    const server = await open(12)
    let at = 0
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ read: fc.array(fc.nat(11), { minLength: 1, maxLength: 6 }) }) },
      { weight: 1, arbitrary: fc.constant('violation' as const) },
      { weight: 2, arbitrary: fc.constantFrom('cut' as const, 'wait' as const) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), async (steps) => {
        const known = fetched(server, 'indus')
        let client = connectLive(server.port, 'ayesha@indus', known)
        let gaps = 0
        for (const s of steps) {
          if (s === 'cut') {
            client.socket.terminate()
            gaps += client.gaps
            client = connectLive(server.port, 'ayesha@indus', known)
          } else if (s === 'wait') {
            const heard = client.messages.length + client.frames.length
            const current = client
            await client.until(() => current.messages.length + current.frames.length > heard)
          } else if (s === 'violation') {
            server.add([
              {
                type: 'device-status.changed',
                at: START + ++at,
                companyId: 'indus',
                data: { imei: imeiOf(at % 12), from: 'online', to: at % 2 === 0 ? 'online' : 'offline' },
              },
            ])
          } else server.read(...s.read.map((no) => reading(no, ++at, at % 30)))
        }
        await client.until(() => known.seq === server.readModels.seq)
        expect(known.rows).toEqual(truth(server, 'indus'))
        expect(gaps + client.gaps).toBe(0)
        client.socket.terminate()
      }),
      { numRuns: 40 },
    )
  })

  test('somebody who missed a change of what they see is told to fetch anew', async () => {
    const server = await open(4)
    const known = fetched(server, 'indus')
    server.add([device('indus', 'sindh', 4)])
    const client = connectLive(server.port, 'ayesha@indus', known)
    await client.until(() => client.messages.some((m) => m.type === 'snapshot'))
    expect(client.frames).toEqual([])
  })

  test('a change in another company does not make anybody fetch anew', async () => {
    const server = await open(4)
    const known = fetched(server, 'indus')
    const start = known.seq
    server.add([device('karakoram', 'karakoram', 4)])
    const client = connectLive(server.port, 'ayesha@indus', known)
    await client.until(() => client.frames.length > 0)
    expect(client.frames[0]).toMatchObject({ resumed: true, prevSeq: start })
    expect(client.messages.some((m) => m.type === 'snapshot')).toBe(false)
  })

  test('a position the log never reached is answered with a snapshot', async () => {
    const server = await open(4)
    const client = connectLive(server.port, 'ayesha@indus', { seq: 1e6, rows: new Map() })
    await client.until(() => client.messages.some((m) => m.type === 'snapshot'))
    expect(client.frames).toEqual([])
  })

  test('says so when devices come into scope or leave it, to those alone who see it', async () => {
    const server = await open(8)
    const [sindh, lahore, karakoram] = ['sindh', 'lahore', 'karakoram'].map((groupId) =>
      connectLive(server.port, `someone@${groupId}`),
    )
    if (!sindh || !lahore || !karakoram) throw new Error('three clients')
    await Promise.all([sindh, lahore, karakoram].map((c) => c.until(() => c.messages.length > 0)))
    server.add([
      {
        type: 'device.updated',
        at: START,
        companyId: 'indus',
        data: { imei: imeiOf(1), groupId: 'sindh' },
      },
    ])
    await Promise.all([sindh, lahore].map((c) => c.until(() => c.messages.some((m) => m.type === 'scope'))))
    const { seq } = server.readModels
    await karakoram.until(() => karakoram.messages.some((m) => m.type === 'age' && m.seq === seq))
    expect(karakoram.messages.some((m) => m.type === 'scope')).toBe(false)
    server.read(reading(1, 1, 9))
    await sindh.until(() => sindh.frames.some((f) => f.device.includes(1)))
    expect(lahore.frames.some((f) => f.device.includes(1))).toBe(false)
  })

  test('an open link that finds a gap asks to resume and gets every row since', async () => {
    const server = await open(4)
    const known = fetched(server, 'indus')
    const start = known.seq ?? 0
    const client = connectLive(server.port, 'ayesha@indus', known)
    server.read(reading(0, 1, 1))
    await client.until(() => known.seq === server.readModels.seq)
    client.socket.send(JSON.stringify({ type: 'resume', after: start }))
    await client.until(() => client.frames.filter((f) => f.resumed).length === 2)
    expect([...(client.frames.at(-1)?.device ?? [])]).toEqual([0])
  })

  test('tells the time of the server and how fast it runs', async () => {
    const server = await open(1, { ...QUICK, pace: () => ({ speed: 60, paused: true }) })
    server.clock.time = START + 5000
    const client = connectLive(server.port, 'ayesha@indus')
    await client.until(() => client.messages.some((m) => m.type === 'age'))
    expect(client.messages.find((m) => m.type === 'age')).toMatchObject({
      now: START + 5000,
      seq: server.readModels.seq,
      speed: 60,
      paused: true,
    })
  })
})

describe('/live closes', () => {
  test.each([
    ['text that is no JSON', 'hello'],
    ['a first message that is no hello', JSON.stringify({ type: 'resume', after: 1 })],
    ['a hello without token', JSON.stringify({ type: 'hello' })],
    ['a binary hello', new Uint8Array([1, 2, 3])],
  ])('on %s', async (_, first) => {
    const server = await open(1)
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/live`)
    socket.on('open', () => socket.send(first))
    const code = await new Promise((resolve) => socket.on('close', resolve))
    expect(code).toBe(LIVE_CLOSE.badHello)
  })

  test('on silence', async () => {
    const server = await open(1, { times: { hello: 20 } })
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/live`)
    const code = await new Promise((resolve) => socket.on('close', resolve))
    expect(code).toBe(LIVE_CLOSE.badHello)
  })

  test('on a token nobody gave', async () => {
    const server = await open(1)
    expect(await connectLive(server.port, 'nobody').closed).toMatchObject({ code: LIVE_CLOSE.refused })
  })

  test('when the token runs out on the clock of the server, and says before what time it is', async () => {
    const server = await open(1)
    const visitor = { userId: 'u', sessionId: 's', companyId: 'indus', groupId: 'indus' }
    server.tokens.set('short', { ...visitor, expiresAt: START + 1000 })
    const client = connectLive(server.port, 'short')
    await client.until(() => client.messages.length > 0)
    server.clock.time = START + 1000
    expect(await client.closed).toMatchObject({ code: LIVE_CLOSE.refused })
    expect(client.messages.at(-1)).toMatchObject({ type: 'age', now: START + 1000 })
  })

  test('when the session ends, for that session alone', async () => {
    const server = await open(1)
    const [ayesha, bilal] = [
      connectLive(server.port, 'ayesha@indus'),
      connectLive(server.port, 'bilal@indus'),
    ]
    await Promise.all([ayesha, bilal].map((c) => c.until(() => c.messages.length > 0)))
    server.add([
      {
        type: 'session.ended',
        at: START,
        companyId: 'indus',
        data: { userId: 'ayesha', sessionId: 'session-ayesha', reason: 'remote' },
      },
    ])
    expect(await ayesha.closed).toMatchObject({ code: LIVE_CLOSE.refused })
    const heard = bilal.messages.length
    await bilal.until(() => bilal.messages.length > heard)
  })

  test('when the company is suspended, and lets nobody of it in until it is resumed', async () => {
    const server = await open(1)
    const inside = connectLive(server.port, 'ayesha@lahore')
    await inside.until(() => inside.messages.length > 0)
    server.add([{ type: 'company.suspended', at: START, companyId: 'indus', data: { companyId: 'indus' } }])
    expect(await inside.closed).toMatchObject({ code: LIVE_CLOSE.suspended })
    expect(await connectLive(server.port, 'ayesha@lahore').closed).toMatchObject({
      code: LIVE_CLOSE.suspended,
    })
    server.add([{ type: 'company.resumed', at: START, companyId: 'indus', data: { companyId: 'indus' } }])
    const again = connectLive(server.port, 'ayesha@lahore', knowNothing())
    await again.until(() => again.messages.length > 0)
  })

  test('on one more of a user than may be open, who is let in once another is closed; others do not notice', async () => {
    const server = await open(1, { ...QUICK, seatsPerUser: 2 })
    const welcomed = async () => {
      const client = connectLive(server.port, 'ayesha@indus')
      await client.until(() => client.messages.length > 0)
      return client
    }
    const first = await welcomed()
    await welcomed()
    expect(await connectLive(server.port, 'ayesha@indus').closed).toEqual({
      code: LIVE_CLOSE.crowded,
      reason: 'too many windows',
    })
    const other = connectLive(server.port, 'bilal@indus')
    await other.until(() => other.messages.length > 0)
    first.socket.close()
    await first.closed
    await welcomed()
  })

  test('when the server begins anew, so that everybody comes again', async () => {
    const server = await open(1)
    const client = connectLive(server.port, 'ayesha@indus')
    await client.until(() => client.messages.length > 0)
    server.delivery.startOver()
    expect(await client.closed).toMatchObject({ code: LIVE_CLOSE.moved })
  })

  test('a client that has stopped reading, while the others hear everything', async () => {
    const server = await open(4000, {
      limits: { fewEvery: 1, manyEvery: 1, stuck: 0, slowest: 1e9 },
      times: { turn: 1, age: 20 },
    })
    const stopped = connectLive(server.port, 'ayesha@indus')
    await stopped.until(() => stopped.messages.length > 0)
    stopped.socket.pause()
    const known = fetched(server, 'indus')
    const reader = connectLive(server.port, 'bilal@indus', known)
    await reader.until(() => reader.messages.length > 0)
    const everybody = [...devicesWithin(server.readModels.directory, 'indus')]
    let at = 0
    while (server.app.websocketServer.clients.size > 1) {
      at++
      server.read(...everybody.map((no) => reading(no, at, at % 30)))
      await reader.until(() => known.seq === server.readModels.seq)
    }
    expect(known.rows).toEqual(truth(server, 'indus'))
    expect(reader.gaps).toBe(0)
  })
})

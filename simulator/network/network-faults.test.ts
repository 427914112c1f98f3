import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { io, type Socket } from 'socket.io-client'
import { afterEach, describe, expect, test } from 'vitest'
import type { PublicFact } from '#machines/contracts/public-facts.ts'
import type { ServerEvents } from '#machines/contracts/sockets.ts'
import { refusalsPlugin } from '../../server/api/http/refusals.ts'
import { connectLive, knowNothing, type LiveClient } from '../../server/api/realtime/testing/live-client.ts'
import { imeiOf, openTestServer, START, type TestServer } from '../../server/api/realtime/testing/test-app.ts'
import { failRequests } from './http-faults.ts'
import { createNetworkFaults, type Span } from './network-faults.ts'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close()
})

/** Until somebody ends it. */
const FOREVER: Span = { isOver: () => false, left: () => 60_000 }

describe('REST', () => {
  async function api() {
    const network = createNetworkFaults()
    const app = Fastify()
    await app.register(refusalsPlugin)
    failRequests(app, network)
    for (const path of ['/api/time', '/api/ingest', '/sim/status', '/']) app.get(path, async () => 'here')
    await app.listen({ port: 0, host: '127.0.0.1' })
    opened.push(app)
    const { port } = app.server.address() as AddressInfo
    const ask = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      return { status: answer.status, text: await answer.text() }
    }
    return { network, ask }
  }
  const here = { status: 200, text: 'here' }

  test('over a cut network gets no answer; what is no portal does not feel it', async () => {
    const { network, ask } = await api()
    const { id } = network.begin({ fault: 'cut' }, FOREVER)
    await expect(ask('/api/time')).rejects.toThrow('fetch failed')
    for (const path of ['/api/ingest', '/sim/status', '/']) expect(await ask(path)).toEqual(here)
    network.end(id)
    expect(await ask('/api/time')).toEqual(here)
  })

  test('over a slow one gets it later, and at once where the network is good again meanwhile', async () => {
    const { network, ask } = await api()
    const { id } = network.begin({ fault: 'delay', milliseconds: 3_600_000 }, FOREVER)
    let isAnswered = false
    const slow = ask('/api/time').finally(() => {
      isAnswered = true
    })
    expect(await ask('/sim/status')).toEqual(here)
    expect(isAnswered).toBe(false)
    network.end(id)
    expect(await slow).toEqual(here)
  })

  test('fails for a share of the calls, as the API fails', async () => {
    const { network, ask } = await api()
    for (const share of [1, 0.5, 0.25, 0]) {
      const { id } = network.begin({ fault: 'server-errors', share }, FOREVER)
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/api/time')))
      const failed = answers.filter(({ status }) => status === 503)
      expect(failed).toHaveLength(share * 20)
      for (const { text } of failed)
        expect(JSON.parse(text)).toEqual({ code: 503, message: 'Not available now, try again shortly' })
      network.end(id)
    }
  })

  test('is well again by itself when the time is over', async () => {
    const { network, ask } = await api()
    let requests = 0
    network.begin({ fault: 'server-errors', share: 1 }, { isOver: () => ++requests > 3, left: () => 10 })
    while (network.isBad) await ask('/sim/status')
    expect(await ask('/api/time')).toEqual(here)
    expect(network.list()).toEqual([])
  })
})

describe('the sockets', () => {
  const QUICK = {
    limits: { fewEvery: 5, manyEvery: 5 },
    times: { turn: 2, age: 20 },
    notificationLimits: { turn: 5, idle: 20 },
  }
  async function open() {
    const network = createNetworkFaults()
    const server = await openTestServer(8, { ...QUICK, network })
    opened.push(server)
    return { network, server }
  }
  const readAll = (server: TestServer, at: number) =>
    server.read(
      ...[0, 1, 2, 3, 4, 5, 6, 7].map((no) => ({
        device: no,
        at: START + at,
        temperature: at % 50,
        lat: 31,
        lng: 74,
      })),
    )
  const renamed = (no: number, name: string) =>
    ({ type: 'device.updated', at: START, companyId: 'indus', data: { imei: imeiOf(no), name } }) as const
  /** asks for what it lacks, as the portal does */
  function resumes(client: LiveClient, known: { seq: number | undefined }): void {
    let gaps = 0
    client.socket.on('message', () => {
      if (client.gaps === gaps) return
      gaps = client.gaps
      client.socket.send(JSON.stringify({ type: 'resume', after: known.seq }))
    })
  }
  /** A client of each socket that has been told where it begins. `prepare`: before the first word. */
  async function listenOnBoth(server: TestServer, prepare: typeof resumes = () => {}) {
    const known = knowNothing()
    known.seq = server.readModels.seq
    const client = connectLive(server.port, 'ayesha@indus', known)
    prepare(client, known)
    const listener = connectListener(server)
    await client.until(() => client.messages.length > 0)
    await listener.until(() => listener.after > 0)
    return { known, client, listener }
  }
  const temperatures = (known: ReturnType<typeof knowNothing>, scale = 100) =>
    [...known.rows.values()].map(({ temperature }) => temperature / scale)

  test('are cut, do not come back as long as it lasts, and then with all that was missed', async () => {
    const { network, server } = await open()
    const { known, client, listener } = await listenOnBoth(server)
    const { id } = network.begin({ fault: 'cut' }, FOREVER)
    expect((await client.closed).code).toBe(1006)
    await listener.until(() => listener.isCut)
    const refused = connectLive(server.port, 'ayesha@indus', known)
    expect((await refused.closed).code).toBe(1006)
    readAll(server, 7)
    const seq = server.add([renamed(0, 'Missed')])
    network.end(id)
    const again = connectLive(server.port, 'ayesha@indus', known)
    await again.until(() => known.seq === server.readModels.seq)
    expect(new Set(temperatures(known))).toEqual(new Set([7]))
    listener.connect()
    await listener.until(() => listener.after >= seq)
    expect(listener.facts()).toEqual([seq])
  })

  test('are slow, and tell everything in its order when it has come through', async () => {
    const { network, server } = await open()
    const { known, client, listener } = await listenOnBoth(server)
    const { id } = network.begin({ fault: 'delay', milliseconds: 3_600_000 }, FOREVER)
    const heard = client.frames.length + client.messages.length
    const seqs = [1, 2, 3].map((n) => {
      readAll(server, n)
      return server.add([renamed(n - 1, `Name ${n}`)])
    })
    // another who comes now is let in, and told as late
    const late = connectLive(server.port, 'bilal@indus')
    await new Promise((resolve) => late.socket.on('open', resolve))
    expect(client.frames.length + client.messages.length).toBe(heard)
    expect(listener.facts()).toEqual([])
    network.end(id)
    await client.until(() => known.seq === server.readModels.seq)
    await listener.until(() => listener.after >= (seqs.at(-1) as number))
    expect([client.gaps, listener.gaps]).toEqual([0, 0])
    expect(listener.facts()).toEqual(seqs)
    expect(new Set(temperatures(known))).toEqual(new Set([3]))
  })

  test('are out of order, and who minds the positions ends with what the server knows', async () => {
    const { network, server } = await open()
    const { known, client, listener } = await listenOnBoth(server, resumes)
    const { id } = network.begin({ fault: 'reorder' }, FOREVER)
    const seqs: number[] = []
    for (let n = 1; client.gaps === 0 || listener.gaps === 0; n++) {
      readAll(server, n)
      seqs.push(server.add([renamed(n % 3, `Name ${n}`)]))
      const before = client.frames.length
      await client.until(() => client.frames.length > before)
    }
    readAll(server, 49)
    network.end(id)
    await client.until(() => known.seq === server.readModels.seq)
    await listener.until(() => listener.after >= (seqs.at(-1) as number))
    expect(new Set(temperatures(known))).toEqual(new Set([49]))
    expect(listener.facts()).toEqual(seqs)
  })

  test('are cut by nothing else, and a server that closes waits for nothing', async () => {
    const { network, server } = await open()
    const client = connectLive(server.port, 'ayesha@indus')
    await client.until(() => client.messages.length > 0)
    network.begin({ fault: 'delay', milliseconds: 3_600_000 }, FOREVER)
    network.begin({ fault: 'reorder' }, FOREVER)
    network.stop()
    expect(network.list()).toEqual([])
    expect(client.socket.readyState).toBe(client.socket.OPEN)
  })

  /** A listener to facts who keeps them by position, and fetches what a gap has left out. */
  function connectListener(server: TestServer) {
    const facts = new Map<number, PublicFact>()
    const waiting = new Set<{ condition: () => boolean; resolve: () => void }>()
    const look = () => {
      for (const waiter of waiting)
        if (waiter.condition()) {
          waiting.delete(waiter)
          waiter.resolve()
        }
    }
    let socket: Socket | undefined
    const listener = {
      after: 0,
      gaps: 0,
      isCut: false,
      facts: () => [...facts.keys()].sort((a, b) => a - b),
      connect() {
        listener.isCut = false
        const { after } = listener
        socket = io(`http://127.0.0.1:${server.port}/notifications`, {
          transports: ['websocket'],
          reconnection: false,
          forceNew: true,
          auth: { token: 'ayesha@indus', ...(after > 0 && { after }) },
        })
        socket.on('disconnect', () => {
          listener.isCut = true
          look()
        })
        socket.on('facts', ({ prevSeq, seq, facts: some }: ServerEvents['facts']) => {
          if (listener.after > 0 && prevSeq > listener.after) {
            listener.gaps++
            for (const fact of server.factsAfter(listener.after)) facts.set(fact.seq, fact)
          }
          for (const fact of some) facts.set(fact.seq, fact)
          listener.after = Math.max(listener.after, seq)
          look()
        })
      },
      until: (condition: () => boolean) =>
        new Promise<void>((resolve) => {
          waiting.add({ condition, resolve })
          look()
        }),
      close: () => socket?.disconnect(),
    }
    listener.connect()
    opened.push(listener)
    return listener
  }
})

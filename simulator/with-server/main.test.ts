import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { connectLive } from '../../server/api/realtime/testing/live-client.ts'
import { callerOf } from '../../server/testing/caller.ts'
import { type ServerProcess, spawnServer, startServerProcess } from '../../server/testing/server-process.ts'
import { sendFrames } from '../../server/testing/tracker.ts'

const OPERATOR = 'operator@indus.example'
const MINUTE = 60_000
const KILLS = inject('isNightly') ? 4 : 2

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'frostline-server-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('a start', () => {
  test('with wrong variables names each of them, what it takes, and nothing else happens', async () => {
    const wrong = { DATA_DIR: join(folder, 'data'), PORT: 'four', SIM_SPEED: '0', TOKEN_SECRET: 'hunter2' }
    const { code, errors } = await spawnServer(wrong).ended
    expect(code).toBe(1)
    expect(errors.trim().split('\n')).toHaveLength(1)
    for (const name of ['PORT', 'SIM_SPEED', 'TOKEN_SECRET']) expect(errors).toContain(`${name} takes`)
    expect(errors).not.toContain('hunter2')
  })

  test('on a port that is taken says so in a line', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    for (const name of ['PORT', 'TELTONIKA_PORT', 'GT06_PORT']) {
      const { code, errors } = await spawnServer({ DATA_DIR: ':memory:', [name]: String(port) }).ended
      expect(code).toBe(1)
      expect(errors.trim()).toBe(
        `127.0.0.1 port ${port} is taken: choose another with PORT, TELTONIKA_PORT or GT06_PORT`,
      )
    }
    other.close()
  })
})

test('it says where it is and who may sign in, and goes when asked to, whoever is still there', async () => {
  const server = await startServerProcess({ DATA_DIR: folder })
  const { ask, signIn, send, sim } = callerOf(server.address)
  const accounts = await ask('demoAccounts')
  const token = await signIn(OPERATOR)
  expect(server.lines.join('\n')).toContain(accounts[0]?.password)
  for (const { email, note } of accounts) {
    const line = server.lines.find((each) => each.includes(email))
    expect(line).toContain(note)
  }

  const live = connectLive(Number(new URL(server.address).port), token)
  await live.until(() => live.messages.length > 0)
  const asking = Array.from({ length: 20 }, () =>
    send('GET', '/api/groups/indus/observations-latest', { token }).catch(() => undefined),
  )
  const month = { advanceSeconds: 30 * 86_400 }
  const advancing = sim.ask('POST', '/clock', month).catch(() => undefined)
  await live.until(() => live.frames.length > 0)
  server.process.kill('SIGTERM')
  expect(await server.ended).toEqual({ code: 0, signal: null, errors: '' })
  await Promise.all([...asking, advancing, live.closed])
})

test('killed again and again, it keeps what it acknowledged, once, and its world goes on as if nothing had been', async () => {
  const [overHttp, overTcp] = ['352093024171000', '352093024172370']
  const kept: Record<string, number[]> = { [overHttp as string]: [], [overTcp as string]: [] }
  const env = { DATA_DIR: folder }
  let server = await startServerProcess(env)
  const start = (await callerOf(server.address).sim.pause()).now
  const base = Math.floor(start / MINUTE) * MINUTE

  for (let run = 1; run <= KILLS; run++) {
    const { address, trackerPorts, ended } = server
    const { sim, ask } = callerOf(address)
    await sim.pause()
    const timesOf = (i: number) => Array.from({ length: 8 }, (_, k) => base - run * 3_600_000 + i * 100 + k)
    let acknowledged = 0
    const done = Promise.withResolvers<void>()
    const note = (imei: string, times: number[]) => {
      kept[imei]?.push(...times)
      // in the midst of whatever comes next
      if (++acknowledged === 20 + 7 * run) {
        server.process.kill('SIGKILL')
        done.resolve()
      }
    }
    const post = async (first: number) => {
      for (let i = first; ; i += 3) {
        const readings = timesOf(i).map((at) => ({ imei: overHttp, at, temperature: 4.5 }))
        await ask('ingest', { headers: { 'x-device-key': 'indus-device-key' }, body: { readings } })
        note(overHttp as string, timesOf(i))
      }
    }
    const dial = async () => {
      for await (const times of sendFrames(trackerPorts.teltonika, overTcp as string, framesOf(timesOf)))
        note(overTcp as string, times)
    }
    const live = async () => {
      const { now } = await sim.status()
      for (let at = now; at < base + 5 * run * MINUTE; at += 10_000) await sim.advanceTo(at)
    }
    const all = [post(0), post(1), post(2), dial(), live()].map((each) => each.catch(() => {}))
    await Promise.all([done.promise, ...all])
    expect((await ended).signal).toBe('SIGKILL')
    server = await startServerProcess(env)
  }

  const { sim, ask, signIn } = callerOf(server.address)
  await sim.pause()
  const token = await signIn(OPERATOR)
  for (const [imei, times] of Object.entries(kept)) {
    const data = { startDate: base - 6 * 3_600_000, endDate: base }
    const { points } = await ask('observations', { params: { imei }, query: { data }, token })
    const stored = points.map(({ dateTime }) => Date.parse(dateTime))
    expect(new Set(stored).size).toBe(stored.length)
    expect(times.length).toBeGreaterThan(0)
    expect(times.filter((at) => !stored.includes(at))).toEqual([])
  }

  const steady = await startServerProcess({ DATA_DIR: ':memory:' })
  const steadily = callerOf(steady.address)
  await steadily.sim.pause()
  const goal = base + 30 * MINUTE
  const [killed, never] = [await sim.advanceTo(goal), await steadily.sim.advanceTo(goal)]
  // the two trackers were heard by one server alone, which is a fact of each
  const { logHash } = never
  expect({ ...killed, facts: killed.facts - 2, logHash }).toEqual(never)
  for (const each of [server, steady]) await ending(each)
})

function* framesOf(timesOf: (i: number) => number[]): Generator<number[]> {
  for (let i = 0; ; i++) yield timesOf(i)
}

async function ending(server: ServerProcess): Promise<void> {
  server.process.kill('SIGTERM')
  expect((await server.ended).code).toBe(0)
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import scenario from '#fixtures/scenarios/demo.json' with { type: 'json' }
import { setClock, startApp } from '../build/running-app.ts'
import { type Figure, say } from './figures.ts'
import { followLive } from './live-client.ts'
import { accountFor } from './nothing-lost.ts'
import { peakMemory } from './process-memory.ts'

const MB = 1_000_000
const MOST_MEMORY = 1_500 * MB
const WANTED_RATE = 10_000
/** The world's first minute fills queues and caches; what is measured is after it. */
const WARM_UP = 20_000

export type IngestOptions = { devices: number; seconds: number; scenarioFile: string }

/**
 * The device world reports each device every ten seconds; all of it is stored, evaluated and published to one portal.
 */
export async function measureIngest({ devices, seconds, scenarioFile }: IngestOptions): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'frostline-ingest-'))
  const app = await startApp({ devices, dataDir, env: { SCENARIO: scenarioFile }, patience: 180_000 })
  try {
    const client = await followLive(app.url, await tokenOf(app.url))
    await pause(WARM_UP)
    const [before, rowsBefore, began] = [await worldOf(app.url), client.rows(), performance.now()]
    await pause(seconds * 1000)
    const [after, rowsAfter, ended] = [await worldOf(app.url), client.rows(), performance.now()]
    const memory = peakMemory(app.pid)
    const { now: until } = await standStill(app.url)
    const gaps = client.gaps()
    client.close()
    await app.stop()
    const { sent, missing, twice } = await accountFor(dataDir, { scenarioFile, devices, until })

    const elapsed = (ended - began) / 1000
    const rate = (after.messagesSent - before.messagesSent) / elapsed
    const stored = (rowsAfter - rowsBefore) / elapsed
    const of = `${say(devices)} devices, ${say(elapsed)} s`
    return [
      {
        what: `ingest, ${of}: stored, evaluated, published`,
        measured: `${say(rate)} readings/s, ${say(stored)} published/s to one portal`,
        target: `${say(WANTED_RATE)} readings/s`,
        isReached: rate >= WANTED_RATE && gaps === 0,
      },
      {
        what: 'ingest: each reading sent is in the store, once',
        measured: `${say(sent)} sent, ${say(missing)} missing, ${say(twice)} twice`,
        target: 'nothing lost',
        isReached: missing === 0 && twice === 0,
      },
      {
        what: 'ingest: most memory of the process',
        measured: `${say(memory / MB)} MB`,
        target: `< ${say(MOST_MEMORY / MB)} MB`,
        isReached: memory < MOST_MEMORY,
      },
    ]
  } finally {
    await app.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type World = { now: number; messagesSent: number }

export async function worldOf(url: string): Promise<World> {
  return (await (await fetch(`${url}/sim/status`)).json()) as World
}

/** Stops the world's clock and waits until nothing more is on its way. */
async function standStill(url: string): Promise<World> {
  await setClock(url, { paused: true })
  let last = await worldOf(url)
  for (;;) {
    await pause(1000)
    const now = await worldOf(url)
    if (now.messagesSent === last.messagesSent) return now
    last = now
  }
}

/** Signed in as the operator of the demo's company. */
export async function tokenOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'operator@indus.example', password: scenario.password }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import scenario from '#fixtures/scenarios/demo.json' with { type: 'json' }
import { startApp } from '../scripts/running-app.ts'
import { openSqliteStore } from '../simulator/log/sqlite/open.ts'
import { type Figure, say } from './figures.ts'
import { followLive } from './live-client.ts'
import { peakMemory } from './process-memory.ts'

const MB = 1_000_000
const MOST_MEMORY = 1_500 * MB
const WANTED_RATE = 10_000
/** The world's first minute fills queues and caches; what is measured is after it. */
const WARM_UP = 20_000
/** A tenth of the devices report each second: what is on its way when the clock is read may be this much. */
const ON_THE_WAY = 0.02

export type IngestOptions = { devices: number; seconds: number; scenarioFile: string }

/**
 * The device world reports each device every ten seconds; all of it is stored, judged and told to one portal.
 * What was sent is counted by the world, what was stored by opening the store afterwards.
 */
export async function measureIngest({ devices, seconds, scenarioFile }: IngestOptions): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'frostline-ingest-'))
  const app = await startApp({ devices, dataDir, env: { SCENARIO: scenarioFile }, patience: 180_000 })
  try {
    const client = await followLive(app.url, await tokenOf(app.url))
    await pause(WARM_UP)
    const [sentBefore, rowsBefore, began] = [await messagesSent(app.url), client.rows(), performance.now()]
    await pause(seconds * 1000)
    const [sentAfter, rowsAfter, ended] = [await messagesSent(app.url), client.rows(), performance.now()]
    await fetch(`${app.url}/sim/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ paused: true }),
    })
    const sent = await messagesSent(app.url)
    const memory = peakMemory(app.pid)
    const gaps = client.gaps()
    client.close()
    await app.stop()
    const stored = countStored(dataDir)

    const elapsed = (ended - began) / 1000
    const rate = (sentAfter - sentBefore) / elapsed
    const told = (rowsAfter - rowsBefore) / elapsed
    const of = `${say(devices)} devices, ${say(elapsed)} s`
    return [
      {
        what: `ingest, ${of}: stored, judged, fanned out`,
        measured: `${say(rate)} readings/s, ${say(told)} told/s to one portal`,
        target: `${say(WANTED_RATE)} readings/s`,
        isReached: rate >= WANTED_RATE * (1 - ON_THE_WAY) && gaps === 0,
      },
      {
        what: 'ingest: sent by the world, in the store',
        measured: `${say(sent)} sent, ${say(stored)} stored`,
        target: 'nothing lost',
        isReached: stored >= sent,
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

async function messagesSent(url: string): Promise<number> {
  const status = (await (await fetch(`${url}/sim/status`)).json()) as { messagesSent: number }
  return status.messagesSent
}

async function tokenOf(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'operator@indus.example', password: scenario.password }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Readings in the record, counted batch by batch. */
function countStored(dir: string): number {
  const store = openSqliteStore({ dir, clock: { now: () => Date.now() } })
  let stored = 0
  let after = store.telemetry.batchesFrom()
  for (;;) {
    const records = store.log.read(after, 500)
    for (const record of records) if (record.kind === 'readings') stored += record.readings.length
    const last = records.at(-1)
    if (last === undefined) break
    after = last.seq
  }
  void store.close()
  return stored
}

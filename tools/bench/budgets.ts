import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { ProfileForm } from '#machines/contracts/entities/profiles.ts'
import { freePort, type RunningApp, startApp } from '../build/running-app.ts'
import { heapGauge } from '../faults/heap.ts'
import { atMost, type Figure, say } from './figures.ts'
import { tokenOf, worldOf } from './ingest.ts'
import { writeOneCompany } from './large-world.ts'
import { cpuSeconds } from './process-memory.ts'

const MB = 1_000_000
const MOST_CPU = 10
const MOST_MEMORY = 60
const DAYS_IN_ALL = { isInclusive: false, minutes: 3 * 24 * 60, isFullAllowed: true, spell: 'total' } as const
/** As much to reckon as the profile of medicines, which a fleet of frozen goods would exhaust at once: what is told is not measured. */
const PROFILE: ProfileForm = {
  name: 'As measured',
  source: '',
  rules: [
    ...[8, 15].map((limit) => ({ kind: 'time', side: 'above', limit, ...DAYS_IN_ALL }) as const),
    { kind: 'time', side: 'below', limit: 2, ...DAYS_IN_ALL },
    { kind: 'mkt', limit: 60, hours: 24, onlyAbove: 8 },
  ],
  mktDecides: true,
  steepest: 0.5,
  surroundings: { low: -30, high: 50 },
}
/** Queues and caches fill at first. */
const WARM_UP = 20_000

/** `devices`: each reports once a second, and carries one load; `seconds`: so long is measured before, and with them. */
export type BudgetsOptions = { devices: number; seconds: number }

/**
 * What budgets add to a process that takes readings: the same time twice without a load, by which it is seen how far
 * measuring strays, then with one on every device. No past is made behind it, which would take CPU at first.
 */
export async function measureBudgets({ devices, seconds }: BudgetsOptions): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'frostline-budgets-'))
  const heap = heapGauge(await freePort())
  const env = { SCENARIO: writeOneCompany('indus', { reportSeconds: 1, historyDays: 0 }), ...heap.env }
  const app = await startApp({ devices, dataDir, env, patience: 180_000 })
  try {
    const token = await tokenOf(app.url)
    await pause(WARM_UP)
    const bytes = async () => {
      const { objects, buffers } = await heap.measure()
      return objects + buffers
    }
    const atFirst = await bytes()
    const first = await spent(app, seconds)
    const without = await spent(app, seconds)
    const before = await bytes()
    const opened = await openLoads(app.url, token)
    await pause(WARM_UP / 2)
    const carrying = await bytes()
    const loaded = await spent(app, seconds)
    const atLast = await bytes()

    const cpu = (loaded.perReading / without.perReading - 1) * 100
    // the fleet's own growth is that of as long a time without loads
    const added = (atLast - before - ((before - atFirst) * (WARM_UP / 2000 + seconds)) / (2 * seconds)) / MB
    const what = `budgets of ${say(opened)} loads at ${say(loaded.rate)} readings/s`
    return [
      atMost(`${what}: CPU added to the process`, cpu, MOST_CPU, '%', 1),
      atMost(
        '… memory added, objects and buffers after a collection',
        Math.max(0, added),
        MOST_MEMORY,
        'MB',
        1,
      ),
      {
        what: '… CPU of the process twice without and then with them, memory right after they were opened',
        measured: `${say(first.perReading * 1e6, 1)}, ${say(without.perReading * 1e6, 1)} and ${say(loaded.perReading * 1e6, 1)} µs a reading, ${say((carrying - before) / MB, 1)} MB more`,
        target: '',
      },
    ]
  } finally {
    await app.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** CPU seconds of the process by reading, over so many seconds, so that a machine that is busy with others says the same. */
async function spent(app: RunningApp, seconds: number): Promise<{ perReading: number; rate: number }> {
  const [sent, cpu, began] = [(await worldOf(app.url)).messagesSent, cpuSeconds(app.pid), performance.now()]
  await pause(seconds * 1000)
  const count = (await worldOf(app.url)).messagesSent - sent
  return {
    perReading: (cpuSeconds(app.pid) - cpu) / count,
    rate: (count * 1000) / (performance.now() - began),
  }
}

/** A load on each device of the company, by one list. @returns how many */
async function openLoads(url: string, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const made = await fetch(`${url}/api/profiles`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(PROFILE),
  })
  if (!made.ok) throw new Error(`the profile is not made: ${made.status} ${await made.text()}`)
  const fleet = await fetch(`${url}/api/groups/indus/observations-latest`, { headers })
  const { data } = (await fleet.json()) as { data: { imei: string }[] }
  const lines = data.slice(0, 10_000).map(({ imei }, i) => `${imei},Lot ${i + 1},${PROFILE.name}`)
  const form = new FormData()
  form.set('file', new Blob([`IMEI,Reference,Profile\n${lines.join('\n')}\n`]), 'loads.csv')
  const answer = await fetch(`${url}/api/load-lists?only=good-lines`, {
    method: 'POST',
    headers,
    body: form,
  })
  if (!answer.ok) throw new Error(`loads are not opened: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { opened: number }).opened
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { LOAD_LINES } from '#machines/contracts/entities/loads.ts'
import type { ProfileForm } from '#machines/contracts/entities/profiles.ts'
import { freePort, type RunningApp, startApp } from '../build/running-app.ts'
import { type HeapGauge, heapGauge } from '../faults/heap.ts'
import { compacted, uncompacted } from './compaction.ts'
import { atMost, type Figure, median, say } from './figures.ts'
import { tokenOf, worldOf } from './ingest.ts'
import { writeOneCompany } from './large-world.ts'
import { cpuSeconds } from './process-memory.ts'
import { cpuShare, SLICE, steady } from './steady.ts'

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
/** No hour turns while it is measured: the fleet would be compacted then. */
const START = '2026-06-15T04:02:00.000Z'
const HOUR = 3600
/** Readings in memory at which a fleet is compacted: three quarters of `tailRows`. A small one has fewer in an hour. */
const FULL = 4_500_000
/** A large one is compacted within so long. */
const MOST_TURN = 20 * 60_000
/** Loads that are opened or closed are reckoned from the store two minutes later, which takes a while. */
const RECKONED = 180_000
/** Readings that a load takes before its memory is looked at. */
const FIRST_READINGS = 15_000

/** `devices`: each reports once a second, and carries one load; `seconds`: so long is measured without them, with them, and without again. */
export type BudgetsOptions = { devices: number; seconds: number }

/**
 * What budgets add to a process that takes readings: measured without a load, with one on every device, and when all are closed again, so
 * that what changes with time alone is seen by the two times without. Each begins when a compaction of the fleet has ended and the process
 * has nothing else to do any more, and is over before the next one.
 */
export async function measureBudgets({ devices, seconds }: BudgetsOptions): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'frostline-budgets-'))
  const heap = heapGauge(await freePort())
  const scenario = writeOneCompany('indus', { start: START, reportSeconds: 1, historyDays: 0 })
  const app = await startApp({
    ...{ devices, dataDir, patience: 180_000 },
    env: { SCENARIO: scenario, ...heap.env },
  })
  /** what is measured once: after what is done to the loads, and after the compaction that comes meanwhile */
  const phase = async (act: () => Promise<void>) => {
    await Promise.all([devices * HOUR > FULL && compacted(app.url, MOST_TURN), act()])
    const wait = await steady(app)
    const before = await uncompacted(app.url)
    const taken = await spent(app, seconds)
    const after = await uncompacted(app.url)
    return { ...taken, wait, isAlone: before < after && after < FULL }
  }
  try {
    const loads = await loadsOf(app.url)
    const before = await phase(async () => {})
    let [opened, memory] = [0, 0]
    const carrying = await phase(async () => {
      memory = await grown(heap, async () => {
        opened = await loads.say('opened')
      })
      await pause(RECKONED)
    })
    const after = await phase(async () => {
      const closed = await loads.say('closed')
      if (closed !== opened) throw new Error(`${opened} loads were opened, ${closed} closed`)
      await pause(RECKONED)
    })

    const phases = [before, carrying, after]
    const more = (of: 'typical' | 'mean'): number => (carrying[of] / ((before[of] + after[of]) / 2) - 1) * 100
    const each = (of: 'typical' | 'mean'): string => phases.map((one) => say(one[of] * 1e6, 1)).join(', ')
    const what = `budgets of ${say(opened)} loads at ${say(carrying.rate)} readings/s`
    return [
      atMost(`${what}: CPU added to the process`, more('typical'), MOST_CPU, '%', 1),
      {
        what: `… CPU of the process without, with, without again; the median of ${SLICE / 1000} s each`,
        measured: `${each('typical')} µs a reading`,
        target: '',
      },
      {
        what: '… the same over all of the time',
        measured: `${each('mean')} µs a reading, ${say(more('mean'), 1)} % more`,
        target: '',
      },
      {
        what: '… times in which a compaction of the fleet fell',
        measured: say(phases.filter(({ isAlone }) => !isAlone).length),
        target: '0',
        isReached: phases.every(({ isAlone }) => isAlone),
      },
      {
        what: '… waited before each, after a compaction, until the process took no less than before',
        measured: phases
          .map(({ wait: { ms, isSteady } }) => `${say(ms / 1000)} s${isSteady ? '' : ', in vain'}`)
          .join('; '),
        target: '',
      },
      atMost(
        '… memory added, objects and buffers after a collection',
        Math.max(0, memory / MB),
        MOST_MEMORY,
        'MB',
        1,
      ),
    ]
  } finally {
    await app.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Seconds of CPU by reading, so that a machine that is busy with others says the same: `typical`: of the median slice; `mean`: of all. */
async function spent(
  app: RunningApp,
  seconds: number,
): Promise<{ typical: number; mean: number; rate: number }> {
  const [sent, cpu, began] = [(await worldOf(app.url)).messagesSent, cpuSeconds(app.pid), performance.now()]
  const shares: number[] = []
  while (performance.now() - began < seconds * 1000 - SLICE / 2) shares.push(await cpuShare(app, SLICE))
  const count = (await worldOf(app.url)).messagesSent - sent
  const rate = (count * 1000) / (performance.now() - began)
  return { typical: median(shares) / rate, mean: (cpuSeconds(app.pid) - cpu) / count, rate }
}

/** Bytes that are there after what is done and so many readings more, less what the fleet itself grew by in as long a time before. */
async function grown(heap: HeapGauge, act: () => Promise<void>): Promise<number> {
  const look = async () => {
    const { objects, buffers } = await heap.measure()
    return { bytes: objects + buffers, at: performance.now() }
  }
  const first = await look()
  await pause(FIRST_READINGS)
  const before = await look()
  await act()
  await pause(FIRST_READINGS)
  const after = await look()
  const fleet = ((before.bytes - first.bytes) * (after.at - before.at)) / (before.at - first.at)
  return after.bytes - before.bytes - fleet
}

/** A load for each device of the company. */
async function loadsOf(url: string) {
  const signedIn = async () => ({ authorization: `Bearer ${await tokenOf(url)}` })
  const headers = await signedIn()
  const made = await fetch(`${url}/api/profiles`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(PROFILE),
  })
  if (!made.ok) throw new Error(`the profile is not made: ${made.status} ${await made.text()}`)
  const fleet = await fetch(`${url}/api/groups/indus/observations-latest`, { headers })
  const { data } = (await fleet.json()) as { data: { imei: string }[] }
  const imeis = data.slice(0, LOAD_LINES).map(({ imei }) => imei)
  return {
    /** by one list; a few devices carry one of the scenario's all the time. @returns how many */
    async say(what: 'opened' | 'closed'): Promise<number> {
      const close = what === 'closed' ? 'yes' : ''
      const lines = imeis.map((imei, i) => `${imei},Lot ${i + 1},${PROFILE.name},${close}`)
      const form = new FormData()
      form.set('file', new Blob([`IMEI,Reference,Profile,Close\n${lines.join('\n')}\n`]), 'loads.csv')
      const answer = await fetch(`${url}/api/load-lists?only=good-lines`, {
        ...{ method: 'POST', headers: await signedIn(), body: form },
      })
      const body = await answer.text()
      if (!answer.ok) throw new Error(`no loads are ${what}: ${answer.status} ${body.slice(0, 500)}`)
      return (JSON.parse(body) as Record<typeof what, number>)[what]
    },
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AsOfView } from '#machines/contracts/calls/as-of.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { applyReadings, emptyLatest } from '#machines/projections/latest.ts'
import { createNamesThen, fleetThen } from '../../server/api/http/as-of-routes.ts'
import { register } from '../../server/commands/registration/register.ts'
import { startKeepingFrames } from '../../server/jobs/frames/keep-frames.ts'
import { createPast } from '../../server/read-models/fleet-at.ts'
import { createNotificationIndex } from '../../server/read-models/notification-index.ts'
import { type Projecting, startProjecting } from '../../server/read-models/read-models.ts'
import type { Frame } from '../../server/store/frames.ts'
import { openSqliteStore } from '../../server/store/sqlite/open.ts'
import type { Store } from '../../server/store/store.ts'
import { openSimulation } from '../../simulator/world/simulation.ts'
import type { World } from '../../simulator/world/world.ts'
import { atMost, type Figure, percentile, say } from './figures.ts'
import { writeOneCompany } from './large-world.ts'

const MINUTE = 60_000
const LOOKS = 100
/** What a reading each ten seconds takes in SQLite (`sizes`), bytes. */
const READING_BYTES = 5.6

type Bench = { store: Store; readModels: Projecting; clock: { at: number; now(): number }; world: World }
/** `ms`: to pack each frame. */
type Kept = { readings: number; frames: { ms: number; bytes: number }[] }

/**
 * What it takes to keep the fleet of each minute, and to see it again: devices of the demo's world, reporting every ten seconds,
 * live some time, and one is renamed; then minutes of it are asked for, each of a server that has none of them in memory.
 * @param bound of an answer, ms
 */
export async function measureAsOf(devices: number, minutes: number, bound: number): Promise<Figure[]> {
  const { world, liveFrom } = await openSimulation({
    scenario: writeOneCompany(),
    seed: undefined,
    devices,
    simSpeed: 1,
  })
  const dir = mkdtempSync(join(tmpdir(), 'frostline-as-of-'))
  const clock = { at: liveFrom, now: () => clock.at }
  const store = openSqliteStore({ dir, clock })
  const readModels = startProjecting(store)
  try {
    const bench = { store, readModels, clock, world }
    const { timeZone } = world.scenario
    const who = { ...world.registration, timeZone }
    await register({ log: store.log, readModels, hashPassword: async () => String() }, who, liveFrom)
    const { readings, frames } = await live(bench, minutes)
    await rename(bench)
    const taken = await lookBack(bench, minutes, 'then')
    const known = await lookBack(bench, minutes, 'now')
    const what = `as of any of ${say(minutes)} minutes, ${say(devices)} devices`
    const bytes = frames.reduce((sum, frame) => sum + frame.bytes, 0)
    const packing = frames.map(({ ms }) => ms)
    return [
      atMost(`${what}: cold, p95 of ${LOOKS}`, percentile(taken, 0.95), bound, 'ms'),
      atMost(`${what}, as it is known now: cold, p95 of ${LOOKS}`, percentile(known, 0.95), bound, 'ms'),
      atMost(`${what}: on disk, of what readings take`, (100 * bytes) / (readings * READING_BYTES), 25, '%'),
      {
        what: `${what}: packing a minute, median and most`,
        measured: `${say(percentile(packing, 0.5))}, ${say(Math.max(...packing))} ms`,
        target: '',
      },
    ]
  } finally {
    readModels.stop()
    await store.close()
    rmSync(dir, { recursive: true })
  }
}

async function live({ store, readModels, clock, world }: Bench, minutes: number): Promise<Kept> {
  const kept: Kept = { readings: 0, frames: [] }
  await readModels.settled(store.log.head())
  const latest = emptyLatest(world.size)
  let began = 0
  const keeping = startKeepingFrames({
    store: {
      log: store.log,
      frames: {
        ...store.frames,
        put(frame: Frame) {
          kept.frames.push({ ms: performance.now() - began, bytes: frame.bytes.length })
          return store.frames.put(frame)
        },
      },
    },
    readModels: { latest, seq: store.log.head(), onAdvance: () => () => {} },
    clock,
    retentionDays: 31,
    warn: (message) => console.error(message),
    lookMs: 1e9,
  })
  world.resume(clock.at)
  for (let minute = 0; minute < minutes; minute++) {
    clock.at += MINUTE
    const { readings } = world.advance(clock.at)
    applyReadings(latest, readings, { seq: 1, recordedAt: clock.at })
    kept.readings += readings.length
    began = performance.now()
    await keeping.look()
  }
  await keeping.stop()
  return kept
}

/** From now on the names of then have to be read from the record. */
async function rename({ store, readModels, clock }: Bench): Promise<void> {
  const [device] = readModels.directory.devices
  const data = { imei: device?.imei ?? '', name: 'Another' }
  const fact: NewFact = { type: 'device.updated', at: clock.at, companyId: device?.companyId ?? '', data }
  await store.log.append('bench', [fact])
  await readModels.settled(store.log.head())
}

async function lookBack(
  { store, readModels, clock }: Bench,
  minutes: number,
  view: AsOfView,
): Promise<number[]> {
  const { directory } = readModels
  const notifications = createNotificationIndex(store.log, readModels)
  const [topId = ''] = directory.groups.keys()
  const taken: number[] = []
  for (let look = 0; look < LOOKS; look++) {
    // as good as random, and each part of the time as often
    const minute = Math.floor(clock.at / MINUTE) - Math.floor(((look * 0.618) % 1) * minutes)
    const began = performance.now()
    await createPast({ store, readModels, notifications }).at(minute, view, (fleet) =>
      fleetThen(createNamesThen(), fleet, directory, topId),
    )
    taken.push(performance.now() - began)
  }
  return taken
}

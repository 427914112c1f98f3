import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AsOfView } from '#machines/contracts/calls/as-of.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import {
  copyReading,
  createReadings,
  type ReadingColumns,
  sliceReadings,
} from '#machines/contracts/readings.ts'
import { patienceOf } from '#machines/projections/directory.ts'
import { applyReadings, emptyLatest } from '#machines/projections/latest.ts'
import { measuredOf } from '#machines/projections/measured.ts'
import { createNamesThen, fleetThen } from '../../server/api/http/as-of-routes.ts'
import { register } from '../../server/commands/registration/register.ts'
import { startKeepingFrames } from '../../server/jobs/frames/keep-frames.ts'
import { createPast } from '../../server/read-models/fleet-at.ts'
import { createNotificationIndex } from '../../server/read-models/notification-index.ts'
import { type Projecting, type ReadModels, startProjecting } from '../../server/read-models/read-models.ts'
import type { Frame, LateHour } from '../../server/store/frames.ts'
import { openSqliteStore } from '../../server/store/sqlite/open.ts'
import type { Store } from '../../server/store/store.ts'
import { openSimulation } from '../../simulator/world/simulation.ts'
import type { World } from '../../simulator/world/world.ts'
import { atMost, type Figure, percentile, say } from './figures.ts'
import { writeOneCompany } from './large-world.ts'

const MINUTE = 60_000
const LOOKS = 100
/** One device of so many is away for the first half of the time, and then sends what it had kept. */
const AWAY = 50
/** What a reading each ten seconds takes in SQLite (`sizes`), bytes. */
const READING_BYTES = 5.6

type Bench = { store: Store; readModels: Projecting; clock: { at: number; now(): number }; world: World }
/** `ms`: to pack each frame. */
type Kept = { readings: number; frames: { ms: number; bytes: number }[] }

/**
 * What it takes to keep the fleet of each minute, and to see it again: devices of the demo's world, reporting every ten seconds,
 * live some time, some of which come back at half of it with all that they measured, and one is renamed; then minutes of it are
 * asked for, each for the first time, one after the other as whoever looks for something does.
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
      {
        what: `${what}: the first after a start, in both views`,
        measured: `${say(taken[0] as number)}, ${say(known[0] as number)} ms`,
        target: '',
      },
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
  const measured = measuredOf(latest.readings, 0)
  const patience = (no: number): number => patienceOf(readModels.directory, no)
  let began = 0
  let advanced: Parameters<ReadModels['onAdvance']>[0] | undefined
  const keeping = startKeepingFrames({
    store: {
      log: store.log,
      frames: {
        ...store.frames,
        put(frame: Frame, late: readonly LateHour[]) {
          kept.frames.push({ ms: performance.now() - began, bytes: frame.bytes.length })
          return store.frames.put(frame, late)
        },
      },
    },
    readModels: {
      latest,
      seq: store.log.head(),
      onAdvance(listener) {
        advanced = listener
        return () => {}
      },
    },
    clock,
    retentionDays: 31,
    warn: (message) => console.error(message),
    lookMs: 1e9,
  })
  world.resume(clock.at)
  let away: ReadingColumns[] = []
  for (let minute = 0; minute < minutes; minute++) {
    clock.at += MINUTE
    const { readings } = world.advance(clock.at)
    kept.readings += readings.length
    const isAway = minute < minutes / 2
    const heard = isAway ? those(readings, isHere) : readings
    applyReadings(latest, measured, heard, { seq: 1, recordedAt: clock.at }, patience)
    if (isAway) away.push(those(readings, (device) => !isHere(device)))
    else {
      for (const late of away) {
        const { seq } = await store.telemetry.append(late, clock.at)
        const batches = [{ kind: 'readings' as const, seq, recordedAt: clock.at, readings: late }]
        advanced?.({
          ...{ from: seq - 1, to: seq, facts: [], batches },
          ...{ groupsBefore: new Map(), changed: new Uint32Array() },
        })
      }
      away = []
    }
    began = performance.now()
    await keeping.look()
  }
  await keeping.stop()
  return kept
}

const isHere = (device: number): boolean => device % AWAY !== 0

function those(readings: ReadingColumns, isMeant: (device: number) => boolean): ReadingColumns {
  const some = createReadings(readings.length)
  for (let i = 0; i < readings.length; i++)
    if (isMeant(readings.device[i] as number)) copyReading(some, readings, i)
  return sliceReadings(some, 0, some.length)
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
  const notifications = createNotificationIndex(store.log, readModels)
  const [topId = ''] = readModels.directory.groups.keys()
  const past = createPast({ store, readModels, notifications })
  const taken: number[] = []
  for (let look = 0; look < LOOKS; look++) {
    // as good as random, and each part of the time as often
    const minute = Math.floor(clock.at / MINUTE) - Math.floor(((look * 0.618) % 1) * minutes)
    const began = performance.now()
    await past.at(minute, view, (fleet) => fleetThen(createNamesThen(), fleet, readModels, topId))
    taken.push(performance.now() - began)
  }
  return taken
}

import Fastify from 'fastify'
import { IngestAnswer } from '#machines/contracts/calls/ingest-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { Reading } from '#machines/contracts/readings.ts'
import { deviceByImei } from '#machines/projections/directory.ts'
import { foldPublished, type PublishedOfDevices } from '#machines/projections/episodes.ts'
import { startEvaluator } from '../../server/evaluation/evaluator.ts'
import { imeiOf, START, smallFleet } from '../../server/evaluation/testing/small-fleet.ts'
import { ingestRoute } from '../../server/ingest/http-route.ts'
import { createIngest } from '../../server/ingest/pipeline.ts'
import { startProjecting } from '../../server/read-models/read-models.ts'
import { openSqliteStore } from '../../server/store/sqlite/open.ts'
import { rowsOf } from '../../server/store/testing/telemetry-model.ts'
import { say } from '../bench/figures.ts'
import { diceOf, type Fault } from './fault.ts'
import { type Accepted, modelOf, type Violation } from './readings-model.ts'

const SEEDS = 200
const DEVICES = 3
const ROUNDS = 60
const MINUTE = 60_000
const KEY = 'key-of-the-trackers'

export const readings: Fault = {
  name: 'readings',
  what: `duplicated, late, reordered and impossible readings, ${SEEDS} seeds`,
  mustHold: "history, latest values and what is known of violations equal a model's",
  quick: 0.05,
  async run({ times, seed }) {
    const seeds = times(SEEDS)
    const sum = { sent: 0, refused: 0, duplicates: 0, violations: 0 }
    const lost: string[] = []
    for (let i = 0; i < seeds; i++)
      lost.push(...(await oneSeed(seed + i, sum)).map((loss) => `seed ${seed + i}: ${loss}`))
    return {
      tried: `${seeds} seeds, ${say(sum.sent)} readings sent, ${say(sum.duplicates)} duplicates and ${say(sum.refused)} impossible ones among them, ${say(sum.violations)} violations`,
      lost,
    }
  },
}

type Sum = { sent: number; refused: number; duplicates: number; violations: number }

async function oneSeed(seed: number, sum: Sum): Promise<string[]> {
  const dice = diceOf(seed)
  const clock = { at: START, now: () => clock.at }
  const store = openSqliteStore({ dir: ':memory:', clock, tailRows: 200 })
  await store.log.append('registry', smallFleet(DEVICES))
  const models = startProjecting(store)
  const ingest = createIngest({
    store,
    clock,
    device: (no) => models.directory.devices[no],
    newestAt: (no) => (no < models.latest.size ? (models.latest.readings.at[no] as number) : 0),
    batchSize: 16,
    batchMs: 1,
  })
  const quiet = { tickMs: 1e8, checkpointMs: 1e8 }
  const evaluator = await startEvaluator({ store, clock, isQuiet: ingest.isQuiet, ...quiet })
  const door = Fastify()
  await door.register(ingestRoute, {
    ingest,
    clock,
    keyOf: () => ({ companyId: 'c', keyId: 'c' }),
    deviceByImei: (imei) => deviceByImei(models.directory, imei),
  })
  const send = async (sent: object[]) => {
    const body = { readings: sent }
    const request = {
      method: 'POST',
      url: '/ingest',
      headers: { 'x-device-key': KEY },
      payload: body,
    } as const
    return decode((await door.inject(request)).json(), IngestAnswer, 'answer')
  }
  const accepted: Accepted[] = []
  const lost: string[] = []
  const sender = createSender(dice)
  for (let round = 0; round < ROUNDS; round++) {
    clock.at += MINUTE
    const rows = sender.next(clock.at)
    const known = new Map(accepted.map(({ reading }) => [keyOf(reading), reading]))
    const right = rows.filter(({ isPossible }) => isPossible).map(({ reading }) => reading)
    const fresh = right.filter((reading) => !known.has(keyOf(reading)) && known.set(keyOf(reading), reading))
    // another reading of an instant is no duplicate: it is kept beside the one that counts
    const others = right.filter((one) => known.get(keyOf(one))?.temperature !== one.temperature).length
    const answer = await send(
      rows.map(({ reading: { device, ...rest } }) => ({ imei: imeiOf(device), ...rest })),
    )
    const wrong = rows.flatMap(({ isPossible }, index) => (isPossible ? [] : [index]))
    if (String(answer.refused.map(({ index }) => index)) !== String(wrong))
      lost.push(
        `refused ${answer.refused.map(({ index }) => index)}, impossible are ${wrong.map((i) => JSON.stringify(rows[i]?.reading))}`,
      )
    // one of those twice in a round may be called the same again
    const isCounted =
      answer.accepted >= fresh.length + Math.sign(others) && answer.accepted <= fresh.length + others
    if (!isCounted || answer.accepted + answer.duplicates !== right.length)
      lost.push(
        `accepted ${answer.accepted} of ${fresh.length} and ${others} others, ${answer.duplicates} duplicates of ${right.length}`,
      )
    accepted.push(...fresh.map((reading) => ({ reading, storedAt: clock.at })))
    sum.sent += rows.length
    sum.refused += answer.refused.length
    sum.duplicates += answer.duplicates
    if (dice() < 0.3) while (await store.telemetry.maintain(clock.at));
  }
  await evaluator.settled(store.log.head())
  // what came late is evaluated in its place when no more of it came for a while
  clock.at += 16 * MINUTE
  await evaluator.tick()
  await models.settled(store.log.head())

  for (let device = 0; device < DEVICES; device++) {
    const model = modelOf(accepted.filter(({ reading }) => reading.device === device))
    const stored = rowsOf(await store.telemetry.history(device, 0, 1e15))
    lost.push(...differing(`history of device ${device}`, stored, model.history))
    const { at, temperature } = models.latest.readings
    const latest = { at: at[device], temperature: (temperature[device] as number) / 100 }
    lost.push(...differing(`latest value of device ${device}`, latest, model.latest))
    const published = violationsPublished(
      store.log.readFacts(0, { limit: 1e6 }),
      models.directory.devices[device]?.imei ?? '',
    )
    lost.push(...differing(`violations of device ${device}`, published, model.violations))
    sum.violations += model.violations.length
  }
  await door.close()
  await evaluator.stop()
  await ingest.stop()
  models.stop()
  await store.close()
  return lost
}

function differing(what: string, found: unknown, expected: unknown): string[] {
  const [is, should] = [JSON.stringify(found), JSON.stringify(expected)]
  if (is === should) return []
  const at = [...is].findIndex((letter, i) => letter !== should[i])
  return [
    `${what} is …${is.slice(Math.max(0, at - 60), at + 60)}…, the model's …${should.slice(Math.max(0, at - 60), at + 60)}…`,
  ]
}

/** What is known in the end of all that was told of a device. */
function violationsPublished(facts: readonly Fact[], imei: string): Violation[] {
  const published: PublishedOfDevices = new Map()
  for (const fact of facts) foldPublished(published, fact)
  return [...(published.get(imei)?.episodes.values() ?? [])]
    .map(({ type, since, clearedAt }) => ({ type, since, clearedAt }))
    .sort((a, b) => a.since - b.since)
}

type Row = { reading: Reading; isPossible: boolean }

/** Devices that measure every minute, and a network that brings it late, twice, out of order, or spoilt. */
function createSender(dice: () => number) {
  const underway: { reading: Reading; dueAt: number }[] = []
  const temperatures = Array.from({ length: DEVICES }, () => 5)
  const delivered: Reading[] = []
  const pick = <T>(all: readonly T[]): T => all[Math.floor(dice() * all.length)] as T
  return {
    next(now: number): Row[] {
      for (let device = 0; device < DEVICES; device++) {
        temperatures[device] = Math.max(
          -5,
          Math.min(15, (temperatures[device] as number) + Math.round(dice() * 8 - 4)),
        )
        const reading = {
          device,
          at: now - Math.floor(dice() * 3) * 1000,
          temperature: temperatures[device] as number,
        }
        // half at once, the others up to half an hour later
        underway.push({ reading, dueAt: dice() < 0.5 ? now : now + dice() * 30 * MINUTE })
      }
      const due = underway.filter(({ dueAt }) => dueAt <= now).map(({ reading }) => reading)
      underway.splice(0, underway.length, ...underway.filter(({ dueAt }) => dueAt > now))
      delivered.push(...due)
      const again = delivered.length === 0 ? [] : Array.from({ length: 3 }, () => pick(delivered))
      // the same device and time with another value: the one received nearer to it counts, and that is the first
      const contradicted = again.slice(0, 1).map((reading) => ({ ...reading, temperature: 1 }))
      const rows = [...due, ...again, ...contradicted].map((reading) => ({ reading, isPossible: true }))
      if (dice() < 0.5) rows.push({ reading: spoilt(pick(IMPOSSIBLE), now), isPossible: false })
      return shuffled(rows, dice)
    },
  }
}

const IMPOSSIBLE: readonly Partial<Reading>[] = [
  { lat: 31 },
  { at: Date.UTC(1999, 0, 1) },
  { at: START + 1000 * MINUTE * 60 },
  { device: 77 },
]

const spoilt = (how: Partial<Reading>, now: number): Reading => ({
  device: 0,
  at: now - 500,
  temperature: 5,
  ...how,
})

const keyOf = ({ device, at }: Reading): string => `${device} ${at}`

function shuffled<T>(all: readonly T[], dice: () => number): T[] {
  const rest = [...all]
  return all.map(() => rest.splice(Math.floor(dice() * rest.length), 1)[0] as T)
}

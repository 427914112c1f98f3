import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callerOf } from '../../server/testing/caller.ts'
import { preparePeople } from '../../simulator/testing/scenario-people.ts'
import { percentile, say } from '../bench/figures.ts'
import { type RunningApp, startApp } from '../build/running-app.ts'
import type { Fault, Outcome, Size } from './fault.ts'
import { listenTo } from './listener.ts'
import { accountOf } from './load-account.ts'
import { fleetOf, ROUND_MS, writeLoadScenario } from './load-fleet.ts'
import { DevicesDone, type LoadProcess, RegionDone, startLoad } from './load-process.ts'
import { regionIn } from './region-account.ts'
import { isWarmed, KEPT, REGION } from './region-fleet.ts'

const DEVICES = 100_000
const MINUTE = 60_000
const LASTS = 10 * MINUTE
const SHORTEST = MINUTE
const WORKED_OFF = 15 * MINUTE
const MOST_ACKNOWLEDGEMENT_MS = 100
const MOST_ALARM_MS = 1000
const PATIENCE_MS = 180_000

export const regionBack: Fault = {
  name: 'region-back',
  what: `${say(DEVICES / (ROUND_MS / 1000))} readings/s for 10 minutes, a tenth of them hours late: a region that was off the air comes back, some of it newest first`,
  mustHold:
    '0 lost; every excursion of the region is found and no other; acknowledgement p99 ≤ 100 ms; live alarm p99 ≤ 1 s; worked off within 15 minutes',
  quick: 0.02,
  run: regionComesBack,
}

async function regionComesBack({ scale, times, isTimed }: Size): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'frostline-region-'))
  const dataDir = join(folder, 'data')
  const all = fleetOf(times(DEVICES))
  const first = Math.floor(all.devices * (1 - REGION))
  const live = fleetOf(first)
  const lasts = Math.max(SHORTEST, LASTS * Math.min(1, scale))
  const helpers: LoadProcess[] = []
  let app: RunningApp | undefined
  try {
    const { file, users } = writeLoadScenario(folder, all)
    await preparePeople({ dataDir }, { SCENARIO: file, DEVICES: '1' })
    app = await startApp({ dataDir, env: { SIMULATOR: 'off', ACCESS_TTL: '86400' }, patience: PATIENCE_MS })
    const { url } = app
    const token = await callerOf(url).signIn(users[0]?.userName ?? '')
    const region = new Set(Array.from({ length: all.devices - first }, (_, i) => all.imei(first + i)))
    const foundLate = new Set<string>()
    const alarms: number[] = []
    const listener = listenTo(url, token, ({ thingId, foundLate: late, type }, after) => {
      if (type !== 'HIGH_TEMPERATURE_DETECTED') return
      if (region.has(thingId)) foundLate.add(thingId)
      else if (late === undefined) alarms.push(after)
    })

    const begin = Date.now() + 1000
    const sender = startLoad('load-devices.ts', { address: url, devices: first, begin })
    helpers.push(sender)
    const sent = sender.answer(DevicesDone)
    sent.catch(() => {})
    // who comes online for the first time is told to everybody
    await pause(begin + 2 * ROUND_MS - Date.now())
    const backFrom = Date.now() + 1000
    sender.send({ order: 'alarms', from: backFrom })
    const work = { address: url, devices: all.devices, first, begin: backFrom, lasts }
    const back = startLoad('region-devices.ts', work)
    helpers.push(back)
    const returned = await back.answer(RegionDone)
    const wanted = [...region].filter((_, i) => isWarmed(first + i)).length
    // live readings go on while the backlog is worked off
    for (const until = Date.now() + WORKED_OFF; foundLate.size < wanted && Date.now() < until; )
      await pause(200)
    sender.send({ order: 'stop' })
    const usual = await sent
    await pause(ROUND_MS / 2)
    listener.leave()
    await app.stop()

    const account = await accountOf(dataDir, {
      fleet: live,
      begin,
      rounds: usual.rounds,
      alarmsFrom: backFrom,
    })
    const cameBack = (device: number) =>
      backFrom + Math.floor(((device - first) * lasts) / (all.devices - first))
    const found = await regionIn(dataDir, { fleet: all, first, cameBack })
    const acknowledgements = [...durations(usual.acknowledged), ...durations(returned.acknowledged)]
    const [acknowledged, alarm] = [percentile(acknowledgements, 0.99), percentile(alarms, 0.99)]
    const workedOff = found.workedOffAt - returned.lastAt
    const lost = [...account.lost, ...found.lost, ...usual.wrong, ...returned.wrong]
    if (usual.unanswered > 0) lost.push(`${usual.unanswered} batches were not answered`)
    if (foundLate.size < wanted) lost.push(`${wanted - foundLate.size} excursions were not published`)
    if (alarms.length === 0) lost.push('no live alarm was heard')
    if (listener.gaps() > 0) lost.push(`${listener.gaps()} gaps at the socket`)
    if (isTimed && acknowledged > MOST_ACKNOWLEDGEMENT_MS)
      lost.push(`one acknowledgement in a hundred took ${say(acknowledged)} ms`)
    if (isTimed && alarm > MOST_ALARM_MS) lost.push(`one alarm in a hundred took ${say(alarm)} ms`)
    if (workedOff > WORKED_OFF) lost.push(`the backlog took ${say(workedOff / 1000)} s`)
    const rate = (region.size * KEPT) / (lasts / 1000)
    return {
      tried: [
        `${say(all.devices)} devices, ${say(account.readings)} live readings, ${say(found.readings)} of a region at ${say(rate)}/s in ${say(lasts / 1000)} s`,
        `acknowledged ${wordsOf(acknowledgements)}; refused for a moment ${usual.refused + returned.refused}`,
        `live alarms ${wordsOf(alarms)}, ${say(account.alarms)} of them`,
        `${say(found.excursions)} excursions found late, the last ${say(workedOff / 1000)} s after the region was back`,
      ].join('; '),
      lost,
    }
  } finally {
    for (const helper of helpers) helper.kill()
    await app?.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Of columns that hold when and how long by turns. */
const durations = (spans: Float64Array): Float64Array => spans.filter((_, i) => i % 2 === 1)

function wordsOf(times: readonly number[]): string {
  const [half, most, all] = [0.5, 0.99, 1].map((share) => say(percentile(times, share)))
  return `${half} ms (median), ${most} ms (p99), ${all} ms (most)`
}

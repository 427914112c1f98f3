import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { FIRST_QUIET } from '../../server/jobs/notifier/alerts/digests.ts'
import { callerOf } from '../../server/testing/caller.ts'
import { preparePeople } from '../../simulator/testing/scenario-people.ts'
import { percentile, say } from '../bench/figures.ts'
import { peakMemory } from '../bench/process-memory.ts'
import { buildPortal, isPortalStale } from '../build/portal-build.ts'
import { freePort, type RunningApp, startApp } from '../build/running-app.ts'
import type { Fault, Outcome, Size } from './fault.ts'
import { heapGauge } from './heap.ts'
import { accountOf } from './load-account.ts'
import { fleetOf, ROUND_MS, writeLoadScenario } from './load-fleet.ts'
import { DevicesDone, type LoadProcess, PortalsDone, Ready, startLoad } from './load-process.ts'
import { alarmsOnScreen } from './load-screen.ts'
import { figuresOf } from './server-metrics.ts'
import { watch } from './server-watch.ts'

const DEVICES = 100_000
/** Open portals; each has two sockets. */
const PORTALS = 250
const PEOPLE = 20
const MINUTE = 60_000
const MOST_ACKNOWLEDGEMENT_MS = 100
const MOST_ALARM_MS = 1000
const MOST_SLOPE = 5e6
/** The heap's slope is evaluated over so much time: what comes and goes is more in less of it. */
const LEAST_SLOPE_MS = 5 * MINUTE
const SHORTEST_MS = 12_000
/** For such a part of the warm-up people hurry. */
const HURRIED = 1 / 4
/** A screen is looked at for a part of the whole: at least while each gateway hands over once, no longer than says enough. */
const LOOKED_AT = 1 / 4
const LONGEST_LOOK_MS = 2 * MINUTE
const PATIENCE_MS = 180_000
/** Devices of a group that somebody may click on. */
const CLICKED = 200

type Whole = { minutes: number; share: number }

export const load: Fault = {
  name: 'load',
  what: `${say(DEVICES)} devices, ${say((DEVICES / ROUND_MS) * 1000)} readings/s, ${PORTALS * 2} sockets, ${PEOPLE} people clicking, 10 minutes`,
  mustHold: '0 lost; acknowledgement p99 ≤ 100 ms; alarm on screen p99 ≤ 1 s; heap slope ≤ 5 MB an hour',
  quick: 0.02,
  run: (size) => underLoad(size, { minutes: 10, share: 1 }),
}

export const longLoad: Fault = {
  name: 'long-load',
  what: 'a third of it for an hour',
  mustHold: load.mustHold,
  run: (size) => underLoad(size, { minutes: 60, share: 1 / 3 }),
}

async function underLoad({ scale, times, seed, isTimed }: Size, { minutes, share }: Whole): Promise<Outcome> {
  if (isPortalStale()) await buildPortal().done
  const folder = mkdtempSync(join(tmpdir(), 'frostline-load-'))
  const fleet = fleetOf(times(DEVICES * share))
  const lasts = Math.max(SHORTEST_MS, minutes * MINUTE * Math.min(1, scale))
  const isHeapCompared = isTimed && lasts >= LEAST_SLOPE_MS
  const { file, users } = writeLoadScenario(folder, fleet)
  const gauge = heapGauge(await freePort())
  const helpers: LoadProcess[] = []
  let app: RunningApp | undefined
  try {
    const env = { SIMULATOR: 'off', ACCESS_TTL: '86400', ...gauge.env }
    await preparePeople({ dataDir: join(folder, 'data') }, { SCENARIO: file, DEVICES: '1' })
    app = await startApp({ dataDir: join(folder, 'data'), env, patience: PATIENCE_MS })
    const { url } = app
    const signedIn = []
    for (const { userName, groupId } of users)
      signedIn.push({ token: await callerOf(url).signIn(userName), groupId })

    const begin = Date.now() + 1000
    const devices = startLoad('load-devices.ts', { address: url, devices: fleet.devices, begin })
    helpers.push(devices)
    const done = devices.answer(DevicesDone)
    // who comes online for the first time is told to everybody: that is the server's first minute, not its every day
    await pause(begin + ROUND_MS - Date.now())
    await caughtUp(url)
    const portals = startLoad('load-portals.ts', {
      address: url,
      seed,
      portals: times(PORTALS * share),
      people: times(PEOPLE * share),
      users: signedIn,
      imeis: users.map(({ groupId }) => ({ groupId, imeis: fleet.within(groupId).slice(0, CLICKED) })),
    })
    helpers.push(portals)
    await portals.answer(Ready)
    const heard = portals.answer(PortalsDone)
    heard.catch(() => {})
    const alarmsFrom = Date.now() + 500
    devices.send({ order: 'alarms', from: alarmsFrom })
    // the server is as after hours when its heap is evaluated: each device that alarms did, the first digests are out, and
    // what people do was done so often that its code is compiled
    const after = isHeapCompared ? FIRST_QUIET : 0
    await pause(after * HURRIED)
    portals.send({ order: 'calm' })
    const watched = await watch(url, gauge, { after: after * (1 - HURRIED), lasts })
    const onScreen = await alarmsOnScreen(
      url,
      Math.min(Math.max(ROUND_MS, lasts * LOOKED_AT), LONGEST_LOOK_MS),
    )
    devices.send({ order: 'stop' })
    const sent = await done
    await caughtUp(url)
    portals.send({ order: 'stop' })
    const seen = await heard
    const memory = peakMemory(app.pid)
    await app.stop()

    const account = await accountOf(join(folder, 'data'), { fleet, begin, rounds: sent.rounds, alarmsFrom })
    const missed = seen.received.reduce((sum, received) => sum + Math.max(0, account.alarms - received), 0)
    const acknowledgements = watched.outsideOfLooks(sent.acknowledged)
    const alarms = watched.outsideOfLooks(seen.alarms)
    const acknowledged = percentile(acknowledgements, 0.99)
    const alarm = percentile(onScreen, 0.99)
    const lost = [...account.lost, ...sent.wrong, ...seen.wrong]
    if (sent.unanswered > 0) lost.push(`${sent.unanswered} batches were not answered`)
    if (missed > 0) lost.push(`${missed} alarms did not come to a portal that sees all`)
    if (seen.twice > 0) lost.push(`${seen.twice} alarms came twice`)
    if (seen.gaps > 0) lost.push(`${seen.gaps} gaps at sockets`)
    if (isTimed && acknowledged > MOST_ACKNOWLEDGEMENT_MS)
      lost.push(`one acknowledgement in a hundred took ${say(acknowledged)} ms`)
    if (onScreen.length === 0) lost.push('no alarm came to a screen')
    if (isTimed && alarm > MOST_ALARM_MS) lost.push(`one alarm in a hundred took ${say(alarm)} ms`)
    if (isHeapCompared && watched.slope > MOST_SLOPE)
      lost.push(`the heap grows by ${say(watched.slope / 1e6, 1)} MB an hour`)
    const rate = account.readings / ((sent.rounds[0] ?? 0) * (ROUND_MS / 1000))
    return {
      tried: [
        `${say(fleet.devices)} devices, ${say(account.readings)} readings at ${say(rate)}/s, ${times(PORTALS * share) * 2} sockets, ${times(PEOPLE * share)} people, ${say(lasts / 1000)} s`,
        `acknowledged ${wordsOf(acknowledgements)}; refused for a moment ${sent.refused}`,
        `alarm at a socket ${wordsOf(alarms)}, ${say(account.alarms)} alarms; on a screen ${wordsOf(onScreen)}, ${say(onScreen.length)} of them`,
        `a click answered ${wordsOf(watched.outsideOfLooks(seen.clicks))}`,
        `heap ${watched.heaps.map((bytes) => say(bytes / 1e6, 1)).join(' → ')} MB, ${say(watched.slope / 1e6, 1)} MB an hour; buffers ${watched.buffers.map((bytes) => say(bytes / 1e6)).join(' → ')} MB; most memory ${say(memory / 1e6)} MB`,
        `the server took ${say(watched.cpu * 100)} % of a core, its loop was late by ${say(watched.late * 1000)} ms in one turn of a hundred, at most ${say(watched.latest * 1000)} ms; the sender by ${say(percentile(watched.outsideOfLooks(sent.late), 0.99))} ms`,
      ].join('; '),
      lost,
    }
  } finally {
    for (const helper of helpers) helper.kill()
    await app?.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

function wordsOf(times: readonly number[]): string {
  const [half, most, all] = [0.5, 0.99, 1].map((share) => say(percentile(times, share)))
  return `${half} ms (median), ${most} ms (p99), ${all} ms (most)`
}

/** Resolves when all that was taken is evaluated and folded in, as the server says itself. */
async function caughtUp(address: string): Promise<void> {
  for (const began = performance.now(); ; await pause(100)) {
    const figure = await figuresOf(address)
    const behind = ['ingest_waiting_readings', 'judge_lag', 'read_models_lag'].map(figure)
    if (Math.max(...behind) < 20) return
    if (performance.now() - began > PATIENCE_MS)
      throw new Error(`the server stays behind: ${behind.join(', ')}`)
  }
}

/** The simulated world: devices that measure and send. It can be put at any moment and gives the same messages from there on. */
import { createReadings, type ReadingColumns } from '#machines/contracts/readings.ts'
import type { Scenario } from '#machines/contracts/scenario.ts'
import type { FaultKind } from '#machines/contracts/scenario-script.ts'
import { type Body, bodyOf } from './body.ts'
import { Cursor, type Surroundings } from './cursor.ts'
import { type Fault, faultBook } from './faults.ts'
import { inForce, isCutOff, isDead, TROUBLE, troubleMixOf } from './incidents.ts'
import { writeMessage } from './message.ts'
import { RoadNetwork, type Route } from './roads.ts'
import { type Registration, registrationOf } from './roster.ts'
import { scriptedFaults } from './script.ts'
import { emptySent, MessageHashes, type Sent, withRoom } from './sent.ts'
import { DAY, weatherOf } from './weather.ts'

export type World = {
  readonly scenario: Scenario
  readonly seed: number
  /** number of simulated devices */
  readonly size: number
  readonly registration: Registration
  /** the scenario's start, epoch ms, and the beginning of what `history` answers for */
  readonly start: number
  readonly historyStart: number
  /** up to when messages have been given */
  position(): number
  messagesSent(): number
  /** of all messages given, in device order, 16 hexadecimal digits; or of one device's */
  hash(index?: number): string
  /** All messages sent after `position()` and until `to` (included), in the order of sending; moves there. `device`: world index. */
  advance(to: number): Sent
  /**
   * Readings of one device with from ≤ at < to, every `step` ms (five minutes), ascending: what it would have sent. A pure function of time;
   * nothing moves. Kept-back readings are in their place, lost ones are missing; duplicates and skewed clocks are left out.
   */
  history(index: number, from: number, to: number, step?: number): ReadingColumns
  /** Goes to a moment without giving the messages before it: after a restart, faults restored, with what `checkpoint` saved. */
  resume(at: number, checkpoint?: WorldCheckpoint): void
  checkpoint(): WorldCheckpoint
  /** back to the scenario's start, without the faults that were injected since */
  reset(): void
  /** index of a device, by IMEI */
  indexOf(imei: string): number | undefined
  /** In force from now for so long. @returns undefined for an IMEI that is not simulated here */
  injectFault(id: string, imei: string, fault: FaultKind, forSeconds: number): Fault | undefined
  /** Ends a fault now. @returns it as it is now; undefined where there is none in force */
  removeFault(id: string): Fault | undefined
  /** all that were injected, ended ones too */
  faults(): Fault[]
  /** Takes back a fault of before a restart. @returns false for an IMEI that is not simulated here */
  restoreFault(fault: Fault): boolean
  /** the way a vehicle drives; undefined for a warehouse */
  route(index: number): Route | undefined
}

/** What a restart needs besides the time to go on counting and hashing. */
export type WorldCheckpoint = { position: number; messagesSent: number; hashes: Uint32Array }

/** Readings a device keeps while it is cut off; older ones are overwritten. */
const KEPT_READINGS = 2160
/** ms between two readings of the past */
export const HISTORY_STEP = 300_000

/** @param options `devices`: how many are simulated, the scenario's own number when left out */
export function createWorld(scenario: Scenario, options: { seed?: number; devices?: number } = {}): World {
  const seed = options.seed ?? scenario.seed
  const registration = registrationOf(scenario, seed, options.devices)
  const { devices } = registration
  const start = Date.parse(scenario.start)
  const interval = scenario.reportSeconds * 1000
  const roads = new RoadNetwork(scenario)
  const profiles = new Map(scenario.thermalProfiles.map((profile) => [profile.id, profile]))
  const book = faultBook(seed)
  const around: Surroundings = {
    weather: weatherOf(seed, scenario.utcOffsetMinutes * 60_000, { spells: scenario.weather, start }),
    mix: troubleMixOf(scenario),
    injected: book.of,
  }
  const bodies: Body[] = devices.map((device) => {
    const profile = profiles.get(device.fleet.thermal)
    if (!profile) throw new RangeError(`${device.fleet.id}: no thermal profile ${device.fleet.thermal}`)
    return bodyOf(device, scenario, profile, roads)
  })
  const cursors = bodies.map((body, index) => new Cursor(index, body, around))
  const indexes = new Map(devices.map((device) => [device.imei, device.index]))
  // those who report first in each interval come first
  const order = Uint32Array.from(bodies.keys()).sort(
    (a, b) => (bodies[a]?.reportPhase ?? 0) - (bodies[b]?.reportPhase ?? 0) || a - b,
  )

  let hashes = new MessageHashes(devices.length)
  let position = start
  let sentSoFar = 0

  const scripted = () => {
    for (const { index, fault } of scriptedFaults(scenario, devices)) book.put(index, fault)
  }
  scripted()

  /** One device's turn: what it sends at `at`, into `sent`. */
  const report = (index: number, at: number, sent: Sent): Sent => {
    const cursor = cursors[index] as Cursor
    cursor.move(at)
    const { bits } = cursor
    if (bits !== 0) {
      if (isDead(cursor.troubles, bits, at)) return sent
      if (isCutOff(cursor.troubles, bits, at)) {
        cursor.keeping = true
        return sent
      }
    }
    let out = sent
    if (cursor.keeping) {
      cursor.keeping = false
      out = sendKept(cursor, at, out)
    }
    out = send(out, cursor, at, at)
    return (bits & TROUBLE.duplicate) === 0 ? out : send(out, cursor, at, at)
  }

  const send = (sent: Sent, cursor: Cursor, at: number, sentAt: number): Sent => {
    const out = withRoom(sent)
    const row = out.readings.length
    writeMessage(out.readings, row, cursor.index, cursor, at)
    out.readings.length = row + 1
    out.sentAt[row] = sentAt
    hashes.add(cursor.index, out, row)
    sentSoFar++
    return out
  }

  /** What the device kept while it was cut off, oldest first, just before what it measures at `at`. */
  const sendKept = (cursor: Cursor, at: number, sent: Sent): Sent => {
    const past = cursor.apart()
    let first = at
    for (let kept = 0; kept < KEPT_READINGS; kept++) {
      if (!keptAt(past, first - interval)) break
      first -= interval
    }
    let out = sent
    for (let then = first; then < at; then += interval) {
      past.move(then)
      out = send(out, past, then, at)
    }
    return out
  }

  const resume = (at: number, checkpoint?: WorldCheckpoint) => {
    position = at
    hashes = new MessageHashes(devices.length)
    if (checkpoint && checkpoint.hashes.length === hashes.halves.length) hashes.halves.set(checkpoint.hashes)
    sentSoFar = checkpoint?.messagesSent ?? 0
    for (const cursor of cursors) {
      const { reportPhase } = cursor.body
      const before = Math.floor((at - reportPhase) / interval) * interval + reportPhase
      cursor.lift()
      cursor.keeping = keptAt(cursor, before)
    }
  }
  resume(start)

  return {
    scenario,
    seed,
    size: devices.length,
    registration,
    start,
    historyStart: start - scenario.historyDays * DAY,
    position: () => position,
    messagesSent: () => sentSoFar,
    hash: (index) => (index === undefined ? hashes.all() : hashes.of(index)),
    advance(to) {
      let sent = emptySent(Math.ceil((devices.length * Math.max(0, to - position)) / interval) + 16)
      for (let cycle = Math.floor(position / interval); cycle * interval <= to; cycle++) {
        const base = cycle * interval
        for (let i = firstAfter(order, bodies, position - base); i < order.length; i++) {
          const index = order[i] as number
          const at = base + (bodies[index] as Body).reportPhase
          if (at > to) break
          sent = report(index, at, sent)
        }
      }
      position = Math.max(position, to)
      return sent
    },
    history(index, from, to, step = HISTORY_STEP) {
      const body = bodies[index] as Body
      const cursor = (cursors[index] as Cursor).apart()
      const first = Math.ceil((from - body.reportPhase) / step) * step + body.reportPhase
      const readings = createReadings(Math.max(0, Math.ceil((to - first) / step)))
      for (let at = first; at < to; at += step) {
        cursor.move(at)
        if (cursor.bits !== 0 && isDead(cursor.troubles, cursor.bits, at)) continue
        writeMessage(readings, readings.length, index, cursor, at)
        readings.at[readings.length] = at
        readings.length++
      }
      return readings
    },
    resume,
    checkpoint: () => ({ position, messagesSent: sentSoFar, hashes: hashes.halves.slice() }),
    reset() {
      book.clear()
      scripted()
      resume(start)
    },
    indexOf: (imei) => indexes.get(imei),
    injectFault(id, imei, fault, forSeconds) {
      const index = indexes.get(imei)
      if (index === undefined) return undefined
      const from = position + 1
      const injected = { id, imei, fault, from, until: from + Math.round(forSeconds * 1000) }
      book.put(index, injected)
      cursors[index]?.disturb(from)
      return injected
    },
    removeFault(id) {
      const ended = book.end(id, position + 1)
      if (!ended) return undefined
      cursors[ended.index]?.disturb(position + 1)
      return ended.fault
    },
    faults: book.all,
    restoreFault(fault) {
      const index = indexes.get(fault.imei)
      if (index === undefined) return false
      book.put(index, fault)
      cursors[index]?.lift()
      return true
    },
    route: (index) => bodies[index]?.route,
  }
}

/** Whether a device kept what it measured at `at`, instead of sending it. */
function keptAt(cursor: Cursor, at: number): boolean {
  const troubles = cursor.troublesAt(at)
  const bits = inForce(troubles, at)
  return bits !== 0 && !isDead(troubles, bits, at) && isCutOff(troubles, bits, at)
}

/** The first in reporting order whose phase lies after `phase`. */
function firstAfter(order: Uint32Array, bodies: Body[], phase: number): number {
  let low = 0
  let high = order.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bodies[order[middle] as number] as Body).reportPhase <= phase) low = middle + 1
    else high = middle
  }
  return low
}

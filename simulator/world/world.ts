/** The simulated world: devices that measure and send. It can be put at any moment and gives the same messages from there on. */
import { createReadings, type ReadingColumns } from '#machines/contracts/readings.ts'
import type { Scenario } from '#machines/contracts/scenario.ts'
import type { FaultKind } from '#machines/contracts/scenario-script.ts'
import type { Body } from './body.ts'
import type { Cursor } from './cursor.ts'
import type { Fault } from './faults.ts'
import { isDead } from './incidents.ts'
import { writeMessage } from './message.ts'
import { keptAt, report } from './report.ts'
import type { Route } from './roads.ts'
import type { Registration } from './roster.ts'
import { scriptedFaults } from './script.ts'
import { emptySent, MessageHashes, type Sent } from './sent.ts'
import { DAY } from './weather.ts'
import { createWorldState, type WorldState } from './world-state.ts'

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
  injectFault(
    id: string,
    imei: string,
    fault: FaultKind,
    forSeconds: number,
    aheadMinutes?: number,
  ): Fault | undefined
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

/** ms between two readings of the past */
export const HISTORY_STEP = 300_000

/** @param options `devices`: how many are simulated, the scenario's own number when left out */
export function createWorld(scenario: Scenario, options: { seed?: number; devices?: number } = {}): World {
  const state = createWorldState(scenario, options)
  const { seed, registration, start, book } = state
  putScriptedFaults(state)
  resume(state, start)
  return {
    scenario,
    seed,
    size: registration.devices.length,
    registration,
    start,
    historyStart: start - scenario.historyDays * DAY,
    position: () => state.position,
    messagesSent: () => state.messagesSent,
    hash: (index) => (index === undefined ? state.hashes.all() : state.hashes.of(index)),
    advance: (to) => advance(state, to),
    history: (index, from, to, step) => history(state, index, { from, to, step }),
    resume: (at, checkpoint) => resume(state, at, checkpoint),
    checkpoint: () => checkpointOf(state),
    reset() {
      book.clear()
      putScriptedFaults(state)
      resume(state, start)
    },
    indexOf: (imei) => state.indexes.get(imei),
    injectFault: (id, imei, fault, forSeconds, aheadMinutes) =>
      injectFault(
        state,
        { id, imei, fault, ...(aheadMinutes !== undefined && { aheadMinutes }) },
        forSeconds,
      ),
    removeFault: (id) => removeFault(state, id),
    faults: book.all,
    restoreFault: (fault) => restoreFault(state, fault),
    route: (index) => state.bodies[index]?.route,
  }
}

function putScriptedFaults({ scenario, registration, book }: WorldState): void {
  for (const { index, fault } of scriptedFaults(scenario, registration.devices)) book.put(index, fault)
}

function advance(state: WorldState, to: number): Sent {
  const { position, interval, order, bodies } = state
  let sent = emptySent(Math.ceil((bodies.length * Math.max(0, to - position)) / interval) + 16)
  for (let cycle = Math.floor(position / interval); cycle * interval <= to; cycle++) {
    const base = cycle * interval
    for (let i = firstAfter(order, bodies, position - base); i < order.length; i++) {
      const index = order[i] as number
      const at = base + (bodies[index] as Body).reportPhase
      if (at > to) break
      sent = report(state, index, at, sent)
    }
  }
  state.position = Math.max(position, to)
  return sent
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

function history(
  { bodies, cursors }: WorldState,
  index: number,
  { from, to, step = HISTORY_STEP }: { from: number; to: number; step: number | undefined },
): ReadingColumns {
  const { reportPhase } = bodies[index] as Body
  const cursor = (cursors[index] as Cursor).apart()
  const first = Math.ceil((from - reportPhase) / step) * step + reportPhase
  const readings = createReadings(Math.max(0, Math.ceil((to - first) / step)))
  for (let at = first; at < to; at += step) {
    cursor.move(at)
    if (cursor.bits !== 0 && isDead(cursor.troubles, cursor.bits, at)) continue
    writeMessage(readings, readings.length, index, cursor, at)
    readings.at[readings.length] = at
    readings.length++
  }
  return readings
}

function resume(state: WorldState, at: number, checkpoint?: WorldCheckpoint): void {
  const { interval, cursors } = state
  const hashes = new MessageHashes(cursors.length)
  if (checkpoint && checkpoint.hashes.length === hashes.halves.length) hashes.halves.set(checkpoint.hashes)
  state.hashes = hashes
  state.position = at
  state.messagesSent = checkpoint?.messagesSent ?? 0
  for (const cursor of cursors) {
    const { reportPhase } = cursor.body
    const before = Math.floor((at - reportPhase) / interval) * interval + reportPhase
    cursor.lift()
    cursor.keeping = keptAt(cursor, before)
  }
}

const checkpointOf = ({ position, messagesSent, hashes }: WorldState): WorldCheckpoint => ({
  position,
  messagesSent,
  hashes: hashes.halves.slice(),
})

function injectFault(
  { indexes, position, book, cursors }: WorldState,
  fault: Pick<Fault, 'id' | 'imei' | 'fault' | 'aheadMinutes'>,
  forSeconds: number,
): Fault | undefined {
  const index = indexes.get(fault.imei)
  if (index === undefined) return undefined
  const from = position + 1
  const injected = { ...fault, from, until: from + Math.round(forSeconds * 1000) }
  book.put(index, injected)
  cursors[index]?.disturb(from)
  return injected
}

function removeFault({ book, position, cursors }: WorldState, id: string): Fault | undefined {
  const ended = book.end(id, position + 1)
  if (!ended) return undefined
  cursors[ended.index]?.disturb(position + 1)
  return ended.fault
}

function restoreFault({ indexes, book, cursors }: WorldState, fault: Fault): boolean {
  const index = indexes.get(fault.imei)
  if (index === undefined) return false
  book.put(index, fault)
  cursors[index]?.lift()
  return true
}

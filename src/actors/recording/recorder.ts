import {
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordedStart,
  type RecordedStep,
  type Recording,
} from '#machines/contracts/recording.ts'
import type { WireEvent, WireTap } from '../../effects/wire-tap.ts'
import type { Inspection, MachineStep } from '../inspection.ts'
import { followMachines, type NamedStep } from '../machine-steps.ts'
import { toBase64 } from './base64.ts'
import { createRing, type Ring, type RingLimit } from './ring.ts'
import { createSecrets, type Secrets } from './secrets.ts'
import { type Situation, situationAt } from './situation.ts'
import { written } from './written.ts'

/** So much is kept of a session: an hour of a busy one. What is older makes room. */
export const LIMIT: RingLimit = { steps: 50_000, bytes: 32_000_000 }

/** What is recorded: machines, sockets, pages. */
export type Recorded = {
  inspection: Inspection
  wires: Pick<WireTap, 'follow'>
  onRoute(listener: (path: string) => void): () => void
  /** real milliseconds that never step */
  monotonic(): number
  app: Recording['app']
  /** the fleet as it is known, encoded (fleet-snapshot.ts); null: none is yet */
  fleet: Uint8Array | null
  path: string
}

export type Recorder = {
  readonly steps: number
  readonly dropped: number
  /** real milliseconds since it was started */
  readonly lasted: number
  /** Ends it; answers the file in parts. */
  stop(): string[]
}

/** The player is not recorded while it plays: a recording is no part of itself. */
const NOT_RECORDED = new Set(['recording-player'])

/** A recording under way. */
type State = {
  monotonic: () => number
  /** when it began, on that clock */
  begun: number
  app: Recording['app']
  limit: RingLimit
  secrets: Secrets
  /** what stood in each machine's context when it was last kept */
  contexts: Map<string, object>
  start: Recording['start']
  /** what was so before the first step that is still there, once one had to make room */
  moved: Situation | undefined
  ring: Ring
  /** secrets that were known when something was last kept */
  learned: number
  /** some was kept when fewer secrets were known than now: it is looked through again when the file is made */
  isOutdated: boolean
}

/** Records from now on. No secret is kept at any time, on the way to the file or before. */
export function startRecorder(recorded: Recorded, limit = LIMIT): Recorder {
  const { inspection, wires, onRoute } = recorded
  const state = begin(recorded, limit)
  const { ring } = state
  const stops = [
    followMachines(inspection, (step) => keepEvent(state, step)),
    wires.follow((event) => keepWire(state, event)),
    onRoute((path) => keep(state, { kind: 'route', t: sinceBegin(state), path: plain(state, path) })),
  ]
  return {
    get steps() {
      return ring.size
    },
    get dropped() {
      return ring.dropped
    },
    get lasted() {
      return state.monotonic() - state.begun
    },
    stop() {
      for (const stop of stops) stop()
      return fileOf(state)
    },
  }
}

function begin({ inspection, monotonic, app, fleet, path }: Recorded, limit: RingLimit): State {
  const secrets = createSecrets()
  const state: State = {
    monotonic,
    begun: monotonic(),
    app,
    limit,
    secrets,
    contexts: new Map(),
    start: { machines: [], fleet: fleet === null ? null : toBase64(fleet), path: '' },
    moved: undefined,
    ring: createRing(limit, (text) => {
      state.moved ??= situationAt(state.start)
      state.moved.take(JSON.parse(text) as RecordedStep)
    }),
    learned: secrets.known,
    isOutdated: false,
  }
  // in this order: what the machines know teaches what is secret in the path
  state.start.machines = inspection
    .running()
    .filter(isRecorded)
    .map((step) => startOf(state, step))
  state.start.path = plain(state, path)
  state.learned = secrets.known
  return state
}

const plain = <T>({ secrets }: State, value: T): T => written(value, secrets) as T

/** Real milliseconds since it began, to a tenth. */
const sinceBegin = ({ monotonic, begun }: State): number => Math.round((monotonic() - begun) * 10) / 10

function keep(state: State, step: RecordedStep): void {
  const { secrets, ring } = state
  if (secrets.known !== state.learned) state.isOutdated = true
  state.learned = secrets.known
  ring.push(JSON.stringify(step))
}

/** What is other in a machine's context than when it was last kept. */
function changed(state: State, actor: string, context: object): Record<string, unknown> {
  const { contexts } = state
  const before = contexts.get(actor) as Record<string, unknown> | undefined
  contexts.set(actor, context)
  const news = Object.entries(context).filter(([key, value]) => before?.[key] !== value)
  return plain(state, Object.fromEntries(news))
}

const startOf = (state: State, { machine, actor, snapshot }: MachineStep): RecordedStart => ({
  machine: machine.id,
  actor,
  state: snapshot.value as RecordedStart['state'],
  context: changed(state, actor, snapshot.context as object),
})

function keepEvent(state: State, { machine, actor, event, snapshot, transitions }: NamedStep): void {
  if (NOT_RECORDED.has(machine)) return
  if (event.type === 'xstate.init') state.contexts.delete(actor)
  keep(state, {
    kind: 'event',
    t: sinceBegin(state),
    machine,
    actor,
    event: plain(state, event),
    state: snapshot.value as RecordedStart['state'],
    status: snapshot.status,
    transitions: [...transitions],
    context: changed(state, actor, snapshot.context as object),
  })
  if (snapshot.status !== 'active') state.contexts.delete(actor)
}

function keepWire(state: State, event: WireEvent): void {
  const t = sinceBegin(state)
  if (event.wire === 'fleet') keep(state, { kind: 'fleet', t, data: toBase64(new Uint8Array(event.bytes)) })
  else if ('isOpen' in event) {
    const { wire, isOpen, reason } = event
    keep(state, { kind: 'wire', t, wire, isOpen, reason: plain(state, reason) })
  } else if (event.data instanceof ArrayBuffer) {
    const { wire, way, data } = event
    keep(state, { kind: 'bytes', t, wire, way, data: toBase64(new Uint8Array(data)) })
  } else {
    const { wire, way } = event
    const name = 'name' in event ? { name: event.name } : {}
    keep(state, { kind: 'message', t, wire, way, ...name, data: plain(state, parsed(event.data)) })
  }
}

/** The recording's file, in parts. */
function fileOf(state: State): string[] {
  const { app, limit, ring, moved, isOutdated } = state
  const start = moved ? moved.asStart() : state.start
  const again = <T extends object>(kept: T): T => cleaned(state, kept)
  const { steps, ...head }: Recording = {
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    app,
    dropped: ring.dropped,
    limit,
    start: isOutdated ? { ...again(start), machines: start.machines.map(again) } : start,
    steps: [],
  }
  const texts = isOutdated ? ring.all().map((text) => JSON.stringify(again(JSON.parse(text)))) : ring.all()
  const opening = JSON.stringify({ ...head, steps }).slice(0, -2)
  return [`${opening}\n`, ...texts.map((text, i) => (i === 0 ? text : `,\n${text}`)), '\n]}\n']
}

/** Without secrets that were not known yet when it was kept. */
function cleaned<T extends object>(state: State, kept: T): T {
  const copy = { ...kept } as Record<string, unknown>
  const isBytes = typeof copy.data === 'string' && !('name' in kept)
  for (const part of ['event', 'context', 'data', 'reason', 'path'])
    if (part in copy && !(part === 'data' && isBytes)) copy[part] = plain(state, copy[part])
  return copy as T
}

const isRecorded = ({ machine }: MachineStep): boolean => !NOT_RECORDED.has(machine.id)

/** A text message is JSON; what is none is kept as it came. */
function parsed(data: unknown): unknown {
  if (typeof data !== 'string') return data
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}

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
import { createRing, type RingLimit } from './ring.ts'
import { createSecrets } from './secrets.ts'
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

/** Records from now on. No secret is kept at any time, on the way to the file or before. */
export function startRecorder(recorded: Recorded, limit = LIMIT): Recorder {
  const { inspection, wires, onRoute, monotonic, app } = recorded
  const begun = monotonic()
  const secrets = createSecrets()
  const plain = <T>(value: T): T => written(value, secrets) as T
  /** what stood in each machine's context when it was last kept */
  const contexts = new Map<string, object>()
  let start: Recording['start'] = {
    machines: inspection.running().filter(isRecorded).map(startOf),
    fleet: recorded.fleet === null ? null : toBase64(recorded.fleet),
    path: plain(recorded.path),
  }
  /** what was so before the first step that is still there, once one had to make room */
  let moved: Situation | undefined
  const ring = createRing(limit, (text) => {
    moved ??= situationAt(start)
    moved.take(JSON.parse(text) as RecordedStep)
  })
  let learned = secrets.known
  /** some was kept when fewer secrets were known than now: it is looked through again when the file is made */
  let isOutdated = false

  const keep = (step: RecordedStep): void => {
    if (secrets.known !== learned) isOutdated = true
    learned = secrets.known
    ring.push(JSON.stringify(step))
  }
  const t = () => Math.round((monotonic() - begun) * 10) / 10

  function changed(actor: string, context: object): Record<string, unknown> {
    const before = contexts.get(actor) as Record<string, unknown> | undefined
    contexts.set(actor, context)
    const news = Object.entries(context).filter(([key, value]) => before?.[key] !== value)
    return plain(Object.fromEntries(news))
  }

  function startOf({ machine, actor, snapshot }: MachineStep): RecordedStart {
    const state = snapshot.value as RecordedStart['state']
    return { machine: machine.id, actor, state, context: changed(actor, snapshot.context as object) }
  }

  function keepEvent({ machine, actor, event, snapshot, transitions }: NamedStep): void {
    if (NOT_RECORDED.has(machine)) return
    if (event.type === 'xstate.init') contexts.delete(actor)
    keep({
      kind: 'event',
      t: t(),
      machine,
      actor,
      event: plain(event),
      state: snapshot.value as RecordedStart['state'],
      status: snapshot.status,
      transitions: [...transitions],
      context: changed(actor, snapshot.context as object),
    })
    if (snapshot.status !== 'active') contexts.delete(actor)
  }

  function keepWire(event: WireEvent): void {
    if (event.wire === 'fleet') keep({ kind: 'fleet', t: t(), data: toBase64(new Uint8Array(event.bytes)) })
    else if ('isOpen' in event) {
      const { wire, isOpen, reason } = event
      keep({ kind: 'wire', t: t(), wire, isOpen, reason: plain(reason) })
    } else if (event.data instanceof ArrayBuffer) {
      const { wire, way, data } = event
      keep({ kind: 'bytes', t: t(), wire, way, data: toBase64(new Uint8Array(data)) })
    } else {
      const { wire, way } = event
      const name = 'name' in event ? { name: event.name } : {}
      keep({ kind: 'message', t: t(), wire, way, ...name, data: plain(parsed(event.data)) })
    }
  }

  const stops = [
    followMachines(inspection, keepEvent),
    wires.follow(keepWire),
    onRoute((path) => keep({ kind: 'route', t: t(), path: plain(path) })),
  ]

  return {
    get steps() {
      return ring.size
    },
    get dropped() {
      return ring.dropped
    },
    get lasted() {
      return monotonic() - begun
    },
    stop() {
      for (const stop of stops) stop()
      if (moved) start = moved.asStart()
      const { steps, ...head }: Recording = {
        format: RECORDING_FORMAT,
        version: RECORDING_VERSION,
        app,
        dropped: ring.dropped,
        limit,
        start: isOutdated ? { ...again(start), machines: start.machines.map(again) } : start,
        steps: [],
      }
      const texts = isOutdated
        ? ring.all().map((text) => JSON.stringify(again(JSON.parse(text))))
        : ring.all()
      const opening = JSON.stringify({ ...head, steps }).slice(0, -2)
      return [`${opening}\n`, ...texts.map((text, i) => (i === 0 ? text : `,\n${text}`)), '\n]}\n']
    },
  }

  /** Without secrets that were not known yet when it was kept. */
  function again<T extends object>(kept: T): T {
    const cleaned = { ...kept } as Record<string, unknown>
    const isBytes = typeof cleaned.data === 'string' && !('name' in kept)
    for (const part of ['event', 'context', 'data', 'reason', 'path'])
      if (part in cleaned && !(part === 'data' && isBytes)) cleaned[part] = written(cleaned[part], secrets)
    return cleaned as T
  }
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

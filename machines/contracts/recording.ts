/**
 * A recorded session of the portal as a file: what its machines dealt with and where they ended, what went over the two
 * sockets, which pages were open. No secret is in it: each was exchanged for a stand-in before it was kept, the same for
 * the same secret, so that what compares two of them still can (`src/actors/recording/secrets.ts`).
 *
 * Values that JSON has no form for are written as objects with one key that begins with `$`
 * (`src/actors/recording/written.ts`). `t`: real milliseconds since the recording was started.
 */
import {
  any,
  array,
  boolean,
  define,
  enums,
  type Infer,
  literal,
  nullable,
  object,
  optional,
  record,
  refine,
  string,
  type,
} from 'superstruct'
import { chosenBy } from './choice.ts'
import { Count, EpochMs, Finite } from './scalars.ts'

export const RECORDING_FORMAT = 'frostline-recording'
export const RECORDING_VERSION = 1

/** Bytes in base64. */
const Base64 = refine(
  string(),
  'base64',
  (text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
)
/** A state as XState tells it: a name, or names of regions and what they are in. */
const StateValue = refine(any(), 'state of a machine', isStateValue)
export type RecordedState = string | { [region: string]: RecordedState }
/** By key, as written.ts has it. */
const Context = record(string(), any())

export const RECORDED_WIRES = ['live', 'notifications'] as const
const Wire = enums(RECORDED_WIRES)
const Way = enums(['in', 'out'])

const STEPS = {
  /** an event that a machine dealt with; `xstate.init` and `xstate.stop` where it began and ended */
  event: object({
    kind: literal('event'),
    t: Finite,
    machine: string(),
    /** distinguishes those that run the same machine */
    actor: string(),
    event: type({ type: string() }),
    /** where the machine is after it */
    state: StateValue,
    status: enums(['active', 'done', 'error', 'stopped']),
    /** transitions taken, by the names of machines/testing/chart.ts */
    transitions: array(string()),
    /** what is other in its context now; of a machine that begins, all of it */
    context: Context,
  }),
  /** a frame of `/live` as it came */
  bytes: object({ kind: literal('bytes'), t: Finite, wire: Wire, way: Way, data: Base64 }),
  /** a text message of `/live`, or an event of Socket.IO with its name */
  message: object({
    kind: literal('message'),
    t: Finite,
    wire: Wire,
    way: Way,
    name: optional(string()),
    data: any(),
  }),
  /** a socket was opened, or closed and why */
  wire: object({ kind: literal('wire'), t: Finite, wire: Wire, isOpen: boolean(), reason: string() }),
  /** the whole fleet as it was fetched (fleet-snapshot.ts) */
  fleet: object({ kind: literal('fleet'), t: Finite, data: Base64 }),
  /** another page; what stood behind `?` is left out */
  route: object({ kind: literal('route'), t: Finite, path: string() }),
} as const
type Steps = { [K in keyof typeof STEPS]: Infer<(typeof STEPS)[K]> }
export type RecordedStep = Steps[keyof Steps]
export type RecordedEvent = Steps['event']
const KINDS = Object.keys(STEPS)
const UNKNOWN = object({
  kind: define<string>(`one of ${KINDS.join(', ')}`, (kind) => KINDS.includes(kind as string)),
})
export const RecordedStep = chosenBy<RecordedStep>('kind', STEPS, UNKNOWN)

/** A machine that was running when the recording begins. */
export const RecordedStart = object({
  machine: string(),
  actor: string(),
  state: StateValue,
  context: Context,
})
export type RecordedStart = Infer<typeof RecordedStart>

export const Recording = object({
  format: literal(RECORDING_FORMAT),
  version: literal(RECORDING_VERSION),
  /** the app when the recording was started; null where it did not say */
  app: object({
    scenario: nullable(string()),
    seed: nullable(Finite),
    /** the server's clock, and how fast it ran */
    clock: nullable(EpochMs),
    speed: nullable(Finite),
    timeZone: nullable(string()),
  }),
  /** so many steps were made before the first one here, and no longer fitted */
  dropped: Count,
  /** how much fits */
  limit: object({ steps: Count, bytes: Count }),
  /** what was so before the first step */
  start: object({
    machines: array(RecordedStart),
    /** the fleet (fleet-snapshot.ts); null: none was known yet */
    fleet: nullable(Base64),
    path: string(),
  }),
  steps: array(RecordedStep),
})
export type Recording = Infer<typeof Recording>

function isStateValue(value: unknown): value is RecordedState {
  if (typeof value === 'string') return true
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(isStateValue)
  )
}

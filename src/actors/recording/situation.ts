import { ContractError, decode } from '#machines/contracts/decode.ts'
import { decodeFleetSnapshot, encodeFleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import { decodeLiveFrame } from '#machines/contracts/live-frame.ts'
import { LiveMessage } from '#machines/contracts/live-messages.ts'
import type { RecordedStart, RecordedStep, Recording } from '#machines/contracts/recording.ts'
import { SERVER_EVENTS } from '#machines/contracts/sockets.ts'
import { createFleet, type Fleet } from '../../read-model/fleet.ts'
import { fleetSnapshotOf } from '../../read-model/snapshot-of.ts'
import { fromBase64, toBase64 } from './base64.ts'

/** What is so at one point of a recording. */
export type Situation = {
  /** that run, by actor */
  readonly machines: ReadonlyMap<string, RecordedStart>
  /** as the frames have it, by the code that the portal itself uses */
  readonly fleet: Fleet
  readonly path: string
  /** the server's clock as it was last sent; null: it was not */
  readonly clock: number | null
  /** Goes on by a step; answers why it could not be understood. */
  take(step: RecordedStep): string | undefined
  /** the same as a start, which another can go on from */
  asStart(): Recording['start']
  /** beside the start: by which frames each device was updated last, for those that come late */
  seqColumns(): SeqColumns
}

export type SeqColumns = { rowSeq: Float64Array; placeSeq: Float64Array }

/** @throws ContractError, RangeError where the fleet it begins with cannot be read */
export function situationAt(
  { machines: running, fleet: known, path: first }: Recording['start'],
  seqColumns?: SeqColumns,
): Situation {
  const machines = new Map(running.map((one) => [one.actor, one]))
  // Nothing is drawn from it: it need not notify of changes.
  const fleet = createFleet(() => {})
  let path = first
  let clock: number | null = null
  if (known !== null) load(known)
  if (seqColumns !== undefined) {
    fleet.columns.rowSeq.set(seqColumns.rowSeq)
    fleet.columns.placeSeq.set(seqColumns.placeSeq)
  }

  function load(base64: string): void {
    const snapshot = decodeFleetSnapshot(fromBase64(base64))
    fleet.load(snapshot)
    clock = Math.max(clock ?? 0, snapshot.head.now)
  }

  function takeMessage({ wire, way, name, data }: Extract<RecordedStep, { kind: 'message' }>): void {
    if (way === 'out') return
    if (wire === 'live') {
      const message = decode(data, LiveMessage, 'live message')
      if (message.type === 'age') fleet.pass(message.prevSeq, message.seq)
      if (message.type === 'age' || message.type === 'welcome') clock = message.now
    } else if (name !== undefined && Object.hasOwn(SERVER_EVENTS, name)) {
      decode<unknown, unknown>(data, SERVER_EVENTS[name as keyof typeof SERVER_EVENTS] as never, name)
      if (name === 'facts') fleet.apply(decode(data, SERVER_EVENTS.facts, name).facts)
    }
  }

  function goOn(step: RecordedStep): void {
    switch (step.kind) {
      case 'event':
        if (step.status === 'active') machines.set(step.actor, after(machines.get(step.actor), step))
        else machines.delete(step.actor)
        break
      case 'bytes': {
        const frame = decodeLiveFrame(fromBase64(step.data))
        fleet.merge(frame, 0)
        clock = Math.max(clock ?? 0, frame.baseAt)
        break
      }
      case 'message':
        takeMessage(step)
        break
      case 'fleet':
        load(step.data)
        break
      case 'route':
        path = step.path
        break
      case 'wire':
        break
    }
  }

  return {
    machines,
    fleet,
    get path() {
      return path
    },
    get clock() {
      return clock
    },
    take(step) {
      try {
        goOn(step)
      } catch (error) {
        if (error instanceof ContractError || error instanceof RangeError || error instanceof DOMException)
          return error.message
        throw error
      }
      return undefined
    },
    seqColumns() {
      const { rowSeq, placeSeq, size } = fleet.columns
      return { rowSeq: rowSeq.slice(0, size), placeSeq: placeSeq.slice(0, size) }
    },
    asStart: () => ({
      machines: [...machines.values()],
      fleet:
        fleet.seq === undefined ? null : toBase64(encodeFleetSnapshot(fleetSnapshotOf(fleet, clock ?? 0))),
      path,
    }),
  }
}

/** A machine after an event that it dealt with. */
export function after(
  before: RecordedStart | undefined,
  { machine, actor, state, context }: Extract<RecordedStep, { kind: 'event' }>,
): RecordedStart {
  return { machine, actor, state, context: { ...before?.context, ...context } }
}

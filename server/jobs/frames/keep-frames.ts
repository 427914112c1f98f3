import type { Clock } from '#machines/contracts/clock.ts'
import type { Latest } from '#machines/projections/latest.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { copyOfFleet, encodeFrame } from '../../store/chunks/fleet-frame.ts'
import type { FrameStore } from '../../store/frames.ts'
import { type EventLog, StoreUnavailable } from '../../store/store.ts'
import { hoursOf, type LateHours, noteLate, noteLateOf } from './late-hours.ts'

const MINUTE = 60_000
const MINUTES_A_DAY = 1440
/** The server's clock is looked at so often, real ms: a frame is of its minute and at most this much later. */
const LOOK_EVERY_MS = 1_000
/** A frame is whole again when what was kept since the last whole one is so many times as large, or so many frames. */
const MOST_TIMES = 4
const MOST_FRAMES = 240

export type KeepingFrames = {
  /** Keeps the fleet as it stands, where a minute began since the last one; resolves when it is stored. */
  look(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  store: { frames: FrameStore; log: Pick<EventLog, 'read'> }
  readModels: Pick<ReadModels, 'latest' | 'seq' | 'onAdvance'>
  clock: Clock
  /** frames are kept for as long as the store keeps readings */
  retentionDays: number
  /** for operators */
  warn(message: string): void
  lookMs?: number
}

/** What the next frame stands upon: the last that was stored, and how much has been kept since the last whole one. */
type Base = { seq: number; fleet: Latest; wholeBytes: number; bytesSince: number; framesSince: number }

/**
 * `late`: what came late since the frame before; it is noted with the next one that is stored. `unread`: up to where the record may
 * have more of it, which came while nobody led; undefined: all is read.
 */
type Keeping = Options & {
  minute: number
  base: Base | undefined
  late: LateHours
  unread: number | undefined
  /** since when that is tried, epoch ms */
  readSince: number | undefined
  isStopped: boolean
}

/**
 * Keeps the fleet of each whole minute of the server's clock, on the node that leads. A minute that passes while nobody leads, or
 * the clock is set over, has none: what was shown then is that of the one before. Set back, it keeps none until the last is past.
 */
export function startKeepingFrames(options: Options): KeepingFrames {
  const { readModels, lookMs = LOOK_EVERY_MS } = options
  const keeping: Keeping = {
    ...options,
    // nobody looked when the present minute began, unless it began just now
    minute: begunBefore(options),
    base: undefined,
    late: new Set(),
    unread: readModels.seq,
    readSince: undefined,
    isStopped: false,
  }
  const unfollow = readModels.onAdvance(({ batches }) => {
    for (const batch of batches) noteLate(keeping.late, batch)
  })
  let turn = Promise.resolve()
  const look = (): Promise<void> => {
    turn = turn.then(() => keepMinute(keeping)).catch((error: unknown) => failed(keeping, error))
    return turn
  }
  const timer = setInterval(look, lookMs).unref()
  return {
    look,
    stop() {
      keeping.isStopped = true
      unfollow()
      clearInterval(timer)
      return turn
    },
  }
}

/**
 * Notes what came late while nobody led, or the one before did and kept no frame any more. Until that is done no frame is kept: it
 * would say that all before it is noted. Rejects with StoreUnavailable.
 */
async function noteSinceLast(keeping: Keeping, upTo: number): Promise<void> {
  const { frames, log } = keeping.store
  try {
    const known = await frames.span()
    // the first frame has all there is: nothing is missing in it
    if (known !== undefined) await noteLateOf(log, keeping.late, { after: known.lastSeq, upTo })
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    failed(keeping, error)
  }
  keeping.unread = undefined
}

async function keepMinute(keeping: Keeping): Promise<void> {
  const { clock, store, readModels, base } = keeping
  const { frames } = store
  if (keeping.isStopped) return
  if (keeping.unread !== undefined) {
    keeping.readSince ??= clock.now()
    await noteSinceLast(keeping, keeping.unread)
    // what comes late from then on is not noted
    if (keeping.isStopped) return
    // nobody looked while it was read: a minute that began meanwhile has no frame, unless it began just now
    if (clock.now() - keeping.readSince > LOOK_EVERY_MS) keeping.minute = begunBefore(keeping)
  }
  const minute = Math.floor(clock.now() / MINUTE)
  if (minute === keeping.minute) return
  keeping.minute = minute
  const { seq, latest } = readModels
  const upon = base !== undefined && mayGrow(base) ? base : undefined
  const bytes = encodeFrame(latest, upon?.fleet)
  // taken now: the fleet goes on while this one is stored
  const fleet = copyOfFleet(latest)
  keeping.base = undefined
  const { late } = keeping
  keeping.late = new Set()
  const isStored = await frames
    .put({ minute, seq, base: upon?.seq ?? null, bytes }, hoursOf(late))
    .catch((error: unknown) => {
      keeping.late = late.union(keeping.late)
      throw error
    })
  if (!isStored) {
    keeping.late = late.union(keeping.late)
    return
  }
  keeping.base =
    upon === undefined
      ? { seq, fleet, wholeBytes: bytes.length, bytesSince: 0, framesSince: 0 }
      : { ...upon, seq, fleet, bytesSince: upon.bytesSince + bytes.length, framesSince: upon.framesSince + 1 }
  // some hours at a time, and after each start: midnight may pass while nobody leads
  if (upon === undefined) await frames.drop(minute - keeping.retentionDays * MINUTES_A_DAY)
}

/** The last minute that began longer ago than between two looks. */
const begunBefore = ({ clock }: Pick<Keeping, 'clock'>): number =>
  Math.floor((clock.now() - LOOK_EVERY_MS) / MINUTE)

const mayGrow = ({ wholeBytes, bytesSince, framesSince }: Base): boolean =>
  bytesSince < MOST_TIMES * wholeBytes && framesSince < MOST_FRAMES

/** The store cannot write now: the minute has no frame. */
function failed({ warn }: Keeping, error: unknown): void {
  if (!(error instanceof StoreUnavailable))
    warn(`the fleet of this minute is not kept for looking back: ${String(error)}`)
}

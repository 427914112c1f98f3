import { noteReceived, type ReadingColumns } from '#machines/contracts/readings.ts'
import { BatchIndex } from './batch-index.ts'
import { HotTail } from './hot-tail.ts'

const HOUR = 3_600_000
/** Fill of the tail at which it is compacted: the fuller, the more readings share a chunk; the rest is for what comes meanwhile. */
const START_AT = 0.75

/** Rows of the tail before `endRow`, all of batches up to `through`. */
export type TailPart = { through: number; endRow: number }

/** The tail, which of its rows came with which batch of the log, and when it is time to compact it. */
export type RecentReadings = ReturnType<typeof createRecentReadings>

/** @param tailRows most readings to keep in memory; due is what fills three quarters of that, or came in an hour that is over */
export function createRecentReadings(tailRows: number) {
  const tail = new HotTail()
  const index = new BatchIndex()
  let lastSeq = 0
  /** what is compacted or being compacted */
  let takenThrough = 0
  /** nothing after this number is taken while there is room */
  let heldAt = Number.POSITIVE_INFINITY

  function isDue(now: number): boolean {
    const waiting = index.firstAfter(takenThrough)
    if (waiting === undefined || tail.length === 0) return false
    return (
      tail.length >= tailRows * START_AT || Math.floor(waiting.recordedAt / HOUR) < Math.floor(now / HOUR)
    )
  }

  return {
    tail,
    /** the row after the last one that came in with `seq` or before */
    rowsThrough: (seq: number): number => index.rowsThrough(seq, tail),
    /** the same for the rows there are now, whatever comes or is forgotten later */
    rowsThroughNow(): (seq: number) => number {
      const known = index.copy()
      const { first, end } = tail
      return (seq) => known.rowsThrough(seq, { first, end })
    },
    /** takes the readings of a batch, and notes in them when they were received */
    append(seq: number, recordedAt: number, readings: ReadingColumns): void {
      noteReceived(readings, recordedAt)
      tail.append(readings)
      index.add({ seq, recordedAt, endRow: tail.end })
      lastSeq = seq
    },
    isOverfull: () => tail.length > tailRows,
    hold(upTo: number | undefined): void {
      heldAt = upTo ?? Number.POSITIVE_INFINITY
    },
    /** The part to compact now: what is due, or with `force` all there is. Say `taken` of it. */
    due(now: number, force: boolean): TailPart | undefined {
      if (!(force ? index.firstAfter(takenThrough) !== undefined : isDue(now))) return undefined
      const through = force ? lastSeq : Math.min(lastSeq, heldAt)
      const endRow = index.rowsThrough(through, tail)
      return endRow <= tail.first ? undefined : { through, endRow }
    },
    /** notes that what came up to this number is being compacted */
    taken(through: number): void {
      takenThrough = Math.max(takenThrough, through)
    },
    /** forgets all rows before `endRow` */
    forget(endRow: number): void {
      tail.forget(endRow)
      index.forget(endRow)
    },
  }
}

import { DAY } from './chunks/chunk.ts'

/** Longest that a follower that fell behind keeps compacted batches from being deleted, ms. */
export const MOST_BEHIND = 2 * 3_600_000

/**
 * A day is dropped when it leaves retention, however late some of it came. What comes after that is of a day of its own, which
 * is dropped when nothing was written to it for as long: trackers may deliver readings that are years old.
 */
export type Retention = {
  /** the first day that is in retention */
  firstDay(now: number): number
  /** when a day leaves retention, epoch ms */
  leavesAt(day: number): number
  /** a day that was first written to after it had left is dropped when it was last written to before this time */
  writtenBefore(now: number): number
}

/** @param days for which readings are kept; `day` counts days of UTC since the epoch */
export const createRetention = (days: number): Retention => ({
  firstDay: (now) => Math.floor(now / DAY) - days,
  leavesAt: (day) => (day + days + 1) * DAY,
  writtenBefore: (now) => now - days * DAY,
})

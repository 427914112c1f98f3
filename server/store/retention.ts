import { DAY } from './chunks/chunk.ts'

/** Longest that a follower that fell behind keeps compacted batches from being deleted, ms. */
export const MOST_BEHIND = 2 * 3_600_000

/**
 * A day is dropped when it is out of retention and nothing was written to it for as long: trackers may deliver readings that
 * are years old.
 */
export type Retention = {
  /** the first day that is in retention */
  firstDay(now: number): number
  /** a day before that is dropped when it was last written to before this time */
  writtenBefore(now: number): number
}

export const createRetention = (days: number): Retention => ({
  firstDay: (now) => Math.floor(now / DAY) - days,
  writtenBefore: (now) => now - days * DAY,
})

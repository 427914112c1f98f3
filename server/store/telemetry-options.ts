import type { Clock } from '#machines/contracts/clock.ts'

/** How a store keeps readings, whichever it is. */
export type TelemetryOptions = {
  clock: Clock
  /** days of readings kept (92) */
  retentionDays?: number | undefined
  /** most readings kept in memory (6,000,000: 312 MB); compaction starts at three quarters */
  tailRows?: number | undefined
  /** ms of background work at a time (6) */
  sliceMs?: number | undefined
}

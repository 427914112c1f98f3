import type { DatabaseSync } from 'node:sqlite'
import type { Retention } from '../retention.ts'

/** Windows that a day has room for. */
export const WINDOWS = 2 ** 16
const LAST_WINDOW = WINDOWS - 1

/** Window of days that were put; readings of batches are in windows from 1 on. */
export const PUT = 0

/** Windows that are merged into one when all of them are full: at 100,000 devices about an hour. */
export const GROUP = 8

/** Windows of a day that are merged into the first of them, both ends included. */
export type Group = { day: number; first: number; last: number }

/** `merged`: groups of GROUP windows, from window 1 on, of which only the first has chunks; `madeAt`: when it was first written to */
type Day = { windows: number; lastJob: number; writtenAt: number; merged: number; madeAt: number }

/** Which windows each day has: in memory, in any order, and in the table of days. */
export type Windows = ReturnType<typeof openWindows>

/** Reads the windows of all days into memory. */
export function openWindows(db: DatabaseSync) {
  const windows = {
    days: new Map<number, Day>(),
    allDays: db.prepare(
      'SELECT day, windows, last_job AS lastJob, written_at AS writtenAt, merged, made_at AS madeAt FROM days',
    ),
    putDay: db.prepare(
      'INSERT OR REPLACE INTO days (day, windows, last_job, written_at, merged, made_at) VALUES (?, ?, ?, ?, ?, ?)',
    ),
  }
  reloadWindows(windows)
  return windows
}

/** Reads from the table again, after a transaction that was rolled back. */
export function reloadWindows({ days, allDays }: Windows): void {
  days.clear()
  for (const { day, ...rest } of allDays.iterate() as Iterable<unknown> as Iterable<{ day: number } & Day>)
    days.set(day, rest)
}

/** Windows of a day that may have chunks, ascending; none of a day without any. */
export function windowsOf({ days }: Windows, day: number): number[] {
  const known = days.get(day)
  const found: number[] = []
  if (known === undefined) return found
  const end = known.merged * GROUP + 1
  for (let window = PUT; window <= known.windows; ) {
    found.push(window)
    window += window > PUT && window < end ? GROUP : 1
  }
  return found
}

/**
 * The window a compaction job writes into on this day: always the same one for the same job. Those that come when no window is
 * left share the last one, see `isShared`.
 */
export function windowOf(windows: Windows, day: number, job: number, now: number): number {
  const known = windows.days.get(day)
  if (known?.lastJob === job) return known.windows
  const window = Math.min((known?.windows ?? PUT) + 1, LAST_WINDOW)
  const writtenAt = Math.max(now, known?.writtenAt ?? 0)
  const { merged, madeAt } = known ?? { merged: 0, madeAt: now }
  write(windows, day, { windows: window, lastJob: job, writtenAt, merged, madeAt })
  return window
}

/** Whether a window may have a device's chunk of another job: what comes is put together with it. */
export const isShared = (window: number): boolean => window === LAST_WINDOW

/** Notes that something was put on this day. */
export function touch(windows: Windows, day: number, now: number): void {
  const known = windows.days.get(day)
  if (known !== undefined && now - known.writtenAt <= 3_600_000) return
  write(windows, day, {
    ...(known ?? { windows: PUT, lastJob: 0, merged: 0, madeAt: now }),
    writtenAt: now,
  })
}

/** The next group that no compaction writes to any more. */
export function fullGroup({ days }: Windows): Group | undefined {
  for (const [day, { windows, merged }] of days) {
    const last = (merged + 1) * GROUP
    if (windows > last) return { day, first: last - GROUP + 1, last }
  }
  return undefined
}

/** Notes that the next group of a day has chunks in its first window only. */
export function groupMerged(windows: Windows, day: number): void {
  const known = windows.days.get(day)
  if (known) write(windows, day, { ...known, merged: known.merged + 1 })
}

/** A day that is to be dropped, see Retention. */
export function oldDay({ days }: Windows, retention: Retention, now: number): number | undefined {
  const first = retention.firstDay(now)
  const before = retention.writtenBefore(now)
  for (const [day, { writtenAt, madeAt }] of days)
    if (day < first && (madeAt < retention.leavesAt(day) || writtenAt < before)) return day
  return undefined
}

function write({ days, putDay }: Windows, day: number, to: Day): void {
  days.set(day, to)
  putDay.run(day, to.windows, to.lastJob, to.writtenAt, to.merged, to.madeAt)
}

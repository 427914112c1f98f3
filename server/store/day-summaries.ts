import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { addToDay, BLOCK, clearDay, copyDay, type DayBlock, dayBlock, summaryOf } from './chunks/day-block.ts'
import { daysOf, part } from './reading-parts.ts'
import type { DaySummary } from './store.ts'

/** What summaries are made of: what is stored, and what the tail adds to it. */
export type SummaryParts = {
  /** days that have stored summaries, ascending */
  days: number[]
  /** the stored block a device's day is in, at `device % BLOCK` */
  block(device: number, day: number): DayBlock | undefined
  /** readings of a device that are in no stored summary yet, ascending, each once */
  waiting(device: number): ReadingColumns
  /** whether some of what waits from this time on may be stored too: the day is summed up anew then */
  mayBeStored(device: number, from: number): boolean
  /** all readings of such a device and day, ascending, each once */
  wholeDay(device: number, day: number): ReadingColumns
}

/** Summaries of these devices and days: ordered by device as asked, then day. */
export function daySummaries(parts: SummaryParts, devices: Uint32Array): DaySummary[] {
  const found: DaySummary[] = []
  for (const device of devices) {
    const fresh = waitingDays(parts, device)
    for (const day of fresh.size === 0 ? parts.days : merged(parts.days, fresh)) {
      const waiting = fresh.get(day)
      const block =
        waiting === undefined ? parts.block(device, day) : withWaiting(parts, device, day, waiting)
      const summary = block && summaryOf(block, waiting === undefined ? device % BLOCK : 0, device, day)
      if (summary) found.push(summary)
    }
  }
  return found
}

/** Device days that `daySummaries` will want whole. */
export function wholeDaysOf(
  parts: Pick<SummaryParts, 'waiting' | 'mayBeStored'>,
  devices: Uint32Array,
): [device: number, day: number][] {
  const found: [number, number][] = []
  for (const device of devices)
    for (const [day, waiting] of waitingDays(parts, device))
      if (isWhole(parts, device, waiting)) found.push([device, day])
  return found
}

const scratch = dayBlock()

/** a device's stored day and what waits, as slot 0 of a block */
function withWaiting(parts: SummaryParts, device: number, day: number, waiting: ReadingColumns): DayBlock {
  clearDay(scratch, 0)
  if (isWhole(parts, device, waiting)) {
    const all = parts.wholeDay(device, day)
    addToDay(scratch, 0, all, 0, all.length)
    return scratch
  }
  const stored = parts.block(device, day)
  if (stored) copyDay(scratch, 0, stored, device % BLOCK)
  addToDay(scratch, 0, waiting, 0, waiting.length)
  return scratch
}

function isWhole(
  { mayBeStored }: Pick<SummaryParts, 'mayBeStored'>,
  device: number,
  waiting: ReadingColumns,
) {
  return mayBeStored(device, waiting.at[0] as number)
}

function waitingDays(parts: Pick<SummaryParts, 'waiting'>, device: number): Map<number, ReadingColumns> {
  const days = new Map<number, ReadingColumns>()
  const readings = parts.waiting(device)
  for (const { day, from, to } of daysOf(readings)) days.set(day, part(readings, from, to))
  return days
}

function merged(days: number[], fresh: Map<number, unknown>): number[] {
  return [...new Set([...days, ...fresh.keys()])].sort((a, b) => a - b)
}

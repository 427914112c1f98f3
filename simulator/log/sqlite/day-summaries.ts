import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { DAY } from '../chunks/chunk.ts'
import {
  addToDay,
  BLOCK,
  clearDay,
  copyDay,
  type DayBlock,
  dayBlock,
  summaryOf,
} from '../chunks/day-block.ts'
import { type HotTail, inOrder } from '../hot-tail.ts'
import type { DaySummary } from '../log.ts'
import type { Archive } from './archive.ts'
import type { Compaction } from './compaction.ts'
import type { Past } from './past.ts'

type Parts = {
  tail: HotTail
  archive: Archive
  past: Past
  compaction: Compaction
  /** all readings of a device and day, ascending, each once */
  readDay: (device: number, day: number) => ReadingColumns
}

/**
 * Summaries of days from ≤ day < to: what is stored, and what the tail adds to it. Blocks are read once for all the
 * devices they hold; the history source was asked before.
 */
export function daySummaries(parts: Parts, devices: Uint32Array, from: number, to: number): DaySummary[] {
  const { archive } = parts
  const days = [...archive.chunks.days()].filter((day) => day >= from && day < to).sort((a, b) => a - b)
  const blocks = new Map<number, DayBlock | undefined>()
  const found: DaySummary[] = []
  for (const device of devices) {
    const fresh = daysOfTail(parts, device, from, to)
    for (const day of fresh.size === 0 ? days : merged(days, fresh)) {
      const waiting = fresh.get(day)
      let summary: DaySummary | undefined
      if (waiting === undefined) {
        const id = archive.summaries.key(day, device)
        let block = blocks.get(id)
        if (block === undefined && !blocks.has(id)) {
          block = archive.summaries.block(device, day)
          blocks.set(id, block)
        }
        summary = block && summaryOf(block, device % BLOCK, device, day)
      } else summary = summaryOf(withTail(parts, device, day, waiting), 0, device, day)
      if (summary) found.push(summary)
    }
  }
  return found
}

const scratch = dayBlock()

/** a device's stored day and what waits in the tail, as slot 0 of a block */
function withTail(parts: Parts, device: number, day: number, waiting: ReadingColumns): DayBlock {
  clearDay(scratch, 0)
  const { archive, compaction, past } = parts
  const first = waiting.at[0] as number
  const last = waiting.at[waiting.length - 1] as number
  if (first > compaction.newest(device) && !past.overlaps(device, first, last)) {
    const stored = archive.summaries.block(device, day)
    if (stored) copyDay(scratch, 0, stored, device % BLOCK)
    addToDay(scratch, 0, waiting, 0, waiting.length)
  } else {
    const all = parts.readDay(device, day)
    addToDay(scratch, 0, all, 0, all.length)
  }
  return scratch
}

function daysOfTail({ tail }: Parts, device: number, from: number, to: number): Map<number, ReadingColumns> {
  const days = new Map<number, ReadingColumns>()
  if (!tail.holds(device)) return days
  const readings = inOrder(
    tail.readingsOf(device, from * DAY, to * DAY, tail.end, ['temperature', 'humidity']),
  )
  for (let start = 0; start < readings.length; ) {
    const day = Math.floor((readings.at[start] as number) / DAY)
    let end = start + 1
    while (end < readings.length && (readings.at[end] as number) < (day + 1) * DAY) end++
    days.set(day, {
      ...readings,
      length: end - start,
      at: readings.at.subarray(start, end),
      temperature: readings.temperature.subarray(start, end),
      humidity: readings.humidity.subarray(start, end),
    })
    start = end
  }
  return days
}

function merged(days: number[], fresh: Map<number, unknown>): number[] {
  return [...new Set([...days, ...fresh.keys()])].sort((a, b) => a - b)
}

import { createReadings } from '#machines/contracts/readings.ts'
import { DAY } from '../chunks/chunk.ts'
import type { DayBlock } from '../chunks/day-block.ts'
import { daySummaries } from '../day-summaries.ts'
import { type HotTail, inOrder } from '../hot-tail.ts'
import type { NewestTimes } from '../newest-times.ts'
import { joined } from '../reading-parts.ts'
import type { DaySummary } from '../store.ts'
import type { Archive } from './archive.ts'

type Parts = { tail: HotTail; archive: Archive; newest: NewestTimes }

const NONE = createReadings(0)

/**
 * Summaries of days from ≤ day < to: what is stored, and what the tail adds to it. Blocks are read once for all the
 * devices they hold.
 */
export function storedSummaries(
  { tail, archive, newest }: Parts,
  devices: Uint32Array,
  from: number,
  to: number,
): DaySummary[] {
  const blocks = new Map<number, DayBlock | undefined>()
  return daySummaries(
    {
      days: [...archive.chunks.days.keys()].filter((day) => day >= from && day < to).sort((a, b) => a - b),
      block(device, day) {
        const id = archive.summaries.key(day, device)
        const known = blocks.get(id)
        if (known !== undefined || blocks.has(id)) return known
        const block = archive.summaries.block(device, day)
        blocks.set(id, block)
        return block
      },
      waiting: (device) =>
        tail.holds(device)
          ? inOrder(tail.readingsOf(device, from * DAY, to * DAY, tail.end, ['temperature', 'humidity']))
          : NONE,
      mayBeStored: (device, first) => first <= newest.of(device),
      wholeDay: (device, day) =>
        inOrder(joined([archive.readDay(device, day), tail.readingsOf(device, day * DAY, (day + 1) * DAY)])),
    },
    devices,
  )
}

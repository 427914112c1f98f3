import type { DatabaseSync } from 'node:sqlite'
import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { BLOCK, type DayBlock, dayBlock } from '../chunks/day-block.ts'
import { addToSummary, type DayPart, replaceSummary } from '../day-chunks.ts'
import { DEVICES } from '../storable.ts'
import { isCorrupt } from './failures.ts'

const key = (day: number, device: number) => day * DEVICES + Math.floor(device / BLOCK)

/**
 * The day summaries. Changes are collected and written by `flush()` inside the caller's transaction; when that fails,
 * the caller says `reload()`.
 * @param readDay the readings of a device's day that are summed up already: a block that cannot be read is made anew of them
 */
export function createSummaryTable(
  db: DatabaseSync,
  readDay: (device: number, day: number) => ReadingColumns,
) {
  const put = db.prepare('INSERT OR REPLACE INTO summaries (id, bytes) VALUES (?, ?)')
  const get = db.prepare('SELECT bytes FROM summaries WHERE id = ?')
  const dropAll = db.prepare('DELETE FROM summaries WHERE id >= ? AND id < ?')
  const changed = new Map<number, DayBlock>()

  function block(device: number, day: number): DayBlock | undefined {
    const row = get.get(key(day, device)) as { bytes: Uint8Array } | undefined
    return row && dayBlock(row.bytes)
  }

  /** … or made anew */
  function readable(device: number, day: number): DayBlock | undefined {
    try {
      return block(device, day)
    } catch (error) {
      if (!(error instanceof RangeError || isCorrupt(error))) throw error
      const anew = dayBlock()
      const first = device - (device % BLOCK)
      for (let one = first; one < first + BLOCK; one++)
        addToSummary(anew, { device: one, day, readings: readDay(one, day) })
      return anew
    }
  }

  function toChange(device: number, day: number): DayBlock {
    const id = key(day, device)
    let found = changed.get(id)
    if (found === undefined) {
      found = readable(device, day) ?? dayBlock()
      changed.set(id, found)
    }
    return found
  }

  return {
    /** the stored block a device's day is in, at `device % BLOCK`; undefined when no device of it has that day */
    block,
    /** names the block of a device's day */
    key,
    /** adds readings of which none is summed up, or stored, yet */
    add: (one: DayPart) => addToSummary(toChange(one.device, one.day), one),
    /** sums up a device's day anew from all its readings */
    replace: (whole: DayPart) => replaceSummary(toChange(whole.device, whole.day), whole),
    flush(): void {
      for (const [id, { bytes }] of changed) put.run(id, bytes)
      changed.clear()
    },
    reload: () => changed.clear(),
    drop(day: number): void {
      dropAll.run(day * DEVICES, (day + 1) * DEVICES)
    },
  }
}

import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { decodeChunk, encodeChunk } from './chunks/chunk.ts'
import { addToDay, BLOCK, clearDay, type DayBlock } from './chunks/day-block.ts'
import { type HotTail, inOrder } from './hot-tail.ts'
import { daysOf, joined, part } from './reading-parts.ts'

/** An encoded chunk of one device and day. */
export type DayChunk = { device: number; day: number; bytes: Uint8Array }

/** Readings of one device and day that are compacted together: ascending, each once, at least one. */
export type DayPart = { device: number; day: number; readings: ReadingColumns }

/** Readings in chunks of one device, ascending, each once: of two with one `at` the one of the earlier chunk. */
export const readingsIn = (chunks: readonly DayChunk[]): ReadingColumns =>
  inOrder(joined(chunks.map(({ bytes, device, day }) => decodeChunk(bytes, device, day))))

/** One chunk in place of several of one device and day; what is answered stays the same. */
export const merged = (chunks: readonly [DayChunk, ...DayChunk[]]): Uint8Array =>
  chunks.length === 1 ? chunks[0].bytes : encodeChunk(readingsIn(chunks))

/** What is to be compacted of a device, day by day: its rows before `endRow`. */
export function dayPartsOf(tail: HotTail, device: number, endRow: number): DayPart[] {
  const readings = inOrder(tail.readingsOf(device, 0, Number.POSITIVE_INFINITY, endRow))
  return Array.from(daysOf(readings), ({ day, from, to }) => ({
    device,
    day,
    readings: part(readings, from, to),
  }))
}

/** Whether some of it may be stored already, given the newest stored time of the device. */
export const mayBeStored = ({ readings }: DayPart, newest: number): boolean =>
  (readings.at[0] as number) <= newest

/** Adds readings, none of which is summed up yet, to the device's day in its block. */
export function addToSummary(block: DayBlock, { device, readings }: DayPart): void {
  addToDay(block, device % BLOCK, readings, 0, readings.length)
}

/** Sums up the device's day anew from all its readings. */
export function replaceSummary(block: DayBlock, whole: DayPart): void {
  clearDay(block, whole.device % BLOCK)
  addToSummary(block, whole)
}

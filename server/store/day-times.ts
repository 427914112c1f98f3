import { timesOfChunks } from './chunks/times.ts'
import type { DayChunk } from './day-chunks.ts'

/** Device days whose times are kept at hand. */
const KEPT = 512

/**
 * Times of archived readings, read once for many questions. `Times`: an ascending column in which the same time may be there
 * twice, or a promise of one.
 */
export type DayTimes<Times> = {
  /** all that was archived when this was last dropped, perhaps more */
  of(device: number, day: number): Times
  drop(device: number, day: number): void
  clear(): void
}

/** @param read called where a day is not kept; it is forgotten by `drop`, and with all others when there are too many */
export function createDayTimes<Times>(read: (device: number, day: number) => Times): DayTimes<Times> {
  const times = new Map<string, Times>()
  const nameOf = (device: number, day: number) => `${device} ${day}`
  return {
    of(device, day) {
      const name = nameOf(device, day)
      const known = times.get(name)
      if (known !== undefined) return known
      const found = read(device, day)
      if (times.size >= KEPT) times.clear()
      times.set(name, found)
      return found
    },
    drop: (device, day) => void times.delete(nameOf(device, day)),
    clear: () => times.clear(),
  }
}

/** Times in the chunks of one device and day, ascending. */
export const timesIn = (chunks: readonly DayChunk[], day: number): Float64Array =>
  timesOfChunks(
    chunks.map(({ bytes }) => bytes),
    day,
  )

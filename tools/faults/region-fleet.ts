import type { Fleet } from './load-fleet.ts'

/** Readings a device of the region kept, and how far apart they are, ms: five hours. */
export const KEPT = 60
const APART = 5 * 60_000
/** The newest kept one is so old when the region is back, ms. */
const BACK_AFTER = 10 * 60_000
/** One device in so many was too warm for an hour, from this reading to before that one. */
const WARM_EVERY = 10
const WARM_FROM = 20
const WARM_TO = 32

/** A tenth of the fleet lies in the region: the last ones. */
export const REGION = 0.1

/** When each kept reading of a device was measured, oldest first, epoch ms; `at`: when it comes back. */
export const timesOf = (at: number): number[] =>
  Array.from({ length: KEPT }, (_, i) => at - BACK_AFTER - (KEPT - 1 - i) * APART)

export const isWarmed = (device: number): boolean => device % WARM_EVERY === 0

/** The one excursion of a device that was too warm and came back at `at`: epoch ms. */
export function excursionOf(at: number): { since: number; clearedAt: number } {
  const times = timesOf(at)
  return { since: times[WARM_FROM] as number, clearedAt: times[WARM_TO] as number }
}

/**
 * What a device of the region sends when it is back, as JSON: what it kept and what it measures at `at`. A third of them send
 * the newest first, a third the present and then the oldest first, a third all of it in its order.
 */
export function backlogOf(fleet: Fleet, device: number, at: number): string[] {
  const kept = timesOf(at).map((time, i) =>
    fleet.reading(device, i, time, isWarmed(device) && i >= WARM_FROM && i < WARM_TO),
  )
  const now = fleet.reading(device, KEPT, at, false)
  if (device % 3 === 0) return [now, ...kept.reverse()]
  return device % 3 === 1 ? [now, ...kept] : [...kept, now]
}

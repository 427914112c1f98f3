/**
 * Readings of a device that a node keeps on a UTC day, counted by when they come: eleven days of one a second, or nine years of
 * one in five minutes. Whoever says a device's IMEI, or has a key of its company, could otherwise fill the disk.
 */
export const MOST_A_DAY = 1_000_000

/** Why more are refused. */
export const TOO_MANY_TODAY = `more than ${MOST_A_DAY.toLocaleString('en')} readings of its device today (UTC)`

/** How many readings of each device were kept on one UTC day, by device number: four bytes each. */
export type DayCounts = { readonly most: number; day: number; counts: Uint32Array }

const DAY = 86_400_000

/** @param most readings a device and day */
export const createDayCounts = (most: number): DayCounts => ({ most, day: 0, counts: new Uint32Array(1024) })

/** Whether this device has as many as it may. @param now epoch ms */
export function isFull(counted: DayCounts, no: number, now: number): boolean {
  turn(counted, now)
  return (counted.counts[no] ?? 0) >= counted.most
}

/** One more of this device is kept. @param now epoch ms */
export function countReading(counted: DayCounts, no: number, now: number): void {
  turn(counted, now)
  if (no >= counted.counts.length) {
    const larger = new Uint32Array(Math.max(no + 1, counted.counts.length * 2))
    larger.set(counted.counts)
    counted.counts = larger
  }
  counted.counts[no] = (counted.counts[no] as number) + 1
}

function turn(counted: DayCounts, now: number): void {
  const day = Math.floor(now / DAY)
  if (day === counted.day) return
  counted.day = day
  counted.counts.fill(0)
}

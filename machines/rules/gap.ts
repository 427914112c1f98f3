/** One message that got lost is no gap, whatever a company's patience, ms. */
export const LEAST_GAP_MS = 10 * 60_000

/** Two readings farther apart than this are a gap, of which reports and charts make nothing up, ms. */
export const gapOf = (patienceSeconds: number): number => Math.max(LEAST_GAP_MS, patienceSeconds * 1000)

/** Of a device whose company's patience is not known: beyond three usual intervals of its readings it is a gap, ms. `at`: ascending, ms. */
export function gapAfter(at: readonly number[]): number {
  const intervals = at
    .slice(1)
    .map((time, i) => time - (at[i] as number))
    .sort((a, b) => a - b)
  return Math.max(LEAST_GAP_MS, 3 * (intervals[(intervals.length - 1) >> 1] ?? 0))
}

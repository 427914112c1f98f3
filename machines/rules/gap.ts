/** One message that got lost is no gap, whatever a company's patience, ms. */
export const LEAST_GAP_MS = 10 * 60_000

/** Two readings farther apart than this are a gap, of which reports and charts make nothing up, ms. */
export const gapOf = (patienceSeconds: number): number => Math.max(LEAST_GAP_MS, patienceSeconds * 1000)

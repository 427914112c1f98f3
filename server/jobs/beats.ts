/** A node that is at something of a company says a word of it so often, ms. */
export const BEAT_MS = 1_000
/** After so long without a word, ms, that node is taken for ended. */
const SILENCE_MS = 10_000

/** When other nodes were heard of last, by company: by this node's own clock, as nodes' clocks differ. */
export type Beats = {
  heard(companyId: string): void
  isSilent(companyId: string): boolean
}

/** Of whom nothing was heard yet, the silence begins with the call. */
export function createBeats(): Beats {
  const heardAt = new Map<string, number>()
  const begun = performance.now()
  return {
    heard: (companyId) => void heardAt.set(companyId, performance.now()),
    isSilent: (companyId) => performance.now() - (heardAt.get(companyId) ?? begun) > SILENCE_MS,
  }
}

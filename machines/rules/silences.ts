/** A time nothing was heard: from the last word before it to the first after it; `to`: null where none came. Epoch ms. */
export type Silence = { from: number; to: number | null }

/**
 * The silences longer than `gapMs` that reach into [start, end), in order.
 * @param words when it was heard, ascending, all before `end`; those before `start` say since when it was silent
 */
export function silencesOf(words: Iterable<number>, start: number, end: number, gapMs: number): Silence[] {
  const silences: Silence[] = []
  let last = Number.NaN
  for (const at of words) {
    if (at - last > gapMs && at > start) silences.push({ from: last, to: at })
    last = at
  }
  if (end - last > gapMs) silences.push({ from: last, to: null })
  return silences
}

/** How much of a silence lies in [start, end), ms. */
export const silentWithin = ({ from, to }: Silence, start: number, end: number): number =>
  Math.max(0, Math.min(to ?? end, end) - Math.max(from, start))

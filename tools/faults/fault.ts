/**
 * How much of each fault is tried: `times(50)` of a tenth is 5, and never less than one. `isTimed`: whether how long things
 * take is evaluated too, and not only told.
 */
export type Size = { scale: number; seed: number; isTimed: boolean; times(whole: number): number }

/** What came of a fault. Nothing in `lost`: what must hold held. */
export type Outcome = {
  /** what was done and seen, with numbers */
  tried: string
  /** each thing that should have held and did not, in words */
  lost: readonly string[]
}

/** Something that goes wrong around the server, done to it on purpose. */
export type Fault = {
  /** as it is named on the command line */
  name: string
  what: string
  mustHold: string
  /** the scale at which it takes some seconds, and is part of `npm test`; left out: it cannot be had so short */
  quick?: number
  /** @throws Error where what it needs cannot be had: that counts as not held */
  run(size: Size): Promise<Outcome>
}

export const sizeOf = (scale: number, seed: number, isTimed = true): Size => ({
  scale,
  seed,
  isTimed,
  times: (whole) => Math.max(1, Math.round(whole * scale)),
})

/** Numbers from 0 up to 1, the same for the same seed. */
export function diceOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** The first few of many complaints, and how many there are. */
export function shortened(complaints: readonly string[], most = 5): string[] {
  if (complaints.length <= most) return [...complaints]
  return [...complaints.slice(0, most), `and ${complaints.length - most} more`]
}

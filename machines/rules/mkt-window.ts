/** A window is so many parts long: of a day a quarter of an hour each. */
const PARTS = 96
const ROOM = PARTS + 1

/** Of a window, within `sums`: the number of its newest part since 1970; term and weight of those that are whole in it, without the newest; */
const HEAD = 0
const WHOLE = 1
/** and its parts, each with its term and its weight side by side. */
const FIRST = 3
/** Numbers that a window takes in `sums`. */
export const WINDOW = FIRST + 2 * ROOM

/**
 * The kinetic terms of the last hours, each weighed by the time it stands for (ms), by parts of the window: what is older falls out part
 * by part, of the oldest as much as is past. They are among the sums of a load, so that a reading looks at few places in memory. Gaps
 * are kept beside, from the first one on.
 */
export type Windowed = { sums: Float64Array; gaps: Gaps | undefined }
type Gaps = { least: Float32Array; most: Float32Array; weight: Float32Array }

/** Where in `sums` a window is, and how long a part of it is, ms; one for all loads of the same rules. */
export type WindowPlace = { base: number; part: number }

/**
 * @param base where the numbers of the window begin in `sums`
 * @param hours length of the whole window
 */
export const windowPlace = (base: number, hours: number): WindowPlace => ({
  base,
  part: (hours * 3_600_000) / PARTS,
})

const headOf = (sums: Float64Array, { base }: WindowPlace): number => sums[base + HEAD] as number
const termAt = ({ base }: WindowPlace, part: number): number => base + FIRST + 2 * (part % ROOM)
const termOf = (sums: Float64Array, place: WindowPlace, part: number): number =>
  sums[termAt(place, part)] as number
const weightOf = (sums: Float64Array, place: WindowPlace, part: number): number =>
  sums[termAt(place, part) + 1] as number

function addTo(sums: Float64Array, at: number, term: number, weight: number): void {
  sums[at] = (sums[at] as number) + term
  sums[at + 1] = (sums[at + 1] as number) + weight
}

/**
 * What was measured from one reading to the next, epoch ms, not older than the newest part by a part: each stands for half of the time
 * with its term.
 */
export function addStep(
  window: Windowed,
  place: WindowPlace,
  { from, to }: { from: number; to: number },
  { before, after }: { before: number; after: number },
): void {
  const { sums } = window
  const head = headOf(sums, place)
  const half = (to - from) / 2
  if (from >= head * place.part && to <= (head + 1) * place.part) {
    addTo(sums, termAt(place, head), half * (before + after), half * 2)
    return
  }
  addMeasured(window, place, { from, to: from + half }, before)
  addMeasured(window, place, { from: from + half, to }, after)
}

function addMeasured(
  window: Windowed,
  place: WindowPlace,
  { from, to }: { from: number; to: number },
  term: number,
): void {
  const { sums } = window
  for (let at = from; at < to; ) {
    const part = Math.floor(at / place.part)
    if (part > headOf(sums, place)) goTo(window, place, part)
    const end = Math.min(to, (part + 1) * place.part)
    addTo(sums, termAt(place, part), term * (end - at), end - at)
    if (part < headOf(sums, place)) addTo(sums, place.base + WHOLE, term * (end - at), end - at)
    at = end
  }
}

/** A step of a gap from `from` on, so many ms long, and the least and most its term may be. */
export function addGap(
  window: Windowed,
  place: WindowPlace,
  { from, ms }: { from: number; ms: number },
  { least, most }: { least: number; most: number },
): void {
  const part = Math.floor(from / place.part)
  if (part > headOf(window.sums, place)) goTo(window, place, part)
  window.gaps ??= {
    least: new Float32Array(ROOM),
    most: new Float32Array(ROOM),
    weight: new Float32Array(ROOM),
  }
  const { gaps } = window
  const i = part % ROOM
  gaps.least[i] = (gaps.least[i] as number) + least * ms
  gaps.most[i] = (gaps.most[i] as number) + most * ms
  gaps.weight[i] = (gaps.weight[i] as number) + ms
}

function goTo({ sums, gaps }: Windowed, place: WindowPlace, head: number): void {
  const passed = Math.min(ROOM, head - headOf(sums, place))
  for (let part = head; part > head - passed; part--) {
    sums.fill(0, termAt(place, part), termAt(place, part) + 2)
    if (gaps === undefined) continue
    for (const column of [gaps.least, gaps.most, gaps.weight]) column[part % ROOM] = 0
  }
  sums.fill(0, place.base + WHOLE, place.base + FIRST)
  sums[place.base + HEAD] = head
  // summed anew, so that no rounding is carried on
  for (let part = head - 1; part > head - PARTS; part--)
    addTo(sums, place.base + WHOLE, termOf(sums, place, part), weightOf(sums, place, part))
}

/** How much of the oldest part is still within the window that ends at `at`. */
const restOf = (part: number, head: number, at: number): number =>
  Math.min(1, Math.max(0, 1 - (at - head * part) / part))

/**
 * By how much the mean term of the window that ends at `at`, a time within its newest part or at its end, is above `limit`, times the
 * time that was measured: positive where its mean kinetic temperature is above that of `limit`.
 */
export function excessOf({ sums }: Windowed, place: WindowPlace, at: number, limit: number): number {
  const head = headOf(sums, place)
  const rest = restOf(place.part, head, at)
  const whole = place.base + WHOLE
  const term = (sums[whole] as number) + termOf(sums, place, head) + rest * termOf(sums, place, head + 1)
  const weight =
    (sums[whole + 1] as number) + weightOf(sums, place, head) + rest * weightOf(sums, place, head + 1)
  return term - limit * weight
}

/** Mean terms of the window that ends at `at`, and what they are between with its gaps; 0: nothing was measured. */
export function meanTerms(
  { sums, gaps }: Windowed,
  place: WindowPlace,
  at: number,
): { mean: number; least: number; most: number } {
  const of = { term: 0, weight: 0, least: 0, most: 0, gap: 0 }
  const head = headOf(sums, place)
  for (let part = head; part > head - ROOM && part >= 0; part--) {
    const share = part === head - PARTS ? restOf(place.part, head, at) : 1
    of.term += share * termOf(sums, place, part)
    of.weight += share * weightOf(sums, place, part)
    if (gaps === undefined) continue
    of.least += share * (gaps.least[part % ROOM] as number)
    of.most += share * (gaps.most[part % ROOM] as number)
    of.gap += share * (gaps.weight[part % ROOM] as number)
  }
  if (of.weight === 0) return { mean: 0, least: 0, most: 0 }
  const all = of.weight + of.gap
  return { mean: of.term / of.weight, least: (of.term + of.least) / all, most: (of.term + of.most) / all }
}

/**
 * How long from `at` on, ms, until the mean term of the window is above `limit`, if every term is `term` from then on and no window counts
 * before `completeAt`. Infinity: never.
 */
export function untilAbove(
  window: Windowed,
  place: WindowPlace,
  at: number,
  { term, limit, completeAt }: { term: number; limit: number; completeAt: number },
): number {
  const { sums } = window
  const { part } = place
  const wait = Math.max(0, completeAt - at)
  const gain = term - limit
  let excess = excessOf(window, place, at, limit)
  let now = at
  // within one stretch the same part falls out, so that the excess is a straight line
  for (let i = 0; i <= PARTS; i++) {
    const next = Math.floor(now / part) + 1
    const end = next * part
    const falls =
      now - at >= PARTS * part ? 0 : (termOf(sums, place, next) - limit * weightOf(sums, place, next)) / part
    const slope = gain - falls
    const stretch = end - now
    const least = Math.max(0, wait - (now - at))
    if (least <= stretch) {
      if (excess + slope * least > 0) return now - at + least
      if (slope > 0) {
        const crossing = -excess / slope
        if (crossing >= least && crossing <= stretch) return now - at + crossing
      }
    }
    excess += slope * stretch
    now = end
  }
  return gain > 0 ? wait : Number.POSITIVE_INFINITY
}

/** A window is so many parts long: of a day a quarter of an hour each. */
const PARTS = 96
const ROOM = PARTS + 1

/**
 * The kinetic terms of the last hours, each weighed by the time it stands for (ms), by parts of the window: what is older falls out part
 * by part, of the oldest as much as is past. Gaps are kept beside, from the first one on.
 */
export type MktWindow = {
  /** of a part, ms */
  part: number
  /** number of the newest part since 1970 */
  head: number
  term: Float32Array
  weight: Float32Array
  gaps: { least: Float32Array; most: Float32Array; weight: Float32Array } | undefined
  /** sums of the parts that are whole within the window, without the newest */
  wholeTerm: number
  wholeWeight: number
}

export const createMktWindow = (hours: number): MktWindow => ({
  part: (hours * 3_600_000) / PARTS,
  head: 0,
  term: new Float32Array(ROOM),
  weight: new Float32Array(ROOM),
  gaps: undefined,
  wholeTerm: 0,
  wholeWeight: 0,
})

/** What was measured from one time to another, epoch ms, none of it older than the newest part by a part. */
export function addMeasured(window: MktWindow, from: number, to: number, term: number): void {
  for (let at = from; at < to; ) {
    const head = Math.floor(at / window.part)
    if (head > window.head) goTo(window, head)
    const end = Math.min(to, (head + 1) * window.part)
    const place = head % ROOM
    const ms = end - at
    window.term[place] = (window.term[place] as number) + term * ms
    window.weight[place] = (window.weight[place] as number) + ms
    if (head < window.head) {
      window.wholeTerm += term * ms
      window.wholeWeight += ms
    }
    at = end
  }
}

/** A step of a gap, and the least and most its term may be. */
export function addGap(window: MktWindow, from: number, ms: number, least: number, most: number): void {
  const head = Math.floor(from / window.part)
  if (head > window.head) goTo(window, head)
  window.gaps ??= {
    least: new Float32Array(ROOM),
    most: new Float32Array(ROOM),
    weight: new Float32Array(ROOM),
  }
  const { gaps } = window
  const place = head % ROOM
  gaps.least[place] = (gaps.least[place] as number) + least * ms
  gaps.most[place] = (gaps.most[place] as number) + most * ms
  gaps.weight[place] = (gaps.weight[place] as number) + ms
}

function goTo(window: MktWindow, head: number): void {
  const { term, weight, gaps } = window
  const passed = Math.min(ROOM, head - window.head)
  for (let i = 0; i < passed; i++) {
    const place = (head - i) % ROOM
    term[place] = 0
    weight[place] = 0
    if (gaps === undefined) continue
    gaps.least[place] = 0
    gaps.most[place] = 0
    gaps.weight[place] = 0
  }
  window.head = head
  window.wholeTerm = 0
  window.wholeWeight = 0
  // summed anew, so that no rounding is carried on
  for (let i = 1; i < PARTS; i++) {
    const place = (head - i + ROOM) % ROOM
    window.wholeTerm += term[place] as number
    window.wholeWeight += weight[place] as number
  }
}

/** How much of the oldest part is still within the window that ends at `at`. */
const restOf = ({ part, head }: MktWindow, at: number): number =>
  Math.min(1, Math.max(0, 1 - (at - head * part) / part))

/**
 * By how much the mean term of the window that ends at `at`, a time within its newest part or at its end, is above `limit`, times the
 * time that was measured: positive where its mean kinetic temperature is above that of `limit`.
 */
export function excessOf(window: MktWindow, at: number, limit: number): number {
  const newest = window.head % ROOM
  const oldest = (window.head + 1) % ROOM
  const rest = restOf(window, at)
  const term = window.wholeTerm + (window.term[newest] as number) + rest * (window.term[oldest] as number)
  const weight =
    window.wholeWeight + (window.weight[newest] as number) + rest * (window.weight[oldest] as number)
  return term - limit * weight
}

/** Mean terms of the window that ends at `at`, and what they are between with its gaps; 0: nothing was measured. */
export function meanTerms(window: MktWindow, at: number): { mean: number; least: number; most: number } {
  const sums = { term: 0, weight: 0, least: 0, most: 0, gap: 0 }
  const { head, term, weight, gaps } = window
  for (let i = 0; i < ROOM; i++) {
    const place = (head - i + ROOM) % ROOM
    const share = i === PARTS ? restOf(window, at) : 1
    sums.term += share * (term[place] as number)
    sums.weight += share * (weight[place] as number)
    if (gaps === undefined) continue
    sums.least += share * (gaps.least[place] as number)
    sums.most += share * (gaps.most[place] as number)
    sums.gap += share * (gaps.weight[place] as number)
  }
  if (sums.weight === 0) return { mean: 0, least: 0, most: 0 }
  const all = sums.weight + sums.gap
  return {
    mean: sums.term / sums.weight,
    least: (sums.term + sums.least) / all,
    most: (sums.term + sums.most) / all,
  }
}

/**
 * How long from `at` on, ms, until the mean term of the window is above `limit`, if every term is `term` from then on and no window counts
 * before `completeAt`. Infinity: never.
 */
export function untilAbove(
  window: MktWindow,
  at: number,
  { term, limit, completeAt }: { term: number; limit: number; completeAt: number },
): number {
  const wait = Math.max(0, completeAt - at)
  const gain = term - limit
  let excess = excessOf(window, at, limit)
  let now = at
  // within one stretch the same part falls out, so that the excess is a straight line
  for (let i = 0; i <= PARTS; i++) {
    const end = (Math.floor(now / window.part) + 1) * window.part
    const place = (Math.floor(now / window.part) + 1 + ROOM) % ROOM
    const falls =
      now - at >= PARTS * window.part
        ? 0
        : ((window.term[place] as number) - limit * (window.weight[place] as number)) / window.part
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

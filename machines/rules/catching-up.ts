import { ON_TIME } from '../contracts/readings.ts'
import { lengthWords } from './found-late.ts'

/**
 * What a device was silent about: `holes` are spans of which nothing is known yet, [after, before, …] in ascending pairs;
 * `length`: of all of them before anything came late, ms; `to`: the end of the last one. `openedAt` and `lateAt`: when it was
 * found, and when the last late reading for it was received (0: none was). Epoch ms.
 */
export type Silence = { holes: number[]; length: number; to: number; openedAt: number; lateAt: number }

/** How much of its past a device has delivered, whole minutes: «catching up: 38 of 61 minutes». */
export type Progress = { came: number; of: number }

/**
 * A reading that was received: `at`, and the newest time `before` of its device, 0 where there is none; `heardAt`: when the device
 * was last heard. `gap`: readings no further apart than this are in a row, ms (gap.ts).
 */
export type Received = { at: number; receivedAt: number; before: number; heardAt: number; gap: number }

/** When no late reading came for so long, ms, its past is no longer being delivered; a silence is forgotten after `FORGOTTEN`. */
const QUIET = 120_000
const FORGOTTEN = 15 * 60_000
/** Holes kept of a device at most: of more, the shortest counts as filled. Only readings sent in no order at all make so many. */
const MOST_HOLES = 32

/**
 * Takes a reading in, in whatever order readings come and however often. A device that was silent for longer than `gap` has a
 * hole from its newest reading to the one that is on time, or to now where that is late itself; each late one fills it on both
 * sides as far as the next known one, where that is no further than `gap`.
 * @returns the silence as it is now, changed in place; undefined where there is none
 */
export function takeReceived(known: Silence | undefined, reading: Received): Silence | undefined {
  const { at, receivedAt, before, gap } = reading
  const isLate = receivedAt - at > ON_TIME
  const silence = at > before && before > 0 ? withHoleBefore(known, reading, isLate) : known
  if (silence === undefined) return undefined
  if (fill(silence.holes, at, gap) && isLate) silence.lateAt = Math.max(silence.lateAt, receivedAt)
  return silence.holes.length === 0 ? undefined : silence
}

function withHoleBefore(
  known: Silence | undefined,
  { at, receivedAt, before, heardAt, gap }: Received,
  isLate: boolean,
): Silence | undefined {
  // one whose readings are always late was not silent, though its newest is old
  if (isLate && receivedAt - Math.max(before, heardAt) <= gap) return known
  const from = Math.max(before, known?.to ?? 0)
  const to = isLate ? receivedAt : at
  if (to - from <= gap) return known
  const silence = known ?? { holes: [], length: 0, to, openedAt: receivedAt, lateAt: 0 }
  silence.holes.push(from, to)
  silence.length += to - from
  silence.to = to
  silence.openedAt = receivedAt
  return silence
}

/** Parts the hole that a reading lies in; what is left on either side stays where it is longer than `gap`. Whether there was one. */
function fill(holes: number[], at: number, gap: number): boolean {
  for (let i = 0; i < holes.length; i += 2) {
    const [from, to] = [holes[i] as number, holes[i + 1] as number]
    if (at <= from || at >= to) continue
    const left = [from, at, at, to].filter((_, n, ends) => lengthAt(ends, n - (n % 2)) > gap)
    holes.splice(i, 2, ...left)
    if (holes.length > 2 * MOST_HOLES) holes.splice(shortest(holes), 2)
    return true
  }
  return false
}

const lengthAt = (holes: readonly number[], i: number): number =>
  (holes[i + 1] as number) - (holes[i] as number)

function shortest(holes: readonly number[]): number {
  let found = 0
  for (let i = 2; i < holes.length; i += 2) if (lengthAt(holes, i) < lengthAt(holes, found)) found = i
  return found
}

/** How far a device has come; undefined where nothing late came for it for a while. @param now received time, epoch ms */
export function progressOf({ holes, length, lateAt }: Silence, now: number): Progress | undefined {
  if (lateAt === 0 || now - lateAt >= QUIET || now < lateAt - QUIET) return undefined
  let missing = 0
  for (let i = 0; i < holes.length; i += 2) missing += lengthAt(holes, i)
  return { came: Math.floor((length - missing) / 60_000), of: Math.ceil(length / 60_000) }
}

/** Whether nothing more is expected of it: neither was it found nor did anything late come for a while, or the clock was set back. */
export const isForgotten = ({ openedAt, lateAt }: Silence, now: number): boolean =>
  Math.abs(now - Math.max(openedAt, lateAt)) > FORGOTTEN

/** «catching up: 38 of 61 minutes», «catching up: 1 h 5 min of 7 h» where it is longer than two hours. */
export function catchingUpText({ came, of }: Progress): string {
  if (of <= 120) return `catching up: ${came} of ${of} minutes`
  return `catching up: ${lengthWords(came * 60_000)} of ${lengthWords(of * 60_000)}`
}

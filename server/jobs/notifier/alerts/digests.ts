import type { FactOf } from '#machines/contracts/facts.ts'
import type { Addressee } from './concerned.ts'

const MINUTE = 60_000
/** After an alert, and at most however long the storm goes on: what opens within it is told at its end. */
export const FIRST_QUIET = 10 * MINUTE
export const LONGEST_QUIET = 60 * MINUTE
/** What one alert tells of; of a larger storm several are raised at once. */
export const MOST_AT_ONCE = 5_000

/** A violation somebody is still to be told of. `recordedAt`: when the house heard of it. */
export type Gathered = { seq: number; recordedAt: number } & Pick<
  FactOf<'violation.opened'>['data'],
  'imei' | 'type'
>

/** What somebody is told by one channel: until when nothing, and what waits for then. */
type Line = Addressee & {
  /** epoch ms of the house's clock */
  quietUntil: number
  quietMs: number
  /** ascending by `seq` */
  gathered: Gathered[]
}

/**
 * Who is told of what, and when: a fold of violations as they concern somebody, and of the alerts that were raised. The
 * first after a quiet time is told at once; what follows within ten minutes of an alert, at the end of them, as one. As
 * long as there is something to tell at the end, the time doubles, up to an hour.
 */
export type Digests = Map<string, Line>

export const emptyDigests = (): Digests => new Map()

/** These people are to be told of this violation. */
export function gather(
  lines: Digests,
  concerned: readonly Addressee[],
  { seq, recordedAt, data: { imei, type } }: FactOf<'violation.opened'>,
): void {
  // one for all: a storm is many violations times many people
  const violation = { seq, recordedAt, imei, type }
  for (const to of concerned) digestOf(lines, to).gathered.push(violation)
}

/** Somebody was told. */
export function foldRaised(lines: Digests, { at, data }: FactOf<'alert.raised'>): void {
  const line = digestOf(lines, data)
  const told = new Set(data.about)
  line.gathered = line.gathered.filter(({ seq }) => !told.has(seq))
  line.quietMs = data.quietSeconds * 1000
  line.quietUntil = at + line.quietMs
}

/** When somebody is to be told next, epoch ms; Infinity where nothing waits. */
export function nextAt(lines: Digests): number {
  let next = Number.POSITIVE_INFINITY
  for (const { gathered, quietUntil } of lines.values())
    if (gathered.length > 0 && quietUntil < next) next = quietUntil
  return next
}

/** What is to be told now: of whom, and how long nothing more is. */
export type Due = Addressee & { about: number[]; quietSeconds: number }

/**
 * What is due at `now`.
 * @param isWanted asked of each violation that waited: whoever cannot see it any more, or turned it off, is not told
 */
export function dueAt(
  lines: Digests,
  now: number,
  isWanted: (to: Addressee, violation: Gathered) => boolean,
): Due[] {
  const due: Due[] = []
  for (const line of lines.values()) {
    const { userId, channel, quietUntil } = line
    if (line.gathered.length === 0 || quietUntil > now) continue
    const waited = line.gathered.filter((violation) => isWanted(line, violation))
    line.gathered = waited
    const quietSeconds = quietAfter(line, waited) / 1000
    for (let from = 0; from < waited.length; from += MOST_AT_ONCE) {
      const about = waited.slice(from, from + MOST_AT_ONCE).map(({ seq }) => seq)
      due.push({ userId, channel, about, quietSeconds })
    }
  }
  return due
}

/** Forgets those who are as if they had never been told anything. */
export function forgetQuiet(lines: Digests, now: number): void {
  for (const [key, { gathered, quietUntil }] of lines)
    if (gathered.length === 0 && quietUntil <= now) lines.delete(key)
}

/** Longer each time, as long as something came while it was to be quiet. */
function quietAfter({ quietUntil, quietMs }: Line, waited: readonly Gathered[]): number {
  const isStorm = waited.some(({ recordedAt }) => recordedAt < quietUntil)
  return isStorm ? Math.min(LONGEST_QUIET, Math.max(FIRST_QUIET, quietMs * 2)) : FIRST_QUIET
}

function digestOf(lines: Digests, { userId, channel }: Addressee): Line {
  const key = `${userId} ${channel}`
  const line = lines.get(key) ?? { userId, channel, quietUntil: 0, quietMs: 0, gathered: [] }
  lines.set(key, line)
  return line
}

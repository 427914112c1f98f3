import type { AlertKind } from '#machines/contracts/entities/violation-types.ts'
import type { Fact, FactOf } from '#machines/contracts/facts.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import type { Addressee } from './concerned.ts'

const MINUTE = 60_000
/** The quiet time after an alert, and the longest in a storm: what opens within it is in the digest at its end. */
export const FIRST_QUIET = 10 * MINUTE
export const LONGEST_QUIET = 60 * MINUTE
/** What was found late is alerted this long after the first of it was found: the rest of a backlog is in the same digest. */
export const LATE_EVERY = 15 * MINUTE
/** Violations of one alert; of a larger storm several alerts are raised at once. */
export const MOST_AT_ONCE = 5_000

/**
 * What somebody is still to be alerted of: a violation, or that the budget of a load is exhausted. `recordedAt`: when it was stored; no
 * `violationId` where an earlier release saved it.
 */
export type Gathered = {
  seq: number
  recordedAt: number
  violationId?: string
  loadId?: string
  imei: string
  type: AlertKind
}

/** What is gathered for one addressee and channel while nothing is sent. */
export type Digest = Addressee & {
  /** of what was found late: it has digests of its own, and puts off nothing that is alerted at once */
  isLate?: true
  /** of exhausted budgets: so has that */
  isOfLoads?: true
  /** epoch ms of the server's clock */
  quietUntil: number
  quietMs: number
  /** ascending by `seq` */
  gathered: Gathered[]
}

/**
 * Who is alerted of what, and when: a fold of violations as they concern somebody, and of the alerts that were raised. The
 * first violation after a quiet time is sent at once; what follows within ten minutes of an alert, at the end of them, in
 * one digest. While a digest is not empty at the end, the quiet time doubles, up to an hour. What was found late is in a digest
 * of its own, a quarter of an hour after the first of it. Exhausted budgets are alerted at once beside a storm of violations.
 */
export type Digests = Map<string, Digest>

export const emptyDigests = (): Digests => new Map()

/** A violation lasts when it is shelved no more: it is alerted once again. Nobody is alerted of a lost device. */
export type NotifiedAgain = FactOf<'violation.unshelved'> & { data: { type: ViolationType; opened: number } }

/** Whether something lasts that was shelved, so that people are to be notified of it after all. */
export const isNotifiedAgain = (fact: Fact): fact is NotifiedAgain =>
  fact.type === 'violation.unshelved' && fact.data.type !== 'offline' && fact.data.opened !== null

/** What is to be alerted of: a violation that opened, was found late, or is shelved no more; an exhausted budget. */
export type Notified =
  | FactOf<'violation.opened'>
  | FactOf<'violation.found-late'>
  | NotifiedAgain
  | FactOf<'load.exhausted'>

/** Of which kind it is, as switches have it. */
export const kindOf = (fact: Notified): { imei: string; type: AlertKind } =>
  fact.type === 'load.exhausted' ? { imei: fact.data.imei, type: 'BUDGET_EXHAUSTED' } : fact.data

/** These people are to be alerted of this. */
export function gather(digests: Digests, concerned: readonly Addressee[], fact: Notified): void {
  const { seq, type: factType, recordedAt, data } = fact
  const { imei, type } = kindOf(fact)
  const which = factType === 'violation.found-late' ? 'late' : factType === 'load.exhausted' ? 'loads' : 'now'
  // one for all: a storm is many violations times many people
  const violation = {
    seq,
    recordedAt,
    imei,
    type,
    ...('violationId' in data && { violationId: data.violationId }),
    ...('loadId' in data && { loadId: data.loadId }),
  }
  for (const to of concerned) {
    const digest = digestOf(digests, to, which)
    if (which === 'late' && digest.gathered.length === 0) digest.quietUntil = recordedAt + LATE_EVERY
    digest.gathered.push(violation)
  }
}

/** Late readings say that a violation never was, or a budget never exhausted: nobody who was not notified of it yet is. */
export function foldRevised(
  digests: Digests,
  { type, data }: FactOf<'violation.revised'> | FactOf<'load.revised'>,
): void {
  if (data.after !== null) return
  const isOther: (one: Gathered) => boolean =
    type === 'load.revised'
      ? ({ loadId }) => loadId !== data.loadId
      : ({ violationId }) => violationId !== data.violationId
  for (const digest of digests.values()) digest.gathered = digest.gathered.filter(isOther)
}

/** An alert was raised: what it is about leaves its digest. */
export function foldRaised(digests: Digests, { at, data }: FactOf<'alert.raised'>): void {
  const alerted = new Set(data.about)
  const holds = (one: Digest | undefined) => one?.gathered.some(({ seq }) => alerted.has(seq)) === true
  const which = (['late', 'loads'] as const).find((each) => holds(digests.get(keyOf(data, each)))) ?? 'now'
  const digest = digestOf(digests, data, which)
  digest.gathered = digest.gathered.filter(({ seq }) => !alerted.has(seq))
  digest.quietMs = data.quietSeconds * 1000
  digest.quietUntil = at + digest.quietMs
}

/** Whether a digest is not due, whatever it holds. */
type IsLeftAlone = (digest: Digest) => boolean
const none: IsLeftAlone = () => false

/** When the next digest is due, epoch ms; Infinity where nothing waits. */
export function nextAt(digests: Digests, isLeftAlone = none): number {
  let next = Number.POSITIVE_INFINITY
  for (const digest of digests.values()) {
    const { gathered, quietUntil } = digest
    if (gathered.length > 0 && quietUntil < next && !isLeftAlone(digest)) next = quietUntil
  }
  return next
}

/** An alert that is due: of which digest, about which violations (`seq`), and how long nothing follows it. */
export type Due = Addressee & { digest: Digest; about: number[]; quietSeconds: number }

/**
 * What is due at `now`.
 * @param isWanted for each violation that waited: who cannot see it any more, or turned it off, is not alerted
 */
export function dueAt(
  digests: Digests,
  now: number,
  isWanted: (to: Addressee, violation: Gathered) => boolean,
  isLeftAlone = none,
): Due[] {
  const due: Due[] = []
  for (const digest of digests.values()) {
    const { userId, channel, quietUntil } = digest
    if (digest.gathered.length === 0 || quietUntil > now || isLeftAlone(digest)) continue
    const waited = digest.gathered.filter((violation) => isWanted(digest, violation))
    digest.gathered = waited
    const quietSeconds = (digest.isLate ? LATE_EVERY : quietAfter(digest, waited)) / 1000
    for (let from = 0; from < waited.length; from += MOST_AT_ONCE) {
      const about = waited.slice(from, from + MOST_AT_ONCE).map(({ seq }) => seq)
      due.push({ userId, channel, digest, about, quietSeconds })
    }
  }
  return due
}

/** Forgets digests that are as if there had never been an alert. */
export function forgetQuiet(digests: Digests, now: number): void {
  for (const [key, { gathered, quietUntil }] of digests)
    if (gathered.length === 0 && quietUntil <= now) digests.delete(key)
}

/** Longer each time, while something came within the quiet time. */
function quietAfter({ quietUntil, quietMs }: Digest, waited: readonly Gathered[]): number {
  const isStorm = waited.some(({ recordedAt }) => recordedAt < quietUntil)
  return isStorm ? Math.min(LONGEST_QUIET, Math.max(FIRST_QUIET, quietMs * 2)) : FIRST_QUIET
}

/** Which of the digests of an addressee: of what opens, of what was found late, of exhausted budgets. */
type Which = 'now' | 'late' | 'loads'

/** The name of a digest among all. */
export const nameOf = (digest: Digest): string =>
  keyOf(digest, digest.isLate ? 'late' : digest.isOfLoads ? 'loads' : 'now')

const keyOf = ({ userId, channel }: Addressee, which: Which): string =>
  `${userId} ${channel}${which === 'now' ? '' : ` ${which}`}`

function digestOf(digests: Digests, { userId, channel }: Addressee, which: Which): Digest {
  const key = keyOf({ userId, channel }, which)
  const digest = digests.get(key) ?? {
    userId,
    channel,
    ...(which === 'late' && { isLate: true }),
    ...(which === 'loads' && { isOfLoads: true }),
    quietUntil: 0,
    quietMs: 0,
    gathered: [],
  }
  digests.set(key, digest)
  return digest
}

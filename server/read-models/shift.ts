import { setImmediate as breath } from 'node:timers/promises'
import type { Incident } from '#machines/contracts/entities/incidents.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { deviceOfFact } from '#machines/projections/directory.ts'
import { incidentOf } from '#machines/projections/incidents.ts'
import { beginShift, evolveShift, SHIFT_FACTS, type Shift } from '#machines/projections/shift.ts'
import { endOf } from '#machines/projections/violations.ts'
import { factsInBreaths } from '../store/log-follower.ts'
import type { Store } from '../store/store.ts'
import { deviceOfIncident } from './device-of-incident.ts'
import type { NotificationIndex } from './notification-index.ts'
import type { ReadModels } from './read-models.ts'

type Reading = {
  store: Pick<Store, 'log'>
  readModels: Pick<ReadModels, 'attention' | 'directory' | 'seq'>
  notifications: Pick<NotificationIndex, 'violationSpans'>
}
/** `since`: epoch ms; `isRequested` says of a device number whether it is meant. */
type Requested = { since: number; companyId: string; isRequested(no: number): boolean }

/** Facts of a company that are gone through for one summary. */
const MOST_FACTS = 200_000
const FACTS_A_BREATH = 500
/** What ended so long before, as it was measured, may have been recorded as over only after somebody left; ms. */
const LATE = 24 * 60 * 60_000

/**
 * What happened since a time, by when it was recorded.
 * @param most so many facts of the company are gone through
 * @returns undefined: there are more
 */
export async function shiftSince(
  reading: Reading,
  requested: Requested,
  most = MOST_FACTS,
): Promise<Shift | undefined> {
  const { store, readModels } = reading
  const after = seqAt(store.log, requested.since)
  const upTo = readModels.seq
  const shift = beginShift([
    ...(await violationsAt(reading, requested, after)),
    ...lostAt(reading, requested, after),
  ])
  let theirs = 0
  for await (const fact of factsInBreaths(store.log, SHIFT_FACTS, { after, upTo })) {
    if (fact.companyId !== requested.companyId) continue
    if (++theirs > most) return undefined
    if (requested.isRequested(deviceNoOf(readModels, fact) ?? -1)) evolveShift(shift, fact)
  }
  return shift
}

const deviceNoOf = ({ directory }: Reading['readModels'], fact: Fact): number | undefined =>
  'no' in fact.data ? fact.data.no : deviceOfFact(directory, fact)?.no

/** The last position that was recorded up to a time, epoch ms: facts are recorded in the order of their numbers. */
export function seqAt(log: Pick<Store['log'], 'readFacts' | 'head'>, at: number): number {
  let [low, high] = [0, log.head()]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [next] = log.readFacts(middle, { limit: 1 })
    if (next !== undefined && next.recordedAt <= at) low = next.seq
    else high = middle
  }
  return low
}

/** Violations that were known at a position, and not known to be over. */
async function violationsAt(
  { store, readModels, notifications }: Reading,
  { since, isRequested }: Requested,
  seq: number,
): Promise<Incident[]> {
  const { violations } = readModels.attention
  const lasting: Incident[] = []
  let read = 0
  for (const span of await notifications.violationSpans({ from: since - LATE, to: since, isRequested })) {
    if (span.seq > seq) continue
    const [fact] = store.log.readFacts(span.seq - 1, { limit: 1 })
    const isIncident = fact?.type === 'violation.opened' || fact?.type === 'violation.found-late'
    if (isIncident && (endOf(violations, fact)?.seq ?? Number.POSITIVE_INFINITY) > seq)
      lasting.push(incidentOf(fact))
    if (++read % FACTS_A_BREATH === 0) await breath()
  }
  return lasting
}

/** Devices that were lost at a position, as far as it is still known: of those that are back, for some while. */
function lostAt({ store, readModels }: Reading, { since, isRequested }: Requested, seq: number): Incident[] {
  const { directory, attention } = readModels
  const { open, back } = attention.incidents
  const wasLost = (one: Incident): boolean =>
    one.type === 'offline' &&
    Number(one.notificationId.slice(1)) <= seq &&
    isRequested(deviceOfIncident(directory, store.log, one)?.no ?? -1)
  const isBackSince = ({ clearedAt }: Incident): boolean => Date.parse(clearedAt as string) > since
  return [...open.values(), ...back.filter(isBackSince)].filter(wasLost)
}

import { statusOf } from '#machines/contracts/device-state.ts'
import type { Desk, Incident } from '#machines/contracts/entities/incidents.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { deskOf, type Incidents, incidentOf, MOST_OVER } from '#machines/projections/incidents.ts'
import { lostIdBy, MOST_LOST } from '#machines/projections/lost-devices.ts'
import { iso, OVER_FOR } from '#machines/projections/over-list.ts'
import { type Cut, isKnownAt } from '../../read-models/cut.ts'
import { deviceOfIncident } from '../../read-models/device-of-incident.ts'
import type { Past } from '../../read-models/fleet-at.ts'
import { patienceOf } from '../../read-models/fleet-now.ts'
import type { KnownLoss } from '../../read-models/known-losses.ts'
import type { SaidAt } from '../../read-models/last-said.ts'
import type { Loss } from '../../read-models/loss-spans.ts'
import type { NotificationIndex } from '../../read-models/notification-index.ts'
import { isViolationFact } from '../../read-models/notification-of.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { factsBetween } from '../../store/log-follower.ts'
import type { EventLog } from '../../store/store.ts'
import { attentionAt, factAt } from './attention-at.ts'

type Deps = {
  store: { log: EventLog }
  saidAt: SaidAt
  readModels: Pick<ReadModels, 'attention' | 'latest'>
  notifications: Pick<NotificationIndex, 'violationSpans' | 'losses' | 'knownLosses'>
  past: Past
}

const MINUTE = 60_000

/** What is silenced, and which devices are called otherwise or gone. */
const BESIDE = [
  'violation.shelved',
  'violation.unshelved',
  'device.tracker-replaced',
  'device.retired',
] as const
/** By which somebody has a lost device in hand. */
const CARED = ['violation.acknowledged', 'violation.taken'] as const

/**
 * What operators worked on as of a time: of the incidents that lasted, or were over for less than a day, the facts about these alone
 * are folded as they are live. `isAsked` says of a device number whether it is meant.
 */
export async function deskAt(deps: Deps, cut: Cut, isAsked: (no: number) => boolean): Promise<Desk> {
  const { log } = deps.store
  const [violations, lost] = await Promise.all([violationsAt(deps, cut, isAsked), lostAt(deps, cut, isAsked)])
  const told = [...violations, ...lost.told].flatMap((seq) => factAt(log, seq) ?? [])
  const ends = lost.ends.flatMap((seq) => factAt(log, seq) ?? [])
  const beside = [...factsBetween(log, BESIDE, { after: 0, ...(cut.view === 'then' && { upTo: cut.seq }) })]
  const { incidents } = attentionAt(deps, told, cut, [...ends, ...beside])
  incidents.moreLost = lost.more
  return deskOf(lost.known ? asKnownNow(incidents, told, lost.known, cut) : incidents, cut.at, (one) =>
    isAsked(deviceOfIncident(cut.directory, log, one)?.no ?? -1),
  )
}

/** `seq` of what told of violations that lasted, or were over for less than a day: the newest of those that are listed. */
async function violationsAt(
  { notifications }: Deps,
  cut: Cut,
  isAsked: (no: number) => boolean,
): Promise<number[]> {
  const range = { from: cut.at - OVER_FOR, to: cut.at }
  const spans = await notifications.violationSpans({ ...range, isAsked, cut })
  const over = spans.filter(({ to }) => to !== null).sort((a, b) => (b.to ?? 0) - (a.to ?? 0))
  const open = spans.filter(({ to }) => to === null)
  // one more than are listed says that there are more
  return [...open, ...over.slice(0, MOST_OVER + 1)].map(({ seq }) => seq)
}

/**
 * `seq` of what told that devices were lost and of what ended that, `known`: when those are known now to have been, in that view alone;
 * `more`: so many more are lost than are listed.
 */
async function lostAt(
  deps: Deps,
  cut: Cut,
  isAsked: (no: number) => boolean,
): Promise<{ told: number[]; ends: number[]; known: LostThen[] | undefined; more: number }> {
  const { notifications, past } = deps
  const { log } = deps.store
  const isThen = cut.view === 'then'
  const isEnded = ({ endSeq, endAt }: Loss): boolean =>
    isThen ? endSeq !== 0 && endSeq <= cut.seq : endAt <= cut.at
  const isMeant = (loss: Loss): boolean =>
    loss.seq <= cut.seq && (!isEnded(loss) || loss.endAt > cut.at - OVER_FOR) && isAsked(loss.no)
  const range = { from: cut.at - OVER_FOR, to: cut.at }
  const known = isThen ? [] : await notifications.knownLosses({ ...range, isAsked })
  const losses = isThen ? await notifications.losses(isMeant) : known
  const newestEndFirst = (a: Loss, b: Loss): number => b.endAt - a.endAt
  const open = await stillLost(
    losses.filter((loss) => !isEnded(loss)),
    past,
    cut,
  )
  const backThen = await lostThen(deps, cut, known.filter(isEnded).sort(newestEndFirst), MOST_OVER + 1)
  const back = isThen
    ? losses
        .filter(isEnded)
        .sort(newestEndFirst)
        .slice(0, MOST_OVER + 1)
    : backThen.map(({ loss }) => loss)
  const cared = open.length > MOST_LOST ? caredFor(log, cut, open[0]?.seq ?? 0) : undefined
  const nobodys = open.filter(({ seq }) => cared?.has(lostIdBy(`f${seq}`)) !== true)
  const left = new Set(nobodys.slice(0, Math.max(0, nobodys.length - MOST_LOST)))
  const lasting = new Set<Loss>(open.filter((loss) => !left.has(loss)))
  const listed = new Set([...lasting, ...back])
  return {
    told: [...new Set([...listed].map(({ seq }) => seq))],
    // what one is known to have been ends by what is known, and the next that was told begins after it
    ends: [...(isThen ? back : listed)].flatMap(({ endSeq }) => (endSeq === 0 ? [] : [endSeq])),
    known: isThen
      ? undefined
      : [
          ...backThen,
          ...(await lostThen(
            deps,
            cut,
            known.filter((loss) => lasting.has(loss)),
          )),
        ],
    more: left.size,
  }
}

/** A loss as it is known now, `since` and `openedAt` only where that is not as it was told; epoch ms. */
type LostThen = { loss: KnownLoss; since?: number; openedAt?: number }

/** Of losses as they are known now the first so many that were; all, where that is not said. Rejects with StoreUnavailable. */
async function lostThen(
  deps: Pick<Deps, 'saidAt'>,
  cut: Cut,
  known: readonly KnownLoss[],
  most = Number.POSITIVE_INFINITY,
): Promise<LostThen[]> {
  const lost: LostThen[] = []
  for (const loss of known) {
    if (lost.length >= most) break
    const one = loss.isFound ? await foundLost(deps, cut, loss) : { loss }
    if (one !== undefined) lost.push(one)
  }
  return lost
}

/**
 * Since when a device was lost by what late readings say: from its last reading, after the patience of its company, or from when it
 * had no supply. Undefined: it was not for that long.
 */
async function foundLost(
  { saidAt }: Pick<Deps, 'saidAt'>,
  cut: Cut,
  loss: KnownLoss,
): Promise<LostThen | undefined> {
  const { no, at, endAt } = loss
  const patience = patienceOf(cut.directory, no)
  const said = await saidAt(no, at)
  if (said === 'nothing') return { loss, since: at - patience, openedAt: at }
  if (said === 'unplugged') return { loss, since: at, openedAt: at }
  // records of earlier releases say that it was heard up to its last reading
  const openedAt = at + patience
  return openedAt < endAt && openedAt <= cut.at ? { loss, since: at, openedAt } : undefined
}

/** Those told to be lost that are known to have been, as the view has it: late readings may show now that one was heard. */
async function stillLost<L extends Loss>(
  told: readonly L[],
  past: Past,
  { at, view }: Cut,
): Promise<readonly L[]> {
  if (view === 'then' || told.length === 0) return told
  const devices = new Set(told.map(({ no }) => no))
  const lost = await past.at(
    Math.floor(at / MINUTE),
    view,
    ({ latest: { size, state } }) =>
      told.filter(({ no }) => no >= size || statusOf(state[no] as number) !== 'online'),
    (no) => devices.has(no),
  )
  return lost ?? told
}

/** Incidents that somebody acknowledged or took after a position. */
function caredFor(log: EventLog, cut: Cut, after: number): Set<string> {
  const ids = new Set<string>()
  for (const fact of factsBetween(log, CARED, { after }))
    if (isKnownAt(cut, fact)) ids.add(fact.data.violationId)
  return ids
}

/** What ended after that time lasted, of before the record is told what is known of it, and devices were lost when that is known now. */
function asKnownNow(
  incidents: Incidents,
  told: readonly Fact[],
  lost: readonly LostThen[],
  { at }: Cut,
): Incidents {
  const open = new Map<string, Incident>()
  const over: Incident[] = []
  const back: Incident[] = []
  const put = (incident: Incident, ended: Incident[]): void => {
    if (incident.clearedAt !== null && Date.parse(incident.clearedAt) <= at) ended.push(incident)
    else open.set(incident.violationId, { ...incident, clearedAt: null })
  }
  const toldLost = new Map(incidents.back.map((one) => [one.violationId, one]))
  for (const incident of incidents.open.values())
    if (incident.type === 'offline') toldLost.set(incident.violationId, incident)
    else open.set(incident.violationId, incident)
  for (const incident of incidents.over) put(incident, over)
  for (const fact of told.filter(isViolationFact))
    if (fact.type === 'violation.found')
      put({ ...incidentOf(fact), clearedAt: iso(fact.data.clearedAt) }, over)
  for (const one of lost) {
    const incident = toldLost.get(lostIdBy(`f${one.loss.seq}`))
    if (incident !== undefined) put(asKnown(incident, one), back)
  }
  const oldestEndFirst = (a: Incident, b: Incident): number =>
    Date.parse(a.clearedAt as string) - Date.parse(b.clearedAt as string)
  return {
    ...incidents,
    open,
    lost: new Map(),
    over: over.sort(oldestEndFirst),
    back: back.sort(oldestEndFirst),
  }
}

/** Of one that was several each has what people did with it while it was the last of them. */
function asKnown(told: Incident, { loss, since, openedAt }: LostThen): Incident {
  const { at, nth, nextAt, endAt } = loss
  const isOfIt = (done: string): boolean => (nth === 0 || Date.parse(done) >= at) && Date.parse(done) < nextAt
  const { said, ...incident } = told
  return {
    ...incident,
    violationId: nth === 0 ? told.violationId : `${told.violationId}-${nth + 1}`,
    ...(since !== undefined && { since: iso(since) }),
    ...(openedAt !== undefined && { openedAt: iso(openedAt) }),
    clearedAt: Number.isFinite(endAt) ? iso(endAt) : null,
    acknowledged: told.acknowledged && isOfIt(told.acknowledged.createdAt) ? told.acknowledged : null,
    holder: told.holder && isOfIt(told.holder.since) ? told.holder : null,
    ...(said && isOfIt(said.createdAt) && { said }),
  }
}

import { setImmediate as breath } from 'node:timers/promises'
import type { Desk, Incident } from '#machines/contracts/entities/incidents.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { deskOf, type Incidents, incidentOf, MOST_OVER } from '#machines/projections/incidents.ts'
import { lostIdBy } from '#machines/projections/lost-devices.ts'
import { iso, OVER_FOR } from '#machines/projections/over-list.ts'
import type { Cut } from '../../read-models/cut.ts'
import { deviceOfIncident } from '../../read-models/device-of-incident.ts'
import type { Past } from '../../read-models/fleet-at.ts'
import type { IsRequested } from '../../read-models/fleet-now.ts'
import type { HeardAt } from '../../read-models/last-heard.ts'
import type { NotificationIndex } from '../../read-models/notification-index.ts'
import { isViolationFact } from '../../read-models/notification-of.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { factsInBreaths } from '../../store/log-follower.ts'
import type { EventLog } from '../../store/store.ts'
import { attentionAt, FACTS_A_BREATH, factAt } from './attention-at.ts'
import { type LostThen, lostAt } from './lost-at.ts'

type Deps = {
  store: { log: EventLog }
  heardAt: HeardAt
  readModels: Pick<ReadModels, 'attention' | 'latest'>
  notifications: Pick<NotificationIndex, 'violationSpans' | 'losses' | 'knownLosses'>
  past: Past
}

/** What is silenced, and which devices are called otherwise or gone. */
const BESIDE = [
  'violation.shelved',
  'violation.unshelved',
  'device.tracker-replaced',
  'device.retired',
] as const

/**
 * What operators worked on as of a time: of the incidents that lasted, or were over for less than a day, the facts about these alone
 * are folded as they are live. `isRequested` says of a device number, of one company, whether it is meant.
 */
export async function deskAt(
  deps: Deps,
  cut: Cut,
  companyId: string,
  isRequested: IsRequested,
): Promise<Desk> {
  const { log } = deps.store
  const [violations, lost] = await Promise.all([
    violationsAt(deps, cut, isRequested),
    lostAt(deps, cut, isRequested),
  ])
  const published = await factsAt(log, [...violations, ...lost.seqs])
  const beside = await factsAt(log, lost.ends)
  const range = { after: 0, ...(cut.view === 'then' && { upTo: cut.seq }) }
  // what ends by itself on a device that is gone is of no company
  for await (const fact of factsInBreaths(log, BESIDE, range))
    if (fact.companyId === companyId || fact.companyId === null) beside.push(fact)
  const { incidents } = await attentionAt(deps, published, cut, beside)
  incidents.moreLost = lost.more
  return deskOf(lost.known ? asKnownNow(incidents, published, lost.known, cut) : incidents, cut.at, (one) =>
    isRequested(deviceOfIncident(cut.directory, log, one)?.no ?? -1),
  )
}

async function factsAt(log: EventLog, seqs: readonly number[]): Promise<Fact[]> {
  const facts: Fact[] = []
  for (const [n, seq] of seqs.entries()) {
    if (n % FACTS_A_BREATH === FACTS_A_BREATH - 1) await breath()
    const fact = factAt(log, seq)
    if (fact !== undefined) facts.push(fact)
  }
  return facts
}

/** `seq` of the facts that published violations that lasted, or were over for less than a day: the newest of those that are listed. */
async function violationsAt({ notifications }: Deps, cut: Cut, isRequested: IsRequested): Promise<number[]> {
  const range = { from: cut.at - OVER_FOR, to: cut.at }
  const spans = await notifications.violationSpans({ ...range, isRequested, cut })
  const over = spans.filter(({ to }) => to !== null).sort((a, b) => (b.to ?? 0) - (a.to ?? 0))
  const open = spans.filter(({ to }) => to === null)
  // one more than are listed says that there are more
  return [...open, ...over.slice(0, MOST_OVER + 1)].map(({ seq }) => seq)
}

/** What ended after that time lasted, of before the record is shown what is known of it, and devices were lost when that is known now. */
function asKnownNow(
  incidents: Incidents,
  published: readonly Fact[],
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
  const publishedLost = new Map(incidents.back.map((one) => [one.violationId, one]))
  for (const incident of incidents.open.values())
    if (incident.type === 'offline') publishedLost.set(incident.violationId, incident)
    else open.set(incident.violationId, incident)
  for (const incident of incidents.over) put(incident, over)
  for (const fact of published.filter(isViolationFact))
    if (fact.type === 'violation.found')
      put({ ...incidentOf(fact), clearedAt: iso(fact.data.clearedAt) }, over)
  for (const one of lost) {
    const incident = publishedLost.get(lostIdBy(`f${one.loss.seq}`))
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
function asKnown(published: Incident, { loss, since, openedAt }: LostThen): Incident {
  const { at, nth, nextAt, endAt } = loss
  const isOfIt = (done: string): boolean => (nth === 0 || Date.parse(done) >= at) && Date.parse(done) < nextAt
  const { said, ...incident } = published
  return {
    ...incident,
    violationId: nth === 0 ? published.violationId : `${published.violationId}-${nth + 1}`,
    ...(since !== undefined && { since: iso(since) }),
    ...(openedAt !== undefined && { openedAt: iso(openedAt) }),
    clearedAt: Number.isFinite(endAt) ? iso(endAt) : null,
    acknowledged:
      published.acknowledged && isOfIt(published.acknowledged.createdAt) ? published.acknowledged : null,
    holder: published.holder && isOfIt(published.holder.since) ? published.holder : null,
    ...(said && isOfIt(said.createdAt) && { said }),
  }
}

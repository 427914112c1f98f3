import { statusOf } from '#machines/contracts/device-state.ts'
import type { Desk, Incident } from '#machines/contracts/entities/incidents.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { deskOf, type Incidents, incidentOf, MOST_OVER } from '#machines/projections/incidents.ts'
import { lostIdBy, MOST_LOST } from '#machines/projections/lost-devices.ts'
import { OVER_FOR } from '#machines/projections/over-list.ts'
import { type Cut, isKnownAt } from '../../read-models/cut.ts'
import { deviceOfIncident } from '../../read-models/device-of-incident.ts'
import type { Past } from '../../read-models/fleet-at.ts'
import type { Loss } from '../../read-models/known-losses.ts'
import type { NotificationIndex } from '../../read-models/notification-index.ts'
import { isViolationFact } from '../../read-models/notification-of.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { factsBetween } from '../../store/log-follower.ts'
import type { EventLog } from '../../store/store.ts'
import { attentionAt, factAt } from './attention-at.ts'

type Deps = {
  store: { log: EventLog }
  readModels: Pick<ReadModels, 'attention' | 'latest'>
  notifications: Pick<NotificationIndex, 'violationSpans' | 'losses'>
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
  return deskOf(cut.view === 'then' ? incidents : asKnownNow(incidents, told, cut), cut.at, (one) =>
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

/** `seq` of what told that devices were lost and of what ended that; `more`: so many more are lost than are listed. */
async function lostAt(
  { store: { log }, notifications, past }: Deps,
  cut: Cut,
  isAsked: (no: number) => boolean,
): Promise<{ told: number[]; ends: number[]; more: number }> {
  const isEnded = ({ endSeq, endAt }: Loss): boolean =>
    endSeq !== 0 && (cut.view === 'then' ? endSeq <= cut.seq : endAt <= cut.at)
  const losses = await notifications.losses(
    (loss) =>
      (cut.view === 'then' ? loss.seq <= cut.seq : loss.at <= cut.at) &&
      (!isEnded(loss) || loss.endAt > cut.at - OVER_FOR) &&
      isAsked(loss.no),
  )
  const open = await stillLost(
    losses.filter((loss) => !isEnded(loss)),
    past,
    cut,
  )
  const back = losses
    .filter(isEnded)
    .sort((a, b) => b.endAt - a.endAt)
    .slice(0, MOST_OVER + 1)
  const cared = open.length > MOST_LOST ? caredFor(log, cut, open[0]?.seq ?? 0) : undefined
  const nobodys = open.filter(({ seq }) => cared?.has(lostIdBy(`f${seq}`)) !== true)
  const left = new Set(nobodys.slice(0, Math.max(0, nobodys.length - MOST_LOST)))
  return {
    told: [...open.filter((loss) => !left.has(loss)), ...back].map(({ seq }) => seq),
    ends: back.map(({ endSeq }) => endSeq),
    more: left.size,
  }
}

/** Those told to be lost that are known to have been, as the view has it: late readings may show now that one was heard. */
async function stillLost(told: readonly Loss[], past: Past, { at, view }: Cut): Promise<readonly Loss[]> {
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

/** What ended after that time lasted, and of before the record is told what is known of it. */
function asKnownNow(incidents: Incidents, told: readonly Fact[], { at }: Cut): Incidents {
  const open = new Map(incidents.open)
  const over: Incident[] = []
  const put = (incident: Incident): void => {
    if (incident.clearedAt !== null && Date.parse(incident.clearedAt) <= at) over.push(incident)
    else open.set(incident.violationId, { ...incident, clearedAt: null })
  }
  for (const incident of incidents.over) put(incident)
  for (const fact of told.filter(isViolationFact))
    if (fact.type === 'violation.found')
      put({ ...incidentOf(fact), clearedAt: new Date(fact.data.clearedAt).toISOString() })
  over.sort((a, b) => Date.parse(a.clearedAt as string) - Date.parse(b.clearedAt as string))
  return { ...incidents, open, over }
}

import type { Desk, Incident, Shelving } from '../contracts/entities/incidents.ts'
import type { Fact, FactData, FactOf, FactType } from '../contracts/facts.ts'
import type { IncidentKind } from '../contracts/scalars.ts'
import {
  foldDeviceStatus,
  type LostDevices,
  listedOf,
  lostIdBy,
  lostIdOf,
  noLostDevices,
} from './lost-devices.ts'
import { endIn, iso, OVER_FOR } from './over-list.ts'

/** So many violations that are over are answered, and so many devices that are back. */
export const MOST_OVER = 500

/**
 * What operators work on: violations and lost devices that last, who has them, those that were over lately, and what is shelved.
 * The server folds the log into it, the portal what it heard since it asked: both say the same. Each fact changes it once,
 * however often it is folded in.
 */
export type Incidents = LostDevices & {
  /** violations, oldest end first */
  over: Incident[]
  /** by device and kind, also of those whose time is over and that nothing was appended about yet */
  shelved: Map<string, Shelving>
}

export const emptyIncidents = (): Incidents => ({
  ...noLostDevices(),
  open: new Map(),
  over: [],
  shelved: new Map(),
})

/** As the server answered it. */
export function incidentsOf({ open, over, shelved, moreLost }: Desk): Incidents {
  const oldestFirst = over.toReversed()
  return {
    open: new Map(open.map((one) => [one.violationId, one])),
    lost: new Map(open.filter(isLost).map(({ imei, violationId }) => [imei, violationId])),
    over: oldestFirst.filter((one) => !isLost(one)),
    back: oldestFirst.filter(isLost),
    moreLost,
    shelved: new Map(shelved.map((one) => [kindKey(one), one])),
  }
}

const isLost = ({ type }: Incident): boolean => type === 'offline'

/** What tells of a device: an incident by the notification it was published by, or what is shelved. */
type DeskItem = Pick<Incident, 'imei'> & Partial<Pick<Incident, 'notificationId'>>

/** What of it is answered: to whoever sees these devices, as of `now` (epoch ms). */
export function deskOf(incidents: Incidents, now: number, isSeen: (one: DeskItem) => boolean): Desk {
  const since = iso(now - OVER_FOR)
  const [over, back] = [lastOf(incidents.over, since, isSeen), lastOf(incidents.back, since, isSeen)]
  const { listed, more } = listedOf([...incidents.open.values()].filter(isSeen))
  return {
    open: listed,
    moreLost: incidents.moreLost + more,
    // a flood of the one must not hide the other
    over: [...over.slice(-MOST_OVER), ...back.slice(-MOST_OVER)].reverse().sort(newestEndFirst),
    hasMoreOver: Math.max(over.length, back.length) > MOST_OVER,
    shelved: [...incidents.shelved.values()].filter((one) => Date.parse(one.until) > now && isSeen(one)),
  }
}

/** Those seen that ended after an instant, one more than are answered at most, of a list with the oldest end first. */
function lastOf(ended: readonly Incident[], since: string, isSeen: (one: DeskItem) => boolean): Incident[] {
  const last: Incident[] = []
  for (let i = ended.length - 1; i >= 0 && last.length <= MOST_OVER; i--) {
    const one = ended[i] as Incident
    if ((one.clearedAt as string) <= since) break
    if (isSeen(one)) last.push(one)
  }
  return last.reverse()
}

function newestEndFirst({ clearedAt: a }: Incident, { clearedAt: b }: Incident): number {
  return a === b ? 0 : (a as string) < (b as string) ? 1 : -1
}

/** A kind of incident of a device: what is shelved. */
export type Kind = { imei: string; type: IncidentKind }

/** How a kind is called in `shelved`. */
export const kindKey = ({ imei, type }: Kind): string => `${imei} ${type}`

/** What silences a kind of incident of a device at an instant, epoch ms; undefined: nothing does. */
export function shelvingOf({ shelved }: Incidents, kind: Kind, at: number): Shelving | undefined {
  const shelving = shelved.get(kindKey(kind))
  return shelving !== undefined && Date.parse(shelving.until) > at ? shelving : undefined
}

/** Whether a violation was opened or found while its kind was shelved: it is told when that ends, if it lasts. */
export const wasShelved = (incidents: Incidents, violationId: string): boolean =>
  found(incidents, violationId)?.wasShelved === true

/**
 * The kinds of which it is to be said that they are shelved no more: whose time is over at `now`, epoch ms, and those of which nobody was
 * told that one lasts, as late readings say after that end.
 */
export function shelvedNoMore({ shelved, open }: Incidents, now: number): Kind[] {
  const kinds: Kind[] = []
  for (const { imei, type, until } of shelved.values())
    if (Date.parse(until) <= now) kinds.push({ imei, type })
  for (const one of open.values()) {
    const isUntold = one.wasShelved === true && one.wasTold !== true
    if (isUntold && !shelved.has(kindKey(one))) kinds.push({ imei: one.imei, type: one.type })
  }
  return kinds
}

/** The incident that a fact opened by which a device was lost, also one that is over; undefined: it opened none. */
export const lostBy = (incidents: Incidents, fact: Fact): Incident | undefined =>
  fact.type === 'device-status.changed' ? found(incidents, lostIdOf(fact)) : undefined

/** `seq` of the fact that opened the incident of a kind that lasts; null: none does. */
export function openedSeqOf(incidents: Incidents, kind: Kind): number | null {
  const incident = openOf(incidents, kind)
  return incident === undefined ? null : Number(incident.notificationId.slice(1))
}

function openOf({ open }: Incidents, kind: Kind): Incident | undefined {
  for (const incident of open.values())
    if (incident.imei === kind.imei && incident.type === kind.type) return incident
  return undefined
}

/** Folds one fact in, in place. @returns whether anything is otherwise than before */
export function evolveIncidents(incidents: Incidents, fact: Fact): boolean {
  const apply = APPLY[fact.type] as ((incidents: Incidents, fact: Fact) => unknown) | undefined
  return apply !== undefined && apply(incidents, fact) !== false
}

/** Each answers false where it changed nothing. */
type Apply = { [T in FactType]?: (incidents: Incidents, fact: FactOf<T>) => unknown }

const APPLY: Apply = {
  'violation.opened': opened,
  'violation.found-late': (incidents, fact) =>
    fact.data.clearedAt === null ? opened(incidents, fact) : foundOver(incidents, fact),
  'violation.cleared': ({ open, over, overFor }, { at, data: { violationId } }) => {
    const incident = open.get(violationId)
    if (incident === undefined) return false
    open.delete(violationId)
    return endIn(over, incident, at, overFor)
  },
  'violation.revised': revised,
  'violation.acknowledged': (incidents, { at, by, data }) =>
    change(incidents, data.violationId, (incident) => {
      if (incident.acknowledged !== null) return incident
      const { userName, comment, reason } = data
      return {
        ...incident,
        acknowledged: { userName, comment, ...(reason !== undefined && { reason }), createdAt: iso(at) },
        holder: incident.holder ?? { userId: by ?? '', userName, since: iso(at) },
      }
    }),
  'violation.taken': (incidents, { at, by, data }) =>
    change(incidents, data.violationId, (incident) => ({
      ...incident,
      holder: { userId: by ?? '', userName: data.userName, since: iso(at) },
    })),
  'violation.released': (incidents, { data }) =>
    change(incidents, data.violationId, (incident) => ({ ...incident, holder: null })),
  'violation.shelved': ({ shelved }, { at, data }) => {
    const { imei, type, until, reason, userName } = data
    shelved.set(kindKey(data), { imei, type, until: iso(until), reason, userName, createdAt: iso(at) })
  },
  'violation.unshelved': (incidents, { data }) => {
    const incident = data.opened === null ? undefined : openOf(incidents, data)
    if (incident !== undefined) incidents.open.set(incident.violationId, { ...incident, wasTold: true })
    return incidents.shelved.delete(kindKey(data)) || incident !== undefined
  },
  'device-status.changed': foldDeviceStatus,
  'notification.commented': (incidents, { at, data }) => {
    const { notificationId, commentId, userName, comment } = data
    const said = { _id: commentId, userName, comment, createdAt: iso(at) }
    return change(incidents, lostIdBy(notificationId), (incident) => ({ ...incident, said }))
  },
  'device.retired': (incidents, { data: { imei } }) => {
    incidents.lost.delete(imei)
    for (const list of [incidents.open, incidents.shelved])
      for (const [key, one] of list) if (one.imei === imei) list.delete(key)
  },
  'device.tracker-replaced': (incidents, { data: { before, after } }) => {
    const lost = incidents.lost.get(before)
    if (lost !== undefined) {
      incidents.lost.delete(before)
      incidents.lost.set(after, lost)
    }
    for (const incident of incidents.open.values()) {
      if (incident.imei === before) incidents.open.set(incident.violationId, { ...incident, imei: after })
    }
    for (const [key, shelving] of incidents.shelved) {
      if (shelving.imei !== before) continue
      incidents.shelved.delete(key)
      const moved = { ...shelving, imei: after }
      incidents.shelved.set(kindKey(moved), moved)
    }
  },
}

/** The facts it is a fold of. */
export const INCIDENT_FACTS = Object.keys(APPLY) as FactType[]

function opened(incidents: Incidents, fact: FactOf<'violation.opened'> | FactOf<'violation.found-late'>) {
  incidents.open.set(fact.data.violationId, silenced(incidents, incidentOf(fact)))
}

function foundOver(incidents: Incidents, fact: FactOf<'violation.found-late'>) {
  const incident = silenced(incidents, incidentOf(fact))
  return endIn(incidents.over, incident, fact.data.clearedAt as number, incidents.overFor)
}

/** As it is told: to nobody until it is said that its kind is shelved no more, whenever its time is over. */
const silenced = ({ shelved }: Incidents, incident: Incident): Incident =>
  shelved.has(kindKey(incident)) ? { ...incident, wasShelved: true } : incident

/** The incident that a fact opened, as it was then. */
export function incidentOf({
  id,
  at,
  data,
}: FactOf<'violation.opened'> | FactOf<'violation.found-late'> | FactOf<'violation.found'>): Incident {
  const { violationId, imei, type, threshold, value, since } = data
  return {
    violationId,
    notificationId: id,
    imei,
    type,
    threshold,
    value,
    since: iso(since),
    openedAt: iso(at),
    clearedAt: null,
    acknowledged: null,
    holder: null,
  }
}

/** What late readings make of it: other times, over, lasting again, or that it never was. */
function revised(incidents: Incidents, { data }: FactOf<'violation.revised'>) {
  const incident = found(incidents, data.violationId)
  if (incident === undefined) return false
  incidents.open.delete(data.violationId)
  const place = incidents.over.indexOf(incident)
  if (place !== -1) incidents.over.splice(place, 1)
  const { after } = data
  if (after === null) return
  const next = { ...incident, ...timesOf(after) }
  if (after.clearedAt === null) incidents.open.set(data.violationId, { ...next, clearedAt: null })
  else endIn(incidents.over, next, after.clearedAt, incidents.overFor)
}

const timesOf = ({ since, openedAt, threshold }: NonNullable<FactData<'violation.revised'>['after']>) => ({
  since: iso(since),
  openedAt: iso(openedAt),
  threshold,
})

/** An incident that lasts, or one of those that were over lately; undefined: there is none by that id. */
export function found({ open, over, back }: Incidents, violationId: string): Incident | undefined {
  const isIt = (one: Incident): boolean => one.violationId === violationId
  return open.get(violationId) ?? over.findLast(isIt) ?? back.findLast(isIt)
}

function change(incidents: Incidents, violationId: string, by: (incident: Incident) => Incident): boolean {
  const incident = found(incidents, violationId)
  const next = incident && by(incident)
  if (next === undefined || next === incident) return false
  if (incidents.open.has(violationId)) incidents.open.set(violationId, next)
  else {
    const list = isLost(next) ? incidents.back : incidents.over
    list[list.indexOf(incident as Incident)] = next
  }
  return true
}

import type { AlarmDevice, AlarmHealth } from '#machines/contracts/entities/alarm-health.ts'
import { type Directory, deviceByImei, groupsWithin, isWithin } from '#machines/projections/directory.ts'
import {
  type AlarmLoad,
  CHATTER,
  floodsOf,
  loadOf,
  medianOf,
  mostWithin,
  SLOT_MS,
} from '#machines/rules/alarm-health.ts'
import type { Store } from '../store/store.ts'
import { deviceOfIncident } from './device-of-incident.ts'
import type { Alarm, NotificationIndex } from './notification-index.ts'
import type { ReadModels } from './read-models.ts'

type Reading = {
  store: Pick<Store, 'log'>
  readModels: Pick<ReadModels, 'attention' | 'directory'>
  notifications: Pick<NotificationIndex, 'alarms'>
}
/** `now`: epoch ms, where the days end that are counted */
type Requested = { groupId: string; days: number; now: number }

const DAY = 86_400_000
const WEEK = 7 * DAY
const WEEKS = 8
/** Open for longer is stale, ms. */
const STALE_MS = DAY
const WORST = 10
const MOST_LISTED = 50
const MOST_PEOPLE = 200

/** Whether the alarms of a group can be worked with: what was published in it and below, until now. */
export async function alarmHealth(reading: Reading, requested: Requested): Promise<AlarmHealth> {
  const { directory, attention } = reading.readModels
  const { groupId, days } = requested
  // slots are of whole tens of minutes; the one that is now is not over
  const now = requested.now - (requested.now % SLOT_MS)
  const begun = firstSlot(reading, groupId, now)
  const from = Math.max(now - days * DAY, begun)
  const isRequested = (no: number): boolean =>
    isWithin(directory, directory.devices[no]?.groupId ?? null, groupId)
  const all = await reading.notifications.alarms({
    from: Math.min(from, Math.max(begun, now - WEEKS * WEEK)),
    to: now - 1,
    isRequested,
  })
  const alarms = all
    .filter(({ notifiedAt }) => notifiedAt >= from)
    .sort((a, b) => a.notifiedAt - b.notifiedAt)
  const taken = acknowledgedAfter(reading, all)
  const slots = slotsOf(alarms, from, now)
  const floods = floodsOf(slots)
  const waits = alarms.flatMap(({ seq }) => taken.get(seq) ?? [])
  return {
    from: iso(from),
    to: iso(now),
    ...loadOf(slots, floods),
    floodList: floods
      .slice(-MOST_LISTED)
      .reverse()
      .map(({ first, end, ...flood }) => ({
        from: iso(from + first * SLOT_MS),
        to: iso(from + end * SLOT_MS),
        ...flood,
      })),
    ...worstOf(directory, alarms),
    ...chatterOf(directory, alarms),
    ...staleOf(reading, requested.now, isRequested),
    ...shelvedOf(attention.incidents, requested.now, directory, isRequested),
    acknowledged: waits.length,
    medianToAcknowledgeSeconds: secondsOf(medianOf(waits)),
    weeks: weeksOf(all, taken, begun, now),
    ...peopleOf(directory, alarms, groupId, from, now),
  }
}

const iso = (at: number): string => new Date(at).toISOString()
const secondsOf = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / 1000))

/** Where the record begins, and the company of the group: before that nobody was notified of anything in it. */
function firstSlot(
  { store: { log }, readModels: { directory } }: Reading,
  groupId: string,
  now: number,
): number {
  const [first] = log.readFacts(0, { limit: 1 })
  const company = directory.companies.get(directory.groups.get(groupId)?.companyId ?? '')
  const began = Math.min(Math.max(first?.recordedAt ?? now, company?.createdAt ?? 0), now)
  return began - (began % SLOT_MS)
}

function slotsOf(alarms: readonly Alarm[], from: number, to: number): Uint32Array {
  const slots = new Uint32Array(Math.max(0, Math.ceil((to - from) / SLOT_MS)))
  for (const { notifiedAt } of alarms) addTo(slots, notifiedAt, from)
  return slots
}

function addTo(slots: Uint32Array, at: number, from: number): void {
  const slot = Math.floor((at - from) / SLOT_MS)
  if (slot >= 0 && slot < slots.length) slots[slot] = (slots[slot] as number) + 1
}

/** After how long each of these was acknowledged, ms, by `seq` of the fact that published it. */
function acknowledgedAfter({ readModels }: Reading, alarms: readonly Alarm[]): Map<number, number> {
  const at = new Map<number, number>()
  for (const { notificationId, at: when } of readModels.attention.violations.acknowledged.values())
    at.set(Number(notificationId.slice(1)), when)
  const after = new Map<number, number>()
  for (const { seq, notifiedAt } of alarms) {
    const when = at.get(seq)
    if (when !== undefined) after.set(seq, Math.max(0, when - notifiedAt))
  }
  return after
}

function worstOf(directory: Directory, alarms: readonly Alarm[]): Pick<AlarmHealth, 'worst' | 'worstShare'> {
  const counts = new Map<number, number>()
  for (const { no } of alarms) counts.set(no, (counts.get(no) ?? 0) + 1)
  const worst = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, WORST)
  const share = (count: number): number => count / Math.max(1, alarms.length)
  return {
    worst: worst.flatMap(([no, count]) => {
      const device = alarmDeviceOf(directory, no)
      return device ? [{ ...device, alarms: count, share: share(count) }] : []
    }),
    worstShare: share(worst.reduce((sum, [, count]) => sum + count, 0)),
  }
}

/** @param alarms oldest first */
function chatterOf(
  directory: Directory,
  alarms: readonly Alarm[],
): Pick<AlarmHealth, 'chatter' | 'chatterCount'> {
  // by device first: a key of both made of each alarm took longer than all else
  const byKind = [...Map.groupBy(alarms, ({ no }) => no).values()]
    .filter((some) => some.length >= CHATTER)
    .flatMap((some) => [...Map.groupBy(some, ({ type }) => type).values()])
  const found = byKind
    .filter((some) => some.length >= CHATTER)
    .map((some) => ({
      first: some[0] as Alarm,
      most: mostWithin(some.map(({ notifiedAt }) => notifiedAt)),
      alarms: some.length,
    }))
    .filter(({ most }) => most >= CHATTER)
    .sort((a, b) => b.most - a.most || b.alarms - a.alarms || a.first.seq - b.first.seq)
  return {
    chatter: found.slice(0, MOST_LISTED).flatMap(({ first: { no, type }, most, alarms }) => {
      const device = alarmDeviceOf(directory, no)
      return device ? [{ ...device, type, most, alarms }] : []
    }),
    chatterCount: found.length,
  }
}

function staleOf(
  { store: { log }, readModels: { attention, directory } }: Reading,
  now: number,
  isRequested: (no: number) => boolean,
): Pick<AlarmHealth, 'stale' | 'staleCount'> {
  const stale = [...attention.incidents.open.values()]
    .filter(({ openedAt }) => now - Date.parse(openedAt) > STALE_MS)
    .flatMap((one) => {
      const no = deviceOfIncident(directory, log, one)?.no
      return no !== undefined && isRequested(no) ? [{ no, type: one.type, openedAt: one.openedAt }] : []
    })
    .sort((a, b) => (a.openedAt < b.openedAt ? -1 : 1))
  return {
    stale: stale.slice(0, MOST_LISTED).flatMap(({ no, type, openedAt }) => {
      const device = alarmDeviceOf(directory, no)
      return device ? [{ ...device, type, openedAt }] : []
    }),
    staleCount: stale.length,
  }
}

function shelvedOf(
  { shelved }: Reading['readModels']['attention']['incidents'],
  now: number,
  directory: Directory,
  isRequested: (no: number) => boolean,
): Pick<AlarmHealth, 'shelved' | 'shelvedCount'> {
  const all = [...shelved.values()]
    .filter(
      ({ imei, until }) => Date.parse(until) > now && isRequested(deviceByImei(directory, imei)?.no ?? -1),
    )
    .sort((a, b) => (a.until < b.until ? -1 : 1))
  return {
    shelved: all.slice(0, MOST_LISTED).flatMap((shelving) => {
      const device = alarmDeviceOf(directory, deviceByImei(directory, shelving.imei)?.no ?? -1)
      return device ? [{ ...device, ...shelving }] : []
    }),
    shelvedCount: all.length,
  }
}

/** The weeks before now, as far as the record reaches. */
function weeksOf(
  all: readonly Alarm[],
  taken: ReadonlyMap<number, number>,
  begun: number,
  now: number,
): AlarmHealth['weeks'] {
  const weeks: AlarmHealth['weeks'] = []
  for (let week = WEEKS; week > 0; week--) {
    const [from, to] = [Math.max(begun, now - week * WEEK), now - (week - 1) * WEEK]
    if (to <= begun) continue
    const alarms = all.filter(({ notifiedAt }) => notifiedAt >= from && notifiedAt < to)
    weeks.push({
      from: iso(from),
      to: iso(to),
      ...loadOf(slotsOf(alarms, from, to)),
      medianToAcknowledgeSeconds: secondsOf(medianOf(alarms.flatMap(({ seq }) => taken.get(seq) ?? []))),
    })
  }
  return weeks
}

/** Whoever belongs to a group is notified of what happens in it and below. */
function peopleOf(
  directory: Directory,
  alarms: readonly Alarm[],
  groupId: string,
  from: number,
  to: number,
): Pick<AlarmHealth, 'people' | 'peopleCount'> {
  const slots = new Map<string, Uint32Array>()
  const people = groupsWithin(directory, groupId).flatMap(({ _id, users }) =>
    [...users].flatMap((id) => {
      const user = directory.users.get(id)
      if (user === undefined || user.superAdmin) return []
      if (!slots.has(_id)) slots.set(_id, slotsOf([], from, to))
      return [user]
    }),
  )
  for (const { no, notifiedAt } of alarms) {
    let group = directory.groups.get(directory.devices[no]?.groupId ?? '')
    while (group !== undefined) {
      const theirs = slots.get(group._id)
      if (theirs !== undefined) addTo(theirs, notifiedAt, from)
      group = group._id === groupId ? undefined : directory.groups.get(group.parentId ?? '')
    }
  }
  const loads = new Map<string, AlarmLoad>([...slots].map(([id, theirs]) => [id, loadOf(theirs)]))
  const loaded = people.map(({ _id, firstName, lastName, groupId: theirs }) => ({
    userId: _id,
    name: `${firstName} ${lastName}`.trim(),
    groupId: theirs,
    groupName: directory.groups.get(theirs)?.name ?? '',
    ...(loads.get(theirs) as AlarmLoad),
  }))
  loaded.sort((a, b) => b.told - a.told || (a.name < b.name ? -1 : 1))
  return { people: loaded.slice(0, MOST_PEOPLE), peopleCount: loaded.length }
}

function alarmDeviceOf(directory: Directory, no: number): AlarmDevice | undefined {
  const device = directory.devices[no]
  if (device === undefined) return undefined
  const { imei, name, plateNumber, groupId } = device
  return { imei, name, plateNumber, groupId, groupName: directory.groups.get(groupId ?? '')?.name ?? '' }
}

import type { Incident, Desk as Known } from '#machines/contracts/entities/incidents.ts'
import { kindKey } from '#machines/projections/incidents.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { worstFirst } from './incidents/lines.ts'

/** What the palette does to an incident, by the word it is asked for with. */
const INCIDENT_ACTS = ['acknowledge', 'shelve', 'take', 'comment'] as const
export type IncidentAct = (typeof INCIDENT_ACTS)[number]
/** And to any device: to another group, a temperature report of it, the proof of its last day. */
const DEVICE_ACTS = ['move', 'report', 'share'] as const
export type DeviceAct = (typeof DEVICE_ACTS)[number]
export type Act = IncidentAct | DeviceAct
const ACTS: readonly Act[] = [...INCIDENT_ACTS, ...DEVICE_ACTS]

export const isDeviceAct = (act: Act): act is DeviceAct => (DEVICE_ACTS as readonly Act[]).includes(act)

export const ACT_WORDS: Record<Act, string> = {
  acknowledge: 'Acknowledge',
  shelve: 'Shelve',
  take: 'Take',
  comment: 'Comment',
  move: 'Move',
  report: 'Report',
  share: 'Share',
}

/** What is asked to be done, and the words of the names of what it is done to. */
export type Requested =
  | { isOfDevices: false; act: IncidentAct; words: string }
  | { isOfDevices: true; act: DeviceAct; words: string }

/** "shelve reefer 12": what is to be done, and the words of what to; undefined: no such thing is asked. */
export function actIn(query: string): Requested | undefined {
  const [first = '', ...rest] = query.trimStart().toLowerCase().split(' ')
  const act = ACTS.find((one) => one === first)
  if (act === undefined || rest.length === 0) return undefined
  const words = rest.join(' ').trim()
  return isDeviceAct(act) ? { isOfDevices: true, act, words } : { isOfDevices: false, act, words }
}

/** What begins like what was typed, to be chosen instead of typed in full. */
export function actsLike(query: string): readonly Act[] {
  const typed = query.trim().toLowerCase()
  return typed === '' ? [] : ACTS.filter((act) => act.startsWith(typed))
}

/** Most incidents listed at once: beyond that one types another letter. */
const MOST = 40

/** The open incidents of which an act says something new, of devices that hold each of the words; the worst first. */
export function incidentsFor(
  { act, words }: { act: IncidentAct; words: string },
  fleet: Fleet,
  known: Known,
  userId: string,
): Incident[] {
  const shelved = new Set(known.shelved.map(kindKey))
  const wanted = words.split(/\s+/).filter(Boolean)
  const fits = known.open.filter(
    (incident) => isNew(act, incident, shelved, userId) && wanted.every(holds(fleet, incident)),
  )
  return worstFirst(fleet, fits).slice(0, MOST)
}

function isNew(act: IncidentAct, incident: Incident, shelved: ReadonlySet<string>, userId: string): boolean {
  switch (act) {
    case 'acknowledge':
      return incident.acknowledged === null
    case 'shelve':
      return !shelved.has(kindKey(incident))
    case 'take':
      return incident.holder?.userId !== userId
    case 'comment':
      return true
  }
}

function holds({ names }: Fleet, { imei }: Incident): (word: string) => boolean {
  const row = names.rowOf(imei)
  const text = (row < 0 ? imei : `${names.of(row, 'name')} ${names.of(row, 'plate')} ${imei}`).toLowerCase()
  return (word) => text.includes(word)
}

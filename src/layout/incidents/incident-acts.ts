import { type Incident, isViolation } from '#machines/contracts/entities/incidents.ts'
import { casePath } from '../../format/case-address.ts'
import { MOST_IN_ADDRESS, reportPath } from '../../format/report-address.ts'
import { rowByKey } from '../../ui/row-keys.ts'
import type { ScrolledRows } from '../../ui/use-walk.ts'
import type { Proved } from './share-incident.tsx'
import type { IncidentActions } from './use-incident-actions.ts'
import type { PickedIncidents } from './use-picked-incidents.ts'

/** What keys and presses find a list of incidents in. */
export type IncidentsInHand = {
  /** in the order of the list */
  incidents: readonly Incident[]
  walk: ScrolledRows
  picked: PickedIncidents
  /** those picked, or the one that the keys stand on; none where that left */
  aimed: readonly Incident[]
  actions: IncidentActions
  userId: string
  /** the proof of a device */
  onOpen: (imei: string) => void
  /** goes to another page */
  leaveFor: (path: string) => void
  share: (proof: Proved | undefined) => void
  /** asks to which group the devices of those aimed at go */
  move: () => void
}

/** Picks one, or all up to it from the one somebody stands on, and stands there. */
export function pickIncident(
  { incidents, walk, picked }: IncidentsInHand,
  index: number,
  through: boolean,
): void {
  if (through) picked.through(walk.isMeant ? walk.activeIndex : index, index)
  else picked.toggle(index)
  walk.stand(incidents[index]?.violationId)
}

/** A finger has no Shift: the first that is held is picked, the next with all between. */
export function holdIncident(list: IncidentsInHand, index: number): void {
  if (index in list.incidents) pickIncident(list, index, list.picked.meant.length > 0)
}

/** Opens the case of the one that is aimed at; undefined: there is none. */
export function caseOf({ aimed, leaveFor }: IncidentsInHand): (() => void) | undefined {
  const [one] = aimed
  return one && aimed.length === 1 && isViolation(one)
    ? () => leaveFor(casePath(one.notificationId))
    : undefined
}

/** What a key means while one stands on `current`; undefined: nothing. */
export function actOfKey(list: IncidentsInHand, key: string, current: Incident): (() => void) | undefined {
  const { incidents, walk, picked, aimed, actions, userId, onOpen, leaveFor, share, move } = list
  const to = rowByKey(key, walk.activeIndex, incidents.length)
  if (to !== undefined) return () => walk.to(to)
  // Meant for a row that left, it is done to no other.
  if (aimed.length === 0 && 'acmprstv'.includes(key)) return () => walk.stand(current.violationId)
  switch (key) {
    case 'Enter':
      return () => onOpen(current.imei)
    case 'x':
      return () => pickIncident(list, walk.activeIndex, false)
    case 'a':
      return () => actions.ask('acknowledge', aimed)
    case 's':
      return () => actions.ask('shelve', aimed)
    case 'm':
      return move
    case 'c':
      return () => actions.ask('comment', aimed)
    case 'r':
      return () => leaveFor(reportPath(aimed.map(({ imei }) => imei).slice(0, MOST_IN_ADDRESS)))
    case 'p':
      return aimed.length === 1 ? () => share(aimed[0]) : undefined
    case 'v':
      return caseOf(list)
    case 't':
      return () => actions.take(aimed, userId)
    case 'Escape':
      return picked.meant.length > 0 ? picked.clear : undefined
    default:
      return undefined
  }
}

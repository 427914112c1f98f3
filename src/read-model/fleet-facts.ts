import { STATUSES } from '#machines/contracts/device-state.ts'
import type { Fact, FactOf } from '#machines/contracts/facts.ts'
import type { FleetGroup } from '#machines/contracts/fleet-snapshot.ts'
import { READING_FIELDS } from '#machines/contracts/readings.ts'
import type { FleetColumns } from './columns.ts'
import type { Groups } from './groups.ts'
import type { Names } from './names.ts'
import { appendDevice, type RowIndex } from './rows.ts'

/** The parts of the fleet that facts change. */
export type FleetParts = {
  columns: FleetColumns
  rows: RowIndex
  names: Names
  groups: Groups
  setGroups(list: readonly FleetGroup[]): void
  /** a row came to be, in this state */
  born(state: number): void
}

const BLANK = {
  lat: READING_FIELDS.lat.missing,
  lng: READING_FIELDS.lng.missing,
  temperature: READING_FIELDS.temperature.missing,
  humidity: READING_FIELDS.humidity.missing,
  speed: READING_FIELDS.speed.missing,
  heading: READING_FIELDS.heading.missing,
  state: STATUSES.indexOf('disconnected'),
}

type Apply = { [T in Fact['type']]?: (fleet: FleetParts, fact: FactOf<T>) => boolean }

const APPLY: Apply = {
  'device.registered': ({ columns, rows, names, groups, born }, { data }) => {
    const group = groups.indexOf(data.groupId ?? '')
    if (group < 0 || rows.of(data.no) >= 0) return false
    appendDevice(columns, rows, { no: data.no, group, kind: data.type === 'warehouse' ? 1 : 0, blank: BLANK })
    names.append({ imei: data.imei, name: data.name, plate: data.plateNumber })
    born(BLANK.state)
    return true
  },
  'device.updated': ({ columns, names, groups }, { data: { imei, name, groupId } }) => {
    const row = names.rowOf(imei)
    if (row < 0) return false
    if (name !== undefined) names.rename(row, name)
    // A move out of scope is the server's to tell: the fleet is fetched anew then.
    const group = groupId === undefined ? -1 : groups.indexOf(groupId)
    if (group >= 0) columns.group[row] = group
    return true
  },
  'group.created': ({ groups, setGroups }, { data }) => {
    if (groups.indexOf(data.groupId) >= 0) return false
    const { groupId, companyId: _, description: __, ...group } = data
    setGroups([...groups.list, { ...group, _id: groupId }])
    return true
  },
  'group.updated': ({ groups, setGroups }, { data }) => {
    if (groups.indexOf(data.groupId) < 0) return false
    const { groupId, description: _, image: __, ...changes } = data
    setGroups(
      groups.list.map((group) =>
        group._id === groupId
          ? { ...group, ...defined(changes), parentId: movedTo(group, changes.parentId) }
          : group,
      ),
    )
    return true
  },
}

/** Folds a fact in; false where it says nothing of this fleet. */
export function applyFact(fleet: FleetParts, fact: Fact): boolean {
  const apply = APPLY[fact.type] as ((fleet: FleetParts, fact: Fact) => boolean) | undefined
  return apply?.(fleet, fact) ?? false
}

export const concernsFleet = (fact: Fact): boolean => Object.hasOwn(APPLY, fact.type)

/** The visitor's top group stays at the top, whatever is above it. */
function movedTo(group: FleetGroup, parentId: string | undefined): string | null {
  return group.parentId === null ? null : (parentId ?? group.parentId)
}

function defined<T extends object>(changes: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as never
}

import { enums } from 'superstruct'
import { Id, Imei, type ViolationType } from '#machines/contracts/scalars.ts'
import type { DateRange } from '#machines/rules/date-range.ts'
import type { ValidFilter } from '#machines/violation-search/violation-search.machine.ts'
import { type Choice, choice, idOrNone, pageAddress, picks, span } from '../../format/page-address.ts'
import { choiceOf, imeis, pickedBy } from '../../read-model/choices.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { KINDS } from './kinds.ts'
import { lastDayOf } from './last-day.ts'

/** What is asked for, as far as it is not what one sees at first. */
export type Requested = {
  /** null: the visitor's own group */
  group: string | null
  kinds: 'all' | ReadonlySet<string>
  devices: Choice
  /** null: the last day */
  range: DateRange | null
}

const DAY_MS = 86_400_000
/** The longest month and its last day. */
const MOST_MS = 33 * DAY_MS

/** `?group=a&kinds=HIGH_TEMPERATURE_DETECTED&devices=1,2&date=<ISO start>..<ISO end>` */
export const violationsAddress = pageAddress<Requested>({
  group: idOrNone('group', Id),
  kinds: picks('kinds', enums(KINDS.map(({ type }) => type)), KINDS.length),
  devices: choice('devices', Imei),
  range: span('date', MOST_MS),
})

/** The address of a filter. @param own the visitor's group */
export const requestedBy = (
  { groupId, violations, devices, range }: ValidFilter,
  own: string,
  fleet: Fleet,
): Requested => ({
  group: groupId === own ? null : groupId,
  kinds: violations.length === KINDS.length ? 'all' : new Set<string>(violations),
  devices: choiceOf(devices === 'all' ? 'all' : new Set(devices), imeis(fleet)),
  range,
})

/** The filter an address asks for, without what the visitor cannot see. */
export function filterRequested(
  { group, kinds, devices, range }: Requested,
  own: string,
  fleet: Fleet,
  now: number,
): ValidFilter {
  const first = lastDayOf(own, now)
  const picked = pickedBy(devices, imeis(fleet)) ?? 'all'
  const chosen = kinds === 'all' ? [] : first.violations.filter((type: ViolationType) => kinds.has(type))
  return {
    groupId: group !== null && fleet.groups.indexOf(group) >= 0 ? group : own,
    // a choice of which nothing is left is none
    devices: picked === 'all' || picked.size === 0 ? 'all' : [...picked],
    violations: chosen.length === 0 ? first.violations : chosen,
    range: range ?? first.range,
  }
}

/** Whether the fleet must be known before the address can be understood. */
export const needsFleet = ({ group, devices }: Requested): boolean => group !== null || devices !== 'all'

import { STATUS_MASK, STATUSES } from '#machines/contracts/device-state.ts'
import type { DashboardFilters, StatusFilter } from '#machines/dashboard/dashboard.machine.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import type { SearchIndex } from '../../read-model/search-index.ts'
import { EVERYTHING, type Selection } from '../../read-model/selection.ts'
import { FIRST_VIOLATION, SEVERITY_OF } from '../../read-model/severity.ts'

/**
 * The read model's words for what is picked and searched for. A set that holds nothing shows nothing: that is what was
 * asked for.
 */
export function selectionOf(
  { groups, devices, words }: Omit<DashboardFilters, 'status'>,
  search: SearchIndex,
): Selection {
  const found = words.trim() === '' ? undefined : search.find(words, Number.POSITIVE_INFINITY).rows
  if (groups === 'all' && devices === 'all' && found === undefined) return EVERYTHING
  return {
    found,
    groupIds: groups === 'all' ? [] : groups.size === 0 ? NOTHING : [...groups],
    imeis: devices === 'all' ? [] : devices.size === 0 ? NOTHING : [...devices],
  }
}

/** No id and no imei is blank. */
const NOTHING = ['']

/** Whether a device in this state is let through. */
export function passes(status: StatusFilter, state: number): boolean {
  if (status === 'all') return true
  if (status === 'trouble') return (SEVERITY_OF[state] as number) >= FIRST_VIOLATION
  return STATUSES[state & STATUS_MASK] === status
}

/** Whether a mask lets a device through that is in the fleet, by its names at the time of asking. */
export const shownIn =
  (fleet: Pick<Fleet, 'names'>, mask: Uint8Array | undefined) =>
  (imei: string): boolean => {
    const row = fleet.names.rowOf(imei)
    return row >= 0 && mask?.[row] !== 0
  }

/** 1 for each row that is in the scope and in the status; undefined when that is all. */
export function maskWithin(
  { columns }: Pick<Fleet, 'columns'>,
  scope: Uint8Array | undefined,
  status: StatusFilter,
): Uint8Array | undefined {
  if (status === 'all') return scope
  const letsThrough = Uint8Array.from({ length: 256 }, (_, state) => Number(passes(status, state)))
  const mask = new Uint8Array(columns.size)
  for (let row = 0; row < columns.size; row++)
    mask[row] =
      (letsThrough[columns.state[row] as number] as number) &
      (scope === undefined ? 1 : (scope[row] as number))
  return mask
}

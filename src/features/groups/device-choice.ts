import type { Fleet } from '../../read-model/fleet.ts'
import type { SearchIndex } from '../../read-model/search-index.ts'
import type { Option, Options } from '../../ui/options.ts'

/** Which devices of the fleet are listed. */
export type DeviceScope = 'all' | 'chosen'

/**
 * Rows of the fleet that fit a query: with no query those chosen when the list was opened first, so that one sees what
 * is in the group; a search goes by how well it fits.
 */
export function deviceRows(
  fleet: Fleet,
  search: SearchIndex,
  { query, scope, chosen }: { query: string; scope: DeviceScope; chosen: ReadonlySet<string> },
): Uint32Array {
  const isChosen = chosenMask(fleet, chosen)
  if (query.trim() !== '') {
    const keeps = scope === 'chosen' ? (row: number) => isChosen[row] === 1 : undefined
    return search.find(query, Number.POSITIVE_INFINITY, keeps).rows
  }
  const first: number[] = []
  const rest: number[] = []
  for (let row = 0; row < fleet.columns.size; row++) {
    if (isChosen[row] === 1) first.push(row)
    else if (scope === 'all') rest.push(row)
  }
  return Uint32Array.from(first.concat(rest))
}

/** 1 for each row that is chosen. */
function chosenMask(fleet: Fleet, chosen: ReadonlySet<string>): Uint8Array {
  const mask = new Uint8Array(fleet.columns.size)
  for (const imei of chosen) {
    const row = fleet.names.rowOf(imei)
    if (row >= 0) mask[row] = 1
  }
  return mask
}

/** Rows as options: imei, name, and which group a device is in. They exist when they are looked at. */
export function deviceOptions(fleet: Fleet, rows: Uint32Array): Options {
  return {
    length: rows.length,
    at(index): Option {
      const row = rows[index] as number
      const group = fleet.groups.list[fleet.columns.group[row] as number]
      const plate = fleet.names.of(row, 'plate')
      return {
        id: fleet.names.of(row, 'imei'),
        text: fleet.names.of(row, 'name'),
        detail: [plate, group?.name].filter(Boolean).join(' · '),
      }
    },
  }
}

/** What changed of the devices, as counts. */
export function deviceChanges(
  before: readonly string[],
  now: ReadonlySet<string>,
): { added: number; removed: number } {
  const removed = before.reduce((count, imei) => (now.has(imei) ? count : count + 1), 0)
  return { added: now.size - (before.length - removed), removed }
}

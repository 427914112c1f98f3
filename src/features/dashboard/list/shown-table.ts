import type { FileTable } from '../../../format/file-table.ts'
import { zoneName } from '../../../format/time.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import type { SortKey } from '../../../read-model/sorted-rows.ts'
import { deviceAt } from '../device.ts'
import { LIST_COLUMNS } from './list-columns.ts'

/** What the list's own look shows, and what tells one device from another. */
const OWN: readonly SortKey[] = ['plate', 'imei', 'group', 'state', 'temperature', 'humidity', 'at']

/** px a character takes in the list, about */
const CHARACTER = 7

/** What the list shows now, for a file: its rows in their order, and its columns. */
export function shownTable(fleet: Fleet, rows: Uint32Array, columns: readonly SortKey[]): FileTable {
  const keys: SortKey[] = ['name', ...(columns.length === 0 ? OWN : columns)]
  const shown = keys.map((key) => LIST_COLUMNS[key])
  return {
    name: 'Devices',
    timeZone: zoneName,
    columns: shown.map(({ title, kind, width }) => ({
      title,
      kind,
      width: kind === 'time' ? 23 : Math.ceil(width / CHARACTER),
    })),
    rows: Array.from(rows, (row) => {
      const device = deviceAt(fleet, row)
      return shown.map(({ value }) => value(device))
    }),
  }
}

import type { FileTable } from '../../../format/file-table.ts'
import { zoneName } from '../../../format/time.ts'
import type { DeviceIncident } from '../../../layout/incidents/use-incident-of.ts'
import type { Fleet } from '../../../read-model/fleet.ts'
import { deviceAt } from '../device.ts'
import { LIST_COLUMNS } from './list-columns.ts'
import { type ColumnKey, TITLES } from './list-look.ts'

/** What the list's own look shows, and what tells one device from another. */
const OWN: readonly ColumnKey[] = [
  'plate',
  'imei',
  'group',
  'state',
  'temperature',
  'humidity',
  'at',
  'holder',
]

/** characters */
const WIDTH = 23

/** What the list shows now, for a file: its rows in their order, and its columns. */
export function shownTable(
  fleet: Fleet,
  rows: Uint32Array,
  columns: readonly ColumnKey[],
  incidentOf: (imei: string) => DeviceIncident | undefined,
): FileTable {
  const keys: ColumnKey[] = ['name', ...(columns.length === 0 ? OWN : columns)]
  const shown = keys.map((key) => LIST_COLUMNS[key])
  return {
    name: 'Devices',
    timeZone: zoneName,
    columns: keys.map((key) => ({
      title: TITLES[key],
      kind: LIST_COLUMNS[key].kind,
      width: WIDTH,
    })),
    rows: Array.from(rows, (row) => {
      const device = deviceAt(fleet, row)
      return shown.map(({ value }) => value(device, incidentOf(device.imei)))
    }),
  }
}

import type { ObservationRow } from '#machines/contracts/entities/devices.ts'

/** What a column holds: text, a number with so many decimals, or a time. */
export type ColumnKind = 'text' | 'time' | { decimals: number; unit?: string }
export type ObservationColumn = {
  /** as the documents spell it */
  title: string
  kind: ColumnKind
  /** a time as epoch ms; null: not measured */
  value: (row: ObservationRow) => string | number | null
  /** characters it is wide in a file */
  width: number
}

const COLUMNS: readonly ObservationColumn[] = [
  { title: 'Imei', kind: 'text', value: ({ imei }) => imei, width: 18 },
  { title: 'Name', kind: 'text', value: ({ name }) => name ?? null, width: 24 },
  {
    title: 'Temperature',
    kind: { decimals: 1, unit: '°C' },
    value: ({ temperature }) => temperature,
    width: 13,
  },
  { title: 'Humidity', kind: { decimals: 2, unit: '%' }, value: ({ humidity }) => humidity, width: 11 },
  {
    title: 'Timestamp',
    kind: 'time',
    value: ({ timestamp }) => (timestamp === null ? null : Date.parse(timestamp)),
    width: 23,
  },
  { title: 'LatLng', kind: 'text', value: latLng, width: 24 },
  { title: 'GSM_Signal', kind: { decimals: 0 }, value: (row) => row.GSM_Signal, width: 12 },
  { title: 'GNSS_Status', kind: { decimals: 0 }, value: (row) => row.GNSS_Status, width: 12 },
  {
    title: 'External_Voltage',
    kind: { decimals: 2, unit: 'V' },
    value: (row) => row.External_Voltage,
    width: 17,
  },
  {
    title: 'Battery_Voltage',
    kind: { decimals: 2, unit: 'V' },
    value: (row) => row.Battery_Voltage,
    width: 17,
  },
  { title: 'Ignition', kind: { decimals: 0 }, value: (row) => row.Ignition, width: 10 },
  { title: 'Unplug', kind: { decimals: 0 }, value: (row) => row.Unplug, width: 10 },
  { title: 'Door', kind: { decimals: 0 }, value: ({ Door }) => Door ?? null, width: 8 },
  { title: 'Location', kind: 'text', value: ({ location }) => location, width: 32 },
]

/** The columns of the observation tables, in the documents' order; the temp variant also has Name. */
export const observationColumns = (hasName: boolean): readonly ObservationColumn[] =>
  hasName ? COLUMNS : COLUMNS.filter(({ title }) => title !== 'Name')

function latLng({ lat, lng }: ObservationRow): string | null {
  return lat === null || lng === null ? null : `${lat.toFixed(6)}, ${lng.toFixed(6)}`
}

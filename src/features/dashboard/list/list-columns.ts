import { formatHumidity, formatSpeed, formatTemperature } from '../../../format/numbers.ts'
import { statusWord, wordOf } from '../../../layout/glyph-of.ts'
import type { SortKey } from '../../../read-model/sorted-rows.ts'
import type { Device } from '../device.ts'

/** What a column of the list shows; its name stands first in every row and is no choice. */
export type ListColumn = {
  title: string
  /** px in the list */
  width: number
  /** in a file: text, a time, or a number with so many decimals */
  kind: 'text' | 'time' | { decimals: number; unit: string }
  /** a time as epoch ms; null: not measured, never heard */
  value: (device: Device) => string | number | null
  /** where it is written otherwise than its value */
  text?: (device: Device) => string
}

const degrees = { decimals: 6, unit: '°' }

export const LIST_COLUMNS: Record<SortKey, ListColumn> = {
  name: { title: 'Name', width: 168, kind: 'text', value: ({ name }) => name },
  plate: { title: 'Plate', width: 96, kind: 'text', value: ({ plate }) => plate },
  imei: { title: 'IMEI', width: 136, kind: 'text', value: ({ imei }) => imei },
  group: { title: 'Group', width: 136, kind: 'text', value: ({ group }) => group?.name ?? null },
  state: { title: 'State', width: 112, kind: 'text', value: ({ state }) => stateWords(state) },
  temperature: {
    title: 'Temperature',
    width: 104,
    kind: { decimals: 1, unit: '°C' },
    value: ({ temperature }) => temperature,
    text: ({ temperature }) => formatTemperature(temperature),
  },
  humidity: {
    title: 'Humidity',
    width: 88,
    kind: { decimals: 2, unit: '%' },
    value: ({ humidity }) => humidity,
    text: ({ humidity }) => formatHumidity(humidity),
  },
  speed: {
    title: 'Speed',
    width: 80,
    kind: { decimals: 0, unit: 'km/h' },
    value: ({ speed }) => speed,
    text: ({ speed }) => formatSpeed(speed),
  },
  at: { title: 'Updated', width: 96, kind: 'time', value: ({ at }) => at },
  lat: { title: 'Latitude', width: 88, kind: degrees, value: ({ place }) => place?.lat ?? null },
  lng: { title: 'Longitude', width: 88, kind: degrees, value: ({ place }) => place?.lng ?? null },
}

/** What is wrong with the goods, else how the device is. */
function stateWords(state: number): string {
  const word = wordOf(state)
  return word === 'Fine' ? statusWord(state) : word
}

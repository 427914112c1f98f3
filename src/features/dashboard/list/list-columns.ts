import { usedWords } from '../../../format/load-words.ts'
import { formatHumidity, formatSpeed, formatTemperature } from '../../../format/numbers.ts'
import { statusWord, wordOf } from '../../../layout/glyph-of.ts'
import { holderWords } from '../../../layout/incidents/holder-words.ts'
import type { DeviceIncident } from '../../../layout/incidents/use-incident-of.ts'
import type { Device } from '../device.ts'
import type { ColumnKey } from './list-look.ts'

/** What a column of the list shows; its name stands first in every row and is no choice. */
export type ListColumn = {
  /** in a file: text, a time, or a number with so many decimals */
  kind: 'text' | 'time' | { decimals: number; unit: string }
  /** a time as epoch ms; null: not measured, never heard */
  value: (device: Device, open: DeviceIncident | undefined) => string | number | null
  /** where it is written otherwise than its value */
  text?: (device: Device, open: DeviceIncident | undefined) => string
}

const degrees = { decimals: 6, unit: '°' }

export const LIST_COLUMNS: Record<ColumnKey, ListColumn> = {
  name: { kind: 'text', value: ({ name }) => name },
  plate: { kind: 'text', value: ({ plate }) => plate },
  imei: { kind: 'text', value: ({ imei }) => imei },
  group: { kind: 'text', value: ({ group }) => group?.name ?? null },
  state: { kind: 'text', value: ({ state }) => stateWords(state) },
  temperature: {
    kind: { decimals: 1, unit: '°C' },
    value: ({ temperature }) => temperature,
    text: ({ temperature }) => formatTemperature(temperature),
  },
  humidity: {
    kind: { decimals: 2, unit: '%' },
    value: ({ humidity }) => humidity,
    text: ({ humidity }) => formatHumidity(humidity),
  },
  speed: {
    kind: { decimals: 0, unit: 'km/h' },
    value: ({ speed }) => speed,
    text: ({ speed }) => formatSpeed(speed),
  },
  at: { kind: 'time', value: ({ at }) => at },
  budget: {
    kind: { decimals: 0, unit: '%' },
    value: ({ budget }) => budget?.percent ?? null,
    // what carries nothing has nothing to say
    text: ({ budget }) => (budget === undefined ? '' : usedWords(budget.percent, budget.most)),
  },
  lat: { kind: degrees, value: ({ place }) => place?.lat ?? null },
  lng: { kind: degrees, value: ({ place }) => place?.lng ?? null },
  holder: {
    kind: 'text',
    value: (_, open) => (open === undefined ? null : holderWords(open)),
    // of what is in order nobody need have anything
    text: (_, open) => (open === undefined ? '' : holderWords(open)),
  },
}

/** What is wrong with the goods, else how the device is. */
function stateWords(state: number): string {
  const word = wordOf(state)
  return word === 'Fine' ? statusWord(state) : word
}

import {
  type AsideRow,
  MOST_MORE_ASIDE,
  type ObservationRow,
  type ObservationsAside,
} from '#machines/contracts/entities/devices.ts'
import { formatCount, formatHumidity, formatTemperature } from '../../format/numbers.ts'
import { observationColumns } from '../../format/observation-columns.ts'
import { observationTime } from '../../format/time.ts'

const time = (instant: string | null): string =>
  observationTime(instant === null ? null : Date.parse(instant))

/** What a kept reading measured: «4.0 °C, 55.50 %» */
export const measuredWords = ({ temperature, humidity }: ObservationRow): string =>
  [
    temperature === null ? 'no temperature' : formatTemperature(temperature),
    ...(humidity === null ? [] : [formatHumidity(humidity)]),
  ].join(', ')

/** Why a reading is kept aside, and what became of it. */
export function asideWords({ kind, receivedAt, row, counted }: AsideRow): string {
  const received = `received ${time(receivedAt)}`
  switch (kind) {
    case 'held':
      return `Held: ${received}, ahead of its time. It counts when that has come, unless others tell of it.`
    case 'released':
      return `Released when its time came: it is among the readings. It was ${received}.`
    case 'contradicted':
      return `Contradicted: ${received}, ahead of its time, and others received on time tell of it. It never counts.`
    case 'other': {
      const which = counted === undefined ? 'Another' : measuredWords(counted)
      const apart = counted === undefined ? '' : differing(row, counted)
      return `Two readings of this instant: ${which} counts, as it was received nearer to its time. This one does not, ${received}.${apart}`
    }
  }
}

/** Where two measured the same temperature and humidity, what else is not the same. */
function differing(row: ObservationRow, counted: ObservationRow): string {
  if (measuredWords(row) !== measuredWords(counted)) return ''
  const names = observationColumns(false)
    .filter(({ value }) => value(row) !== value(counted))
    .map(({ title }) => title)
  return names.length === 0 ? '' : ` They differ in ${names.join(', ')}.`
}

type RefusedLately = ObservationsAside['dropped'][number]

/** «lat is out of range: it was dropped, the rest of the reading is kept. 3 times, last 14:02» */
export const droppedWords = (dropped: RefusedLately): string =>
  `${dropped.reason}: it was dropped, the rest of the reading is kept. ${timesWords(dropped)}`

/** «A reading was refused: its time is before 2000. 3 times, last 14:02» */
export const refusedWords = (refused: RefusedLately): string =>
  `A reading was refused: ${refused.reason}. ${timesWords(refused)}`

const timesWords = ({ at, times }: RefusedLately): string =>
  `${times === 1 ? 'Once' : `${times} times, last`} ${time(at)}`

/** «3 more before»; they are counted up to a bound. */
export const moreWords = (more: number): string =>
  `${formatCount(more)}${more < MOST_MORE_ASIDE ? '' : ' or'} more before`

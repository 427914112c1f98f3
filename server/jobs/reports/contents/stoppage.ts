import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { type Stop, stopsOf } from '#machines/rules/stops.ts'
import { type Making, placeAt, WHICH, which } from './making.ts'
import type { Column, Value } from './sheet-xml.ts'
import type { Table } from './workbook.ts'

const SUM: readonly Column[] = [
  { heading: 'Known (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Stops', width: 8, as: 'whole' },
  { heading: 'Stopped (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Of it engine on (h:mm:ss)', width: 13, as: 'hours' },
  { heading: 'Longest stop (h:mm:ss)', width: 12, as: 'hours' },
]

const STOP: readonly Column[] = [
  { heading: 'Since', width: 20, as: 'time' },
  { heading: 'Until', width: 20, as: 'time' },
  { heading: 'Duration (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Of it engine on (h:mm:ss)', width: 13, as: 'hours' },
  { heading: 'Place', width: 30, as: 'text' },
  { heading: 'State', width: 15, as: 'text' },
]

const STATES: Readonly<Record<Stop['endedBy'], string>> = {
  driving: 'Drove on',
  gap: 'No data after',
  end: 'Still standing',
}

/** Where vehicles stood, since when and for how long: a row a device, and a row a stop. */
export async function stoppageTables(making: Making): Promise<Table[]> {
  const { gapMs, starts } = making
  const end = starts.at(-1) as number
  const [devices, rows]: [Value[][], Value[][]] = [[], []]
  for await (const { device, readings } of making.devices()) {
    const { stops, watched } = stopsOf(readings, gapMs, end)
    const lengths = stops.map((stop) => lengthOf(stop, readings))
    devices.push([
      ...which(device),
      watched,
      // of what tells nothing of its motion nobody knows that it never stood
      ...(watched === 0
        ? []
        : [
            stops.length,
            lengths.reduce((sum, ms) => sum + ms, 0),
            idlingOf(stops),
            stops.length === 0 ? null : Math.max(...lengths),
          ]),
    ])
    for (const [i, stop] of stops.entries())
      rows.push([
        ...which(device),
        readings.at[stop.first],
        stop.endedBy === 'end' ? null : readings.at[stop.last],
        lengths[i],
        stop.idling,
        placeAt(readings, stop.first),
        STATES[stop.endedBy],
      ])
  }
  return [
    { name: 'Devices', columns: [...WHICH, ...SUM], rows: devices },
    { name: 'Stops', columns: [...WHICH, ...STOP], rows },
  ]
}

const lengthOf = ({ first, last }: Stop, { at }: ReadingColumns): number =>
  (at[last] as number) - (at[first] as number)

/** Null where no stop tells of the ignition. */
function idlingOf(stops: readonly Stop[]): number | null {
  const known = stops.flatMap(({ idling }) => idling ?? [])
  return known.length === 0 ? null : known.reduce((sum, ms) => sum + ms, 0)
}

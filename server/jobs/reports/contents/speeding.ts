import { toUnits } from '#machines/contracts/readings.ts'
import { SPEED } from '#machines/rules/speed-limit.ts'
import { type Speeding, speedingOf, topSpeedOf } from '#machines/rules/speeding.ts'
import { endOf } from '#machines/rules/spells.ts'
import type { ReportOrder } from '../order.ts'
import { type Making, placeAt, WHICH, which } from './making.ts'
import type { Column, Value } from './sheet-xml.ts'
import type { Table } from './workbook.ts'

const SUM: readonly Column[] = [
  { heading: 'Speeds measured', width: 11, as: 'whole' },
  { heading: 'Times over', width: 9, as: 'whole' },
  { heading: 'Time over (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Longest (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Top speed (km/h)', width: 11, as: 'one' },
]

const SPELL: readonly Column[] = [
  { heading: 'Began', width: 20, as: 'time' },
  { heading: 'Ended', width: 20, as: 'time' },
  { heading: 'Duration (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Top speed (km/h)', width: 11, as: 'one' },
  { heading: 'Top speed at', width: 20, as: 'time' },
  { heading: 'Place', width: 30, as: 'text' },
  { heading: 'State', width: 14, as: 'text' },
]

/** km/h */
export const limitOf = ({ speed }: Pick<ReportOrder, 'speed'>): number => speed ?? SPEED.standard

/** When vehicles drove faster than the limit: a row a device, and each time with where it was fastest. */
export async function speedingTables(making: Making): Promise<Table[]> {
  const { gapMs, order, starts } = making
  const end = starts.at(-1) as number
  const [devices, spells]: [Value[][], Value[][]] = [[], []]
  for await (const { device, readings } of making.devices()) {
    const found = speedingOf(readings, limitOf(order), gapMs, end)
    const lengths = found.map((spell) => endOf(spell, readings) - spell.from)
    const { measured, top } = topSpeedOf(readings)
    const sum = lengths.reduce((ms, length) => ms + length, 0)
    devices.push([
      ...which(device),
      measured,
      // of what tells no speed nobody knows that it was never too fast
      ...(measured === 0 ? [] : [found.length, sum, found.length === 0 ? null : Math.max(...lengths), top]),
    ])
    for (const [i, spell] of found.entries())
      spells.push([
        ...which(device),
        spell.from,
        spell.to,
        lengths[i],
        toUnits('speed', readings.speed[spell.top] as number),
        readings.at[spell.top],
        placeAt(readings, spell.top),
        stateOf(spell, readings.at[spell.last] as number),
      ])
  }
  return [
    { name: 'Devices', columns: [...WHICH, ...SUM], rows: devices },
    { name: 'Over-speeding', columns: [...WHICH, ...SPELL], rows: spells },
  ]
}

/** A silence ends it at its last reading, a slower reading after it. */
function stateOf({ to }: Speeding, last: number): string {
  if (to === null) return 'Not ended yet'
  return to === last ? 'No data after' : 'Ended'
}

import type { ReadingColumns } from '#machines/contracts/readings.ts'
import {
  emptyTally,
  meanKineticOf,
  meanOf,
  sumTallies,
  type TemperatureTally,
  temperatureDays,
} from '#machines/rules/temperature-tally.ts'
import type { ReportDevice } from '../order.ts'
import { type Excursion, excursionsOf, isWarm, lasted } from './excursions.ts'
import { loadsReported, loadTables, type ReportedLoad } from './loads.ts'
import { type Making, placeAt, rounded, WHICH, which } from './making.ts'
import type { Column, Value } from './sheet-xml.ts'
import type { Table } from './workbook.ts'

/** What a report says of the temperature of one device. */
export type DeviceTemperature = {
  device: ReportDevice
  readings: ReadingColumns
  days: TemperatureTally[]
  whole: TemperatureTally
  excursions: Excursion[]
  /** that were on it within the time */
  loads: ReportedLoad[]
}

const MEASURED: readonly Column[] = [
  { heading: 'Readings', width: 10, as: 'whole' },
  { heading: 'Minimum (°C)', width: 10, as: 'two' },
  { heading: 'Minimum at', width: 20, as: 'time' },
  { heading: 'Maximum (°C)', width: 10, as: 'two' },
  { heading: 'Maximum at', width: 20, as: 'time' },
  { heading: 'Mean (°C)', width: 10, as: 'two' },
  { heading: 'Mean kinetic temperature (°C)', width: 13, as: 'two' },
  { heading: 'Readings out of range', width: 11, as: 'whole' },
  { heading: 'Out of range (min)', width: 11, as: 'one' },
  { heading: 'Too warm (min)', width: 11, as: 'one' },
  { heading: 'Too cold (min)', width: 11, as: 'one' },
  { heading: 'Measured (min)', width: 11, as: 'one' },
]

const EXCURSIONS: readonly Column[] = [
  { heading: 'Excursion', width: 11, as: 'text' },
  { heading: 'Limit (°C)', width: 9, as: 'two' },
  { heading: 'Began', width: 20, as: 'time' },
  { heading: 'Ended', width: 20, as: 'time' },
  { heading: 'Duration (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Worst (°C)', width: 9, as: 'two' },
  { heading: 'Place', width: 30, as: 'text' },
  { heading: 'State', width: 14, as: 'text' },
]

/** Minimum, maximum, means, minutes out of range, excursions, and what was carried. `look` sees each device once, in order. */
export async function temperatureTables(
  making: Making,
  look: (one: DeviceTemperature) => void = () => {},
): Promise<Table[]> {
  const { starts, gapMs, limitsInForce } = making
  const [devices, days, excursions]: [Value[][], Value[][], Value[][]] = [[], [], []]
  const loads: ReportedLoad[] = []
  const loadsOf = await loadsReported(making)
  for await (const { device, readings } of making.devices()) {
    const { temperature: limits } = limitsInForce.ofDevice(device.no)
    const ofDays = temperatureDays(readings, starts, gapMs, limits)
    const whole = ofDays.length === 0 ? emptyTally() : sumTallies(ofDays)
    const found = excursionsOf('temperature', readings, limits)
    const carried = await loadsOf(device, readings)
    loads.push(...carried)
    look({ device, readings, days: ofDays, whole, excursions: found, loads: carried })
    devices.push([
      ...which(device),
      ...measuredCells(whole),
      found.length,
      found.length === 0 ? null : Math.max(...found.map(lasted)),
    ])
    for (const [i, day] of ofDays.entries())
      if (day.count > 0) days.push([starts[i], ...which(device), ...measuredCells(day)])
    for (const one of found) excursions.push([...which(device), ...excursionCells(one, readings)])
  }
  return [
    {
      name: 'Devices',
      columns: [
        ...WHICH,
        ...MEASURED,
        { heading: 'Excursions', width: 11, as: 'whole' },
        { heading: 'Longest excursion (h:mm:ss)', width: 13, as: 'hours' },
      ],
      rows: devices,
    },
    {
      name: 'Days',
      columns: [{ heading: 'Date', width: 12, as: 'date' }, ...WHICH, ...MEASURED],
      rows: days,
    },
    { name: 'Excursions', columns: [...WHICH, ...EXCURSIONS], rows: excursions },
    ...loadTables(loads),
  ]
}

function measuredCells(tally: TemperatureTally): Value[] {
  const { count, min, minAt, max, maxAt, above, below, measured, countAbove, countBelow } = tally
  if (count === 0) return [0, ...Array<null>(11).fill(null)]
  return [
    count,
    min,
    minAt,
    max,
    maxAt,
    rounded(meanOf(tally), 2),
    rounded(meanKineticOf(tally), 2),
    countAbove + countBelow,
    ...[above + below, above, below, measured].map((ms) => rounded(ms / 60_000, 2)),
  ]
}

function excursionCells(one: Excursion, readings: ReadingColumns): Value[] {
  return [
    isWarm(one) ? 'Too warm' : 'Too cold',
    one.limit,
    one.from,
    one.to,
    lasted(one),
    one.worst,
    placeAt(readings, one.row),
    one.to === null ? 'Not ended yet' : 'Ended',
  ]
}

import { type DrivingDay, sumDriving } from '#machines/rules/driving-days.ts'
import { averageSpeedOf, wayOf } from '#machines/rules/motion.ts'
import { drivingParts, hasPlaceIn, partsOfDays, WHOLE_DAY } from '#machines/rules/parts-of-days.ts'
import type { ReportDevice } from '../order.ts'
import { type Making, rounded, WHICH, which } from './making.ts'
import type { Column, Value } from './sheet-xml.ts'
import type { Table } from './workbook.ts'

const TRAVEL: readonly Column[] = [
  { heading: 'Distance (km)', width: 12, as: 'one' },
  { heading: 'Driving (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Average speed (km/h)', width: 11, as: 'one' },
  { heading: 'Top speed (km/h)', width: 11, as: 'one' },
]

/** What one device travelled: on how many days of known positions, how many of them count, and those in km. */
export type Travelled = { known: number; counted: number; km: number }
export type LookAtTravel = (device: ReportDevice, travelled: Travelled) => void

/**
 * Travel in a part of each day, of the days with at least the least distance: a row a device, and a row a device and day.
 * `look` sees each device once, in order.
 */
export async function travelTables(making: Making, look: LookAtTravel = () => {}): Promise<Table[]> {
  const { order, starts, gapMs } = making
  const parts = partsOfDays(starts, order.company.timeZone, order.partOfDay ?? WHOLE_DAY)
  const [devices, days]: [Value[][], Value[][]] = [[], []]
  for await (const { device, readings } of making.devices()) {
    const all = drivingParts(readings, parts, gapMs).map((day, i) => ({ day, at: parts[i]?.from as number }))
    const placed = hasPlaceIn(readings, parts)
    const known = all.filter(({ day }, i) => placed[i] && isKnown(day))
    const counted = known.filter(({ day }) => day.km >= (order.minDistance ?? 0))
    for (const { day, at } of counted)
      days.push([at, ...which(device), ...travelCells(day), day.first || null, day.last || null])
    const sum = sumDriving(counted.map(({ day }) => day))
    devices.push([
      ...which(device),
      known.length,
      ...(known.length > 0 ? [counted.length] : []),
      ...(counted.length > 0 ? travelCells(sum) : []),
    ])
    look(device, { known: known.length, counted: counted.length, km: sum.km })
  }
  return [
    {
      name: 'Devices',
      columns: [
        ...WHICH,
        { heading: 'Days with positions', width: 9, as: 'whole' },
        { heading: 'Days that count', width: 9, as: 'whole' },
        ...TRAVEL,
      ],
      rows: devices,
    },
    {
      name: 'Days',
      columns: [
        { heading: 'Date', width: 12, as: 'date' },
        ...WHICH,
        ...TRAVEL,
        { heading: 'First set off', width: 20, as: 'time' },
        { heading: 'Last stopped', width: 20, as: 'time' },
      ],
      rows: days,
    },
  ]
}

/** Who drove without telling where has travelled, but nobody knows how far. */
const isKnown = (day: DrivingDay): boolean =>
  !Number.isNaN(wayOf(day)) && day.driving + day.idling + day.standing > 0

function travelCells(day: DrivingDay): Value[] {
  return [rounded(day.km, 3), day.driving, rounded(averageSpeedOf(day), 1), day.topSpeed]
}

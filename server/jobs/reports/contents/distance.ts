import { type DrivingDay, drivingDays, sumDriving } from '#machines/rules/driving-days.ts'
import { averageSpeedOf, wayOf } from '#machines/rules/motion.ts'
import { type Making, rounded, WHICH, which } from './making.ts'
import type { Column, Value } from './sheet-xml.ts'
import type { Table } from './workbook.ts'

const DRIVING: readonly Column[] = [
  { heading: 'Distance (km)', width: 13, as: 'one' },
  { heading: 'Driving (h:mm:ss)', width: 13, as: 'hours' },
  { heading: 'Standing, engine on (h:mm:ss)', width: 15, as: 'hours' },
  { heading: 'Standing (h:mm:ss)', width: 13, as: 'hours' },
  { heading: 'No data (h:mm:ss)', width: 13, as: 'hours' },
  { heading: 'Average speed (km/h)', width: 13, as: 'one' },
  { heading: 'Top speed (km/h)', width: 11, as: 'one' },
]

/** Distance, driving and standing time: a row a device, and a row a device and day. */
export async function distanceTables(making: Making): Promise<Table[]> {
  const { starts, gapMs, order } = making
  const [devices, days]: [Value[][], Value[][]] = [[], []]
  for await (const { device, readings } of making.devices()) {
    const all = drivingDays(readings, starts, gapMs)
    const kept = all.flatMap((day, i) => (isKept(day, order.minDistance) ? [{ day, i }] : []))
    for (const { day, i } of kept) {
      const length = lengthOf(starts, i)
      days.push([
        starts[i],
        ...which(device),
        ...drivingCells(day, length),
        day.first || null,
        day.last || null,
      ])
    }
    const sum = sumDriving(kept.map(({ day }) => day))
    const length = kept.reduce((ms, { i }) => ms + lengthOf(starts, i), 0)
    const driven = kept.filter(({ day }) => day.driving > 0).length
    devices.push([...which(device), ...drivingCells(sum, length), driven])
  }
  const daysDriven: Column = { heading: 'Days driven', width: 9, as: 'whole' }
  return [
    { name: 'Devices', columns: [...WHICH, ...DRIVING, daysDriven], rows: devices },
    {
      name: 'Days',
      columns: [
        { heading: 'Date', width: 12, as: 'date' },
        ...WHICH,
        ...DRIVING,
        { heading: 'First set off', width: 20, as: 'time' },
        { heading: 'Last stopped', width: 20, as: 'time' },
      ],
      rows: days,
    },
  ]
}

/** Of what nobody knows how far it was, nobody knows that it was shorter. */
const isKept = (day: DrivingDay, least: number | null): boolean => least === null || !(wayOf(day) < least)

const lengthOf = (starts: Float64Array, day: number): number =>
  (starts[day + 1] as number) - (starts[day] as number)

/** What nothing tells of is no data: also before the first reading and after the last. */
function drivingCells(day: DrivingDay, length: number): Value[] {
  const { driving, idling, standing, topSpeed } = day
  const noData = Math.max(0, length - driving - idling - standing)
  const average = rounded(averageSpeedOf(day), 1)
  return [rounded(wayOf(day), 3), driving, idling, standing, noData, average, topSpeed]
}

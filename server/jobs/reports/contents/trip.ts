import { toUnits } from '#machines/contracts/readings.ts'
import { averageSpeedOf, wayOf } from '#machines/rules/motion.ts'
import { type Trip, tripsOf } from '#machines/rules/trips.ts'
import { type Making, placeAt, rounded, WHICH, which } from './making.ts'
import type { Column, Value } from './sheet-xml.ts'
import type { Table } from './workbook.ts'

const TRIP: readonly Column[] = [
  { heading: 'Set off', width: 20, as: 'time' },
  { heading: 'From', width: 30, as: 'text' },
  { heading: 'Arrived', width: 20, as: 'time' },
  { heading: 'To', width: 30, as: 'text' },
  { heading: 'Distance (km)', width: 11, as: 'one' },
  { heading: 'Duration (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Driving (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Short stops (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Average speed (km/h)', width: 11, as: 'one' },
  { heading: 'Top speed (km/h)', width: 11, as: 'one' },
  { heading: 'Minimum temperature (°C)', width: 13, as: 'two' },
  { heading: 'Maximum temperature (°C)', width: 13, as: 'two' },
]

const SUM: readonly Column[] = [
  { heading: 'Trips', width: 9, as: 'whole' },
  { heading: 'Distance (km)', width: 12, as: 'one' },
  { heading: 'Driving (h:mm:ss)', width: 12, as: 'hours' },
  { heading: 'Longest trip (km)', width: 12, as: 'one' },
]

/** Trips with their places: a row a device, and a row a trip. */
export async function tripTables(making: Making): Promise<Table[]> {
  const { order, gapMs } = making
  const devices: Value[][] = []
  const trips: Value[][] = []
  for await (const { device, readings } of making.devices()) {
    const found = tripsOf(readings, gapMs).filter(
      // of what nobody knows how far it was, nobody knows that it was shorter
      (trip) => order.minDistance === null || !(wayOf(trip) < order.minDistance),
    )
    const temperature = (row: number) => toUnits('temperature', readings.temperature[row] as number)
    for (const trip of found)
      trips.push([
        ...which(device),
        readings.at[trip.first],
        placeAt(readings, trip.first),
        readings.at[trip.last],
        placeAt(readings, trip.last),
        ...tripCells(trip),
        ...extremes(trip, temperature),
      ])
    const known = found.map(wayOf).filter((km) => !Number.isNaN(km))
    const isUnknown = found.length > 0 && known.length === 0
    devices.push([
      ...which(device),
      found.length,
      isUnknown
        ? null
        : rounded(
            known.reduce((sum, km) => sum + km, 0),
            3,
          ),
      found.reduce((sum, trip) => sum + trip.driving, 0),
      known.length === 0 ? null : rounded(Math.max(...known), 3),
    ])
  }
  return [
    { name: 'Devices', columns: [...WHICH, ...SUM], rows: devices },
    { name: 'Trips', columns: [...WHICH, ...TRIP], rows: trips },
  ]
}

function tripCells(trip: Trip): Value[] {
  const { driving, stopped, topSpeed } = trip
  const average = rounded(averageSpeedOf(trip), 1)
  return [rounded(wayOf(trip), 3), driving + stopped, driving, stopped, average, topSpeed]
}

function extremes({ first, last }: Trip, valueAt: (row: number) => number | undefined): Value[] {
  let [min, max] = [Number.NaN, Number.NaN]
  for (let row = first; row <= last; row++) {
    const value = valueAt(row)
    if (value === undefined) continue
    if (!(value >= min)) min = value
    if (!(value <= max)) max = value
  }
  return [min, max]
}

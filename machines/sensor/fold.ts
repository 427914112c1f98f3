import { isOverdue } from '../rules/overdue.ts'
import { MISSED, type SensorEmitted } from './sensor.machine.ts'

/** Where a sensor is in the chart of sensor.machine.ts; while plugged, the readings missed are added. */
export const PLACE = { unknown: 0, unplugged: 1, plugged: 2 } as const

/** sensor.machine.ts for every device at once: the same chart with its context as columns, row = device number. */
export type SensorColumns = {
  place: Uint8Array
  lastAt: Float64Array
  measuredAt: Float64Array
  apart: Float64Array
}

export type Emit = (device: number, fact: SensorEmitted) => void

/** Columns of devices of which nothing was heard: no time is `-Infinity`. */
export function createSensorColumns(devices: number): SensorColumns {
  return {
    place: new Uint8Array(devices),
    lastAt: new Float64Array(devices).fill(Number.NEGATIVE_INFINITY),
    measuredAt: new Float64Array(devices).fill(Number.NEGATIVE_INFINITY),
    apart: new Float64Array(devices).fill(Number.POSITIVE_INFINITY),
  }
}

/**
 * @param measured whether the reading of `at` (epoch ms) carries a value of this sensor
 * @param gap a sensor whose last value is so old, ms, is unplugged however rarely it gave any
 */
export function foldReading(
  columns: SensorColumns,
  device: number,
  at: number,
  measured: boolean,
  gap: number,
  emit: Emit,
): void {
  if (!(at > (columns.lastAt[device] as number))) return
  columns.lastAt[device] = at
  const place = columns.place[device] as number
  const measuredAt = columns.measuredAt[device] as number
  if (measured) {
    columns.place[device] = PLACE.plugged
    columns.apart[device] = at - measuredAt
    columns.measuredAt[device] = at
    if (place === PLACE.unplugged) emit(device, { type: 'sensor.plugged-in', at })
  } else if (place >= PLACE.plugged) {
    const missed = place - PLACE.plugged + 1
    if (missed >= MISSED && isOverdue(at - measuredAt, columns.apart[device] as number, gap)) {
      columns.place[device] = PLACE.unplugged
      emit(device, { type: 'sensor.unplugged', at })
    } else if (missed < MISSED) columns.place[device] = place + 1
  }
}

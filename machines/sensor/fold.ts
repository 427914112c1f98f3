import { MISSED, type SensorEmitted } from './sensor.machine.ts'

/** Where a sensor is in the chart of sensor.machine.ts; while plugged, the readings missed are added. */
export const PLACE = { unknown: 0, unplugged: 1, plugged: 2 } as const

/** sensor.machine.ts for every device at once: the same chart with its context as columns, row = device number. */
export type SensorColumns = { place: Uint8Array; lastAt: Float64Array }

export type Emit = (device: number, fact: SensorEmitted) => void

export function createSensorColumns(devices: number): SensorColumns {
  return { place: new Uint8Array(devices), lastAt: new Float64Array(devices).fill(Number.NEGATIVE_INFINITY) }
}

/** @param measured whether the reading of `at` (epoch ms) carries a value of this sensor */
export function foldReading(
  columns: SensorColumns,
  device: number,
  at: number,
  measured: boolean,
  emit: Emit,
): void {
  if (!(at > (columns.lastAt[device] as number))) return
  columns.lastAt[device] = at
  const place = columns.place[device] as number
  if (measured) {
    columns.place[device] = PLACE.plugged
    if (place === PLACE.unplugged) emit(device, { type: 'sensor.plugged-in', at })
  } else if (place >= PLACE.plugged) {
    if (place - PLACE.plugged + 1 < MISSED) columns.place[device] = place + 1
    else {
      columns.place[device] = PLACE.unplugged
      emit(device, { type: 'sensor.unplugged', at })
    }
  }
}

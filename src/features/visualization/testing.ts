import type { ViolationBar, ViolationChart, ViolationTimes } from '#machines/contracts/entities/violations.ts'
import { imeiOf } from '../../read-model/testing/make-fleet.ts'

/** A device of the made-up fleet with its violations. */
export const barOf = (deviceNo: number, counts: Partial<ViolationBar> = {}): ViolationBar => ({
  plateNumber: `LEB-${deviceNo}`,
  imei: imeiOf(deviceNo),
  LowTemperature: 0,
  LowHumidity: 0,
  HighTemperature: 0,
  HighHumidity: 0,
  ...counts,
})

/** What the server answers for these devices. */
export function chartOf(data: ViolationBar[]): ViolationChart {
  const sum = (field: Exclude<keyof ViolationBar, 'plateNumber' | 'imei'>) =>
    data.reduce((total, bar) => total + bar[field], 0)
  const counts = {
    LOW_TEMPERATURE_DETECTED: sum('LowTemperature'),
    LOW_HUMIDITY_DETECTED: sum('LowHumidity'),
    HIGH_TEMPERATURE_DETECTED: sum('HighTemperature'),
    HIGH_HUMIDITY_DETECTED: sum('HighHumidity'),
  }
  return { data, counts: { ...counts, total: Object.values(counts).reduce((a, b) => a + b) } }
}

/** Devices that were out so many minutes, the first of them longest; each degree-minutes ten times as many. */
export const timesOf = (...minutes: number[]): ViolationTimes => {
  const all = minutes.reduce((a, b) => a + b, 0)
  return {
    minutes: all,
    kinds: {
      HIGH_TEMPERATURE_DETECTED: all,
      LOW_TEMPERATURE_DETECTED: 0,
      HIGH_HUMIDITY_DETECTED: 0,
      LOW_HUMIDITY_DETECTED: 0,
    },
    hours: Array.from({ length: 24 }, (_, hour) => (hour === 15 ? all : 0)),
    days: [{ day: '1970-01-01', minutes: all, violations: minutes.length }],
    places: all > 0 ? [{ place: 'Okara', minutes: all, violations: minutes.length }] : [],
    placesOf: minutes.length,
    devices: minutes.map((own, i) => ({
      imei: imeiOf(i),
      plateNumber: `LEB-${i}`,
      name: `Truck ${i}`,
      minutes: own,
      violations: 1,
      degreeMinutes: 10 * own,
      percentMinutes: 0,
      place: 'Okara',
    })),
    more: 0,
  }
}

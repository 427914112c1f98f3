import type { ViolationBar, ViolationChart } from '#machines/contracts/entities/violations.ts'
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

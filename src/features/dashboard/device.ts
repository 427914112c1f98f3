import { toUnits } from '#machines/contracts/readings.ts'
import type { Progress } from '#machines/rules/catching-up.ts'
import { type BudgetNow, budgetsOf } from '../../read-model/budgets.ts'
import type { Fleet } from '../../read-model/fleet.ts'

/** One device as lists, cards and forms show it, in plain units; null: not measured, never heard. */
export type Device = {
  row: number
  imei: string
  name: string
  plate: string
  isWarehouse: boolean
  /** device-state.ts */
  state: number
  /** epoch ms by the device's clock */
  at: number | null
  temperature: number | null
  humidity: number | null
  speed: number | null
  place: { lat: number; lng: number } | null
  group: { id: string; name: string; low: number; high: number } | null
  /** how far it has come, while it delivers its past */
  progress: Progress | undefined
  /** of the load it carries */
  budget: BudgetNow | undefined
}

/** What can be done with a device from wherever it is shown. */
export type DeviceActions = {
  select(imei: string): void
  /** its history */
  open(imei: string): void
  edit(imei: string): void
}

/** Reads one row of the fleet. */
export function deviceAt(fleet: Fleet, row: number): Device {
  const { columns, names, groups, progress } = fleet
  const plain = (field: 'lat' | 'lng' | 'temperature' | 'humidity' | 'speed'): number | null =>
    toUnits(field, columns[field][row] as number) ?? null
  const lat = plain('lat')
  const lng = plain('lng')
  const group = groups.list[columns.group[row] as number]
  return {
    row,
    imei: names.of(row, 'imei'),
    name: names.of(row, 'name'),
    plate: names.of(row, 'plate'),
    isWarehouse: columns.kind[row] === 1,
    state: columns.state[row] as number,
    at: columns.at[row] === 0 ? null : (columns.at[row] as number),
    temperature: plain('temperature'),
    humidity: plain('humidity'),
    speed: plain('speed'),
    place: lat === null || lng === null ? null : { lat, lng },
    group: group
      ? {
          id: group._id,
          name: group.name,
          low: group.lowTemperatureThreshold,
          high: group.highTemperatureThreshold,
        }
      : null,
    progress: progress.get(columns.device[row] as number),
    budget: budgetsOf(fleet).get(columns.device[row] as number),
  }
}

export const historyPath = (imei: string): string => `/temperature/${imei}`

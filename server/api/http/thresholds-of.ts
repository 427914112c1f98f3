import type { Thresholds } from '#machines/contracts/entities/thresholds.ts'
import type { Device, Directory } from '#machines/projections/directory.ts'

/** The limits in force for a device, °C and %; zeros where it is in no group. */
export function thresholdsOf({ groups }: Directory, { groupId }: Pick<Device, 'groupId'>): Thresholds {
  const group = groupId === null ? undefined : groups.get(groupId)
  return {
    lowTemperatureThreshold: group?.lowTemperatureThreshold ?? 0,
    highTemperatureThreshold: group?.highTemperatureThreshold ?? 0,
    lowHumidityThreshold: group?.lowHumidityThreshold ?? 0,
    highHumidityThreshold: group?.highHumidityThreshold ?? 0,
  }
}

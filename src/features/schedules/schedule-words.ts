import type { ScheduleInterval } from '#machines/contracts/entities/reports.ts'
import type { FieldValue } from '#machines/record-form/merge.ts'
import { titleOf } from '#machines/rules/report-types.ts'
import type { ScheduleFields } from '#machines/rules/schedule-fields.ts'
import { INTERVAL_NAMES } from '#machines/rules/schedule-form.ts'
import { formatCount } from '../../format/numbers.ts'
import type { Fleet } from '../../read-model/fleet.ts'

export const LABELS: Record<keyof ScheduleFields, string> = {
  groups: 'Groups',
  vehicles: 'Vehicles',
  interval: 'Interval',
  reportTypes: 'Report Types',
  emails: 'Emails',
  email: 'Email',
  sourceGeofenceId: 'Source geofence',
  destinationGeofenceId: 'Destination geofence',
  performanceGeoFence: 'Geofences',
  performanceRouteFence: 'Route fences',
  startTime: 'Start time',
  endTime: 'End time',
  speed: 'Speed limit',
  vehicleTravelDistance: 'Min distance travelled',
}

/** Named before the rest is only counted. */
const NAMED = 20

/** A value of a schedule's form in words. */
export function shownValue(field: keyof ScheduleFields, value: FieldValue, { groups, names }: Fleet): string {
  const nameOf = (each: string): string => {
    if (field === 'reportTypes') return titleOf(each)
    if (field === 'groups') return groups.list[groups.indexOf(each)]?.name ?? each
    const row = field === 'vehicles' ? names.rowOf(each) : -1
    return row < 0 ? each : names.of(row, 'name')
  }
  if (typeof value === 'object' && value !== null) {
    const more = value.length - NAMED
    const named = value.slice(0, NAMED).map(nameOf).join(', ')
    return more > 0 ? `${named} and ${formatCount(more)} more` : named || 'None'
  }
  if (value === 'all') return 'All'
  if (field === 'interval') return INTERVAL_NAMES[value as ScheduleInterval]
  if (field === 'speed') return `${value} km/h`
  return field === 'vehicleTravelDistance' ? `${value} KM` : `${value}` || 'None'
}

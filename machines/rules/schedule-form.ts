import { is } from 'superstruct'
import { type ScheduledReportType, ScheduleInterval } from '../contracts/entities/reports.ts'
import { Email } from '../contracts/scalars.ts'
import { type Fault, firstFaults } from './plain-text.ts'
import { isSchedulable, reportTypeOf } from './report-types.ts'

/** km/h */
export const SPEED = { min: 1, max: 200, standard: 80 } as const
/** km */
export const STANDARD_MIN_DISTANCE = 25
export const INVALID_EMAIL = 'Invalid email address'

/** What the form offers; the documents name more, and offer this. */
export const OFFERED_REPORT_TYPES: readonly ScheduledReportType[] = ['POWER_REPORT']
export const INTERVAL_NAMES: Readonly<Record<ScheduleInterval, string>> = {
  Daily: 'Daily',
  Weekly: 'Weekly',
  Monthly: 'Monthly',
  TenDays: 'Ten Days',
}

/** What a schedule's form holds, as it was typed. */
export type ScheduleForm = {
  groups: readonly string[]
  vehicles: readonly string[]
  interval: string
  emails: readonly string[]
  reportTypes: readonly string[]
  /** km/h */
  speed?: number | undefined
  performanceGeoFence?: readonly string[] | undefined
  performanceRouteFence?: readonly string[] | undefined
  sourceGeofenceId?: string | undefined
  destinationGeofenceId?: string | undefined
  /** km */
  vehicleTravelDistance?: number | undefined
  /** HH:mm */
  startTime?: string | undefined
  endTime?: string | undefined
}
export type ScheduleField = keyof ScheduleForm

const TRAVEL: readonly string[] = ['vehicleTravelReport', 'vehicleTravelReportGraph']

/** The fields a report type asks for beyond those of every schedule. */
export function extraFieldsOf(reportTypes: readonly string[]): Set<ScheduleField> {
  const fields = new Set<ScheduleField>()
  for (const type of reportTypes)
    for (const field of EXTRA[type] ?? (TRAVEL.includes(type) ? TRAVEL_FIELDS : [])) fields.add(field)
  return fields
}

const TRAVEL_FIELDS: ScheduleField[] = ['startTime', 'endTime', 'vehicleTravelDistance']
const EXTRA: Readonly<Record<string, ScheduleField[]>> = {
  GeoFenceTrackReport: ['sourceGeofenceId', 'destinationGeofenceId'],
  PerformanceReport: ['performanceGeoFence', 'performanceRouteFence'],
  OverSpeedingVehiclesReport: ['speed'],
}

type Missable = Omit<ScheduleForm, 'speed' | 'vehicleTravelDistance'>

/** What is wrong with a schedule, the first of each field; a speed or distance left out is the standard one. */
export function scheduleFaults(form: ScheduleForm): Fault<ScheduleField>[] {
  const { groups, vehicles, interval, emails, reportTypes, speed, vehicleTravelDistance } = form
  const asked = extraFieldsOf(reportTypes)
  const lacks = (field: keyof Missable): boolean => asked.has(field) && (form[field] ?? '').length === 0
  const unmade = reportTypes.find((type) => !isSchedulable(type))
  return firstFaults<ScheduleField>([
    ['groups', 'Please select at least one group.', groups.length === 0],
    ['vehicles', 'Please select at least one vehicle.', vehicles.length === 0],
    ['emails', 'Please enter at least one email.', emails.length === 0],
    ['emails', INVALID_EMAIL, !emails.every(isEmail)],
    ['interval', 'Please select interval.', !is(interval, ScheduleInterval)],
    ['reportTypes', 'Please select at least one report type.', reportTypes.length === 0],
    ['sourceGeofenceId', 'Please select source geofence.', lacks('sourceGeofenceId')],
    ['destinationGeofenceId', 'Please select destination geofence.', lacks('destinationGeofenceId')],
    ['performanceGeoFence', 'Please select geofence', lacks('performanceGeoFence')],
    ['performanceRouteFence', 'Please select route fence', lacks('performanceRouteFence')],
    ['startTime', 'Please select start time.', lacks('startTime')],
    ['endTime', 'Please select end time.', lacks('endTime')],
    ['speed', `Enter a whole speed of ${SPEED.min} to ${SPEED.max} km/h`, !isSpeed(speed ?? SPEED.standard)],
    [
      'vehicleTravelDistance',
      'Enter a distance of 0 km or more',
      !((vehicleTravelDistance ?? STANDARD_MIN_DISTANCE) >= 0),
    ],
    ['reportTypes', `${nameOf(unmade)} cannot be scheduled`, unmade !== undefined],
  ])
}

/** The basic pattern of an address: something, an at sign, something with a dot in it. */
export const isEmail = (text: string): boolean => is(text.trim(), Email)

/** A typed speed brought to a whole number within its bounds; the standard one where nothing was typed. */
export const clampedSpeed = (speed: number): number =>
  Number.isNaN(speed) ? SPEED.standard : Math.min(SPEED.max, Math.max(SPEED.min, Math.round(speed)))

/** e.g. Power Report. */
export const nameOf = (type = ''): string => reportTypeOf(type)?.title ?? type

const isSpeed = (speed: number): boolean =>
  Number.isInteger(speed) && speed >= SPEED.min && speed <= SPEED.max

import { is } from 'superstruct'
import { ScheduleInterval, TimeOfDay } from '../contracts/entities/reports.ts'
import { Email } from '../contracts/scalars.ts'
import { isPartOfDay } from './parts-of-days.ts'
import { type Fault, firstFaults } from './plain-text.ts'
import { DEFAULT_MIN_DISTANCE, isDistance, WRONG_DISTANCE } from './report-interval.ts'
import { isSchedulable, titleOf, whyNotMade } from './report-types.ts'
import { isSpeedLimit, SPEED, WRONG_SPEED } from './speed-limit.ts'

const NO_TIME = 'Enter a time as HH:mm'
export const INVALID_EMAIL = 'Invalid email address'
/** Addresses of one schedule. */
export const MOST_EMAILS = 20
const TOO_MANY_EMAILS = `A schedule has at most ${MOST_EMAILS} addresses.`

export const INTERVAL_NAMES: Readonly<Record<ScheduleInterval, string>> = {
  Daily: 'Daily',
  Weekly: 'Weekly',
  Monthly: 'Monthly',
  TenDays: 'Ten Days',
}

/** What a schedule is of. */
export type ScheduledPicks = {
  groups: readonly string[]
  vehicles: readonly string[]
  /** whatever groups there are at each run, and whatever vehicles those groups have then */
  allGroups?: boolean | undefined
  allVehicles?: boolean | undefined
}

/** What a schedule's form holds, as it was typed. */
export type ScheduleForm = ScheduledPicks & {
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
  /** HH:mm, the part of each day that counts; an end of 00:00 is the midnight after */
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

type Missable = Omit<ScheduleForm, 'speed' | 'vehicleTravelDistance' | 'allGroups' | 'allVehicles'>

const hasNoGroup = ({ groups, allGroups }: ScheduledPicks) => groups.length === 0 && allGroups !== true
const hasNoVehicle = ({ vehicles, allVehicles }: ScheduledPicks) =>
  vehicles.length === 0 && allVehicles !== true

/**
 * What is wrong with a schedule, the first of each field; a speed or distance left out is the standard one.
 * @param before what one that is changed still has: where all its groups or vehicles are gone, it may stay without
 */
export function scheduleFaults(form: ScheduleForm, before?: ScheduledPicks): Fault<ScheduleField>[] {
  const { interval, emails, reportTypes, speed, vehicleTravelDistance } = form
  const extra = extraFieldsOf(reportTypes)
  const lacks = (field: keyof Missable): boolean => extra.has(field) && (form[field] ?? '').length === 0
  const asks = (hasNone: (picks: ScheduledPicks) => boolean): boolean =>
    hasNone(form) && (before === undefined || !hasNone(before))
  const unmade = reportTypes.find((type) => !isSchedulable(type))
  const [startTime, endTime] = [form.startTime ?? '', form.endTime ?? '']
  const areTimes = is(startTime, TimeOfDay) && is(endTime, TimeOfDay)
  const isWrong = {
    speed: extra.has('speed') && !isSpeedLimit(speed ?? SPEED.standard),
    distance:
      extra.has('vehicleTravelDistance') && !isDistance(vehicleTravelDistance ?? DEFAULT_MIN_DISTANCE),
  }
  const isOver = extra.has('endTime') && areTimes && !isPartOfDay({ startTime, endTime })
  return firstFaults<ScheduleField>([
    ['groups', 'Please select at least one group.', asks(hasNoGroup)],
    ['vehicles', 'Please select at least one vehicle.', asks(hasNoVehicle)],
    ['emails', 'Please enter at least one email.', emails.length === 0],
    ['emails', INVALID_EMAIL, !emails.every(isEmail)],
    ['emails', TOO_MANY_EMAILS, emails.length > MOST_EMAILS],
    ['interval', 'Please select interval.', !is(interval, ScheduleInterval)],
    ['reportTypes', 'Please select at least one report type.', reportTypes.length === 0],
    ['sourceGeofenceId', 'Please select source geofence.', lacks('sourceGeofenceId')],
    ['destinationGeofenceId', 'Please select destination geofence.', lacks('destinationGeofenceId')],
    ['performanceGeoFence', 'Please select geofence', lacks('performanceGeoFence')],
    ['performanceRouteFence', 'Please select route fence', lacks('performanceRouteFence')],
    ['startTime', 'Please select start time.', lacks('startTime')],
    ['endTime', 'Please select end time.', lacks('endTime')],
    ['startTime', NO_TIME, extra.has('startTime') && !is(form.startTime, TimeOfDay)],
    ['endTime', NO_TIME, extra.has('endTime') && !is(form.endTime, TimeOfDay)],
    ['endTime', 'End time must be after start time.', isOver],
    ['speed', WRONG_SPEED, isWrong.speed],
    ['vehicleTravelDistance', WRONG_DISTANCE, isWrong.distance],
    ['reportTypes', notScheduled(unmade ?? ''), unmade !== undefined],
  ])
}

/** The basic pattern of an address: something, an at sign, something with a dot in it. */
export const isEmail = (text: string): boolean => is(text.trim(), Email)

/** e.g. Oil Change Report cannot be scheduled: needs oil changes, which … */
function notScheduled(type: string): string {
  const why = whyNotMade(type) ?? 'there is no such report.'
  return `${titleOf(type)} cannot be scheduled: ${why.charAt(0).toLowerCase()}${why.slice(1)}`
}

import type { ReportSchedule } from '../contracts/entities/reports.ts'
import { type Fault, firstFaults } from './plain-text.ts'
import { DEFAULT_MIN_DISTANCE } from './report-interval.ts'
import {
  INVALID_EMAIL,
  isEmail,
  type ScheduledPicks,
  type ScheduleForm,
  scheduleFaults,
} from './schedule-form.ts'
import { SPEED } from './speed-limit.ts'

/** All there are at each run, or some by their ids. */
export type Chosen = 'all' | readonly string[]
export type Picks = { groups: Chosen; vehicles: Chosen }

/** A schedule while it is put together; '' and [] where nothing is chosen yet, NaN where what was typed is no number. */
export type ScheduleFields = Picks & {
  [Field in Exclude<keyof ScheduleForm, keyof ScheduledPicks>]-?: NonNullable<ScheduleForm[Field]>
} & {
  /** an address that is being typed, not one of `emails` yet */
  email: string
}

/** What a new schedule begins with: nothing but the standard speed and distance. */
export const BLANK_SCHEDULE: ScheduleFields = {
  groups: [],
  vehicles: [],
  interval: '',
  emails: [],
  email: '',
  reportTypes: [],
  speed: SPEED.standard,
  performanceGeoFence: [],
  performanceRouteFence: [],
  sourceGeofenceId: '',
  destinationGeofenceId: '',
  vehicleTravelDistance: DEFAULT_MIN_DISTANCE,
  startTime: '',
  endTime: '',
}

/** A schedule as its form shows it. */
export function fieldsOfSchedule({
  _id,
  version,
  company,
  notSent,
  groups,
  vehicles,
  allGroups,
  allVehicles,
  ...fields
}: ReportSchedule): ScheduleFields {
  return {
    ...BLANK_SCHEDULE,
    ...(fields as Partial<ScheduleFields>),
    groups: allGroups === true ? 'all' : groups.map((group) => group._id),
    vehicles: allVehicles === true ? 'all' : vehicles.map((vehicle) => vehicle._id),
  }
}

/** The address that is typed becomes one of the schedule's, if it is one; twice the same is once. */
export function withTypedEmail({
  email,
  emails,
}: Pick<ScheduleFields, 'email' | 'emails'>): Pick<ScheduleFields, 'email' | 'emails'> {
  const typed = email.trim()
  if (!isEmail(typed)) return { email, emails }
  const isKnown = emails.some((known) => known.toLowerCase() === typed.toLowerCase())
  return { email: '', emails: isKnown ? emails : [...emails, typed] }
}

/**
 * What is wrong, the first of each field; what is still being typed must be an address too.
 * @param isNew one that is changed keeps its groups and vehicles, also where none of them is left
 */
export function scheduleFieldFaults(fields: ScheduleFields, isNew = true): Fault[] {
  const { email, ...others } = fields
  const typed = { ...others, ...pickedFor(fields) }
  const isHalfTyped = email.trim() !== '' && !isEmail(email)
  return firstFaults([
    ['emails', INVALID_EMAIL, isHalfTyped],
    ...scheduleFaults(typed, isNew ? undefined : typed).map(
      ({ path, message }) => [path, message, true] as const,
    ),
  ])
}

/** What is picked, as a schedule says it: all of them is a word, not a list. */
export function pickedFor({ groups, vehicles }: Picks) {
  return {
    ...(groups === 'all' ? { groups: [], allGroups: true } : { groups: [...groups] }),
    ...(vehicles === 'all' ? { vehicles: [], allVehicles: true } : { vehicles: [...vehicles] }),
  }
}

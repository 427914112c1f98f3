import type { ReportSchedule } from '../contracts/entities/reports.ts'
import { type Fault, firstFaults } from './plain-text.ts'
import { DEFAULT_MIN_DISTANCE } from './report-interval.ts'
import type { Picked } from './report-request.ts'
import { INVALID_EMAIL, isEmail, type ScheduleForm, scheduleFaults } from './schedule-form.ts'
import { SPEED } from './speed-limit.ts'

/** A schedule while it is put together: `'all'` is all there are at each run. */
export type ScheduleFields = Omit<ScheduleForm, 'groups' | 'vehicles' | 'allGroups' | 'allVehicles'> & {
  groups: Picked
  vehicles: Picked
  /** an address that is being typed, not one of `emails` yet */
  email: string
}

/** What a new schedule begins with: nothing but the standard speed and distance. */
export function blankSchedule(): ScheduleFields {
  return {
    groups: new Set(),
    vehicles: new Set(),
    interval: '',
    emails: [],
    email: '',
    reportTypes: [],
    speed: SPEED.standard,
    vehicleTravelDistance: DEFAULT_MIN_DISTANCE,
  }
}

/** A schedule as its form shows it. */
export function fieldsOfSchedule({
  _id,
  version,
  company,
  groups,
  vehicles,
  allGroups,
  allVehicles,
  ...schedule
}: ReportSchedule): ScheduleFields {
  return {
    ...blankSchedule(),
    ...schedule,
    groups: allGroups === true ? 'all' : new Set(groups.map((group) => group._id)),
    vehicles: allVehicles === true ? 'all' : new Set(vehicles.map((vehicle) => vehicle._id)),
  }
}

/** The address that is typed becomes one of the schedule's, if it is one; twice the same is once. */
export function withTypedEmail(fields: ScheduleFields): ScheduleFields {
  const typed = fields.email.trim()
  if (!isEmail(typed)) return fields
  const isKnown = fields.emails.some((email) => email.toLowerCase() === typed.toLowerCase())
  return { ...fields, email: '', emails: isKnown ? fields.emails : [...fields.emails, typed] }
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
export function pickedFor({ groups, vehicles }: Pick<ScheduleFields, 'groups' | 'vehicles'>) {
  return {
    ...(groups === 'all' ? { groups: [], allGroups: true } : { groups: [...groups] }),
    ...(vehicles === 'all' ? { vehicles: [], allVehicles: true } : { vehicles: [...vehicles] }),
  }
}

import type { ReportSchedule } from '../contracts/entities/reports.ts'
import { type Fault, firstFaults } from './plain-text.ts'
import type { Picked } from './report-request.ts'
import {
  INVALID_EMAIL,
  isEmail,
  type ScheduleForm,
  SPEED,
  STANDARD_MIN_DISTANCE,
  scheduleFaults,
} from './schedule-form.ts'

/** A schedule while it is put together: `'all'` follows what there is until it is saved. */
export type ScheduleFields = Omit<ScheduleForm, 'groups' | 'vehicles'> & {
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
    vehicleTravelDistance: STANDARD_MIN_DISTANCE,
  }
}

/** A schedule as its form shows it. */
export function fieldsOfSchedule({
  _id,
  company,
  groups,
  vehicles,
  ...schedule
}: ReportSchedule): ScheduleFields {
  return {
    ...blankSchedule(),
    ...schedule,
    groups: new Set(groups.map((group) => group._id)),
    vehicles: new Set(vehicles.map((vehicle) => vehicle._id)),
  }
}

/** The address that is typed becomes one of the schedule's, if it is one; twice the same is once. */
export function withTypedEmail(fields: ScheduleFields): ScheduleFields {
  const typed = fields.email.trim()
  if (!isEmail(typed)) return fields
  const isKnown = fields.emails.some((email) => email.toLowerCase() === typed.toLowerCase())
  return { ...fields, email: '', emails: isKnown ? fields.emails : [...fields.emails, typed] }
}

/** What is wrong, the first of each field; what is still being typed must be an address too. */
export function scheduleFieldFaults(fields: ScheduleFields): Fault[] {
  const { groups, vehicles, email, ...others } = fields
  const typed = { ...others, groups: listed(groups), vehicles: listed(vehicles) }
  const isHalfTyped = email.trim() !== '' && !isEmail(email)
  return firstFaults([
    ['emails', INVALID_EMAIL, isHalfTyped],
    ...scheduleFaults(typed).map(({ path, message }) => [path, message, true] as const),
  ])
}

const listed = (picked: Picked): string[] => (picked === 'all' ? ['all'] : [...picked])

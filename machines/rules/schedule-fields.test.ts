import { expect, test } from 'vitest'
import {
  BLANK_SCHEDULE,
  type ScheduleFields,
  scheduleFieldFaults,
  withTypedEmail,
} from './schedule-fields.ts'

/** All that a schedule needs. */
const WHOLE: ScheduleFields = {
  ...BLANK_SCHEDULE,
  groups: 'all',
  vehicles: 'all',
  interval: 'Daily',
  emails: ['desk@indus.example'],
  reportTypes: ['POWER_REPORT'],
}
const faults = (patch: Partial<ScheduleFields>, isNew?: boolean) =>
  Object.fromEntries(
    scheduleFieldFaults({ ...WHOLE, ...patch }, isNew).map(({ path, message }) => [path, message]),
  )

test('all that is missing is said at once', () => {
  expect(faults(BLANK_SCHEDULE)).toEqual({
    groups: 'Please select at least one group.',
    vehicles: 'Please select at least one vehicle.',
    emails: 'Please enter at least one email.',
    interval: 'Please select interval.',
    reportTypes: 'Please select at least one report type.',
  })
  expect(faults({})).toEqual({})
})

test('one that is changed may stay without groups and vehicles', () => {
  expect(faults({ groups: [], vehicles: [] }, false)).toEqual({})
})

test('an address is one of the schedule once it is entered, once, and only if it is one', () => {
  const emails = ['desk@indus.example']
  expect(withTypedEmail({ emails, email: 'desk@indus' })).toEqual({ emails, email: 'desk@indus' })
  expect(withTypedEmail({ emails, email: 'Desk@Indus.example' })).toEqual({ emails, email: '' })
  expect(withTypedEmail({ emails, email: ' night@indus.example ' })).toEqual({
    emails: ['desk@indus.example', 'night@indus.example'],
    email: '',
  })
})

test('what is still typed must be an address too', () => {
  expect(faults({ email: 'x@' })).toEqual({ emails: 'Invalid email address' })
  expect(faults({ email: ' ' })).toEqual({})
})

test('a distance that is no longer asked for does not stop Save', () => {
  const times = { startTime: '08:00', endTime: '18:00', vehicleTravelDistance: Number.NaN }
  expect(Object.keys(faults({ ...times, reportTypes: ['vehicleTravelReport'] }))).toEqual([
    'vehicleTravelDistance',
  ])
  expect(faults(times)).toEqual({})
})

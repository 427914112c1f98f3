import { expect, test } from 'vitest'
import { violationFilterFaults } from './violation-filter.ts'

const now = Date.UTC(2026, 10, 21, 9)
const DAY = 86_400_000
const whole = {
  groupId: 'top',
  devices: 'all' as const,
  violations: ['HIGH_TEMPERATURE_DETECTED' as const],
  range: { from: now - DAY, to: now },
}
const faults = (more: object) =>
  violationFilterFaults({ ...whole, ...more }, now, 'Asia/Karachi').map(({ message }) => message)

test('each field says in the documents words what it lacks, in the order of the form', () => {
  expect(faults({})).toEqual([])
  expect(faults({ devices: ['356307042000001'] })).toEqual([])
  expect(faults({ violations: [], devices: [], range: { from: null, to: null } })).toEqual([
    'Please select violations',
    'Enter a start date',
    'Enter a end date',
    'Please select Devices',
  ])
  expect(faults({ range: { from: now, to: now - 1 } })).toEqual([
    'Start date cannot be greater than end date',
  ])
})

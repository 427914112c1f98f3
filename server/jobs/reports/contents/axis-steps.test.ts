import { expect, test } from 'vitest'
import { axisSteps, timeSteps } from './axis-steps.ts'
import { createLocalTime } from './local-time.ts'

const karachi = createLocalTime('Asia/Karachi')
const labels = (from: string, to: string) =>
  timeSteps(Date.parse(from), Date.parse(to), karachi).map(({ label }) => label)

test('an axis has round numbers within its ends', () => {
  expect(axisSteps(-26.4, 17.2, 5)).toEqual([-20, -10, 0, 10])
  expect(axisSteps(1.7, 8.3, 5)).toEqual([2, 4, 6, 8])
  expect(axisSteps(3.9, 4.4, 5)).toEqual([4, 4.2, 4.4])
})

test('time is named by round hours of the zone, midnight by its date', () => {
  expect(labels('2026-11-20T14:30:00Z', '2026-11-21T07:00:00Z')).toEqual([
    '20:00',
    '22:00',
    '21-11',
    '02:00',
    '04:00',
    '06:00',
    '08:00',
    '10:00',
    '12:00',
  ])
})

test('a month by some of its days', () => {
  expect(labels('2026-10-20T19:00:00Z', '2026-11-20T19:00:00Z')).toEqual([
    '22-10',
    '27-10',
    '01-11',
    '06-11',
    '11-11',
    '16-11',
  ])
})

import { expect, test } from 'vitest'
import { timeSteps } from './time-steps.ts'
import { writtenTime } from './written-time.ts'

const steps = (from: string, to: string, zone: string, most = 10) =>
  timeSteps(Date.parse(from), Date.parse(to), zone, most).map(
    ({ at, isDay }) => `${writtenTime(at, zone)}${isDay ? ' day' : ''}`,
  )

test('an axis is marked at round times of the zone, however far it is from Greenwich', () => {
  expect(steps('2026-06-15T12:00Z', '2026-06-16T12:00Z', 'Asia/Kathmandu', 5)).toEqual([
    ...['15-06-2026 18:00', '16-06-2026 00:00 day', '16-06-2026 06:00', '16-06-2026 12:00'],
  ])
  expect(steps('2026-06-15T12:00:20Z', '2026-06-15T12:03:20Z', 'Asia/Karachi')).toEqual([
    ...['15-06-2026 17:01', '15-06-2026 17:02', '15-06-2026 17:03'],
  ])
})

test('a day that has no midnight begins when it does, and those before it at theirs', () => {
  expect(steps('2026-04-21T20:00Z', '2026-04-26T20:00Z', 'Africa/Cairo', 5)).toEqual([
    ...['22-04-2026 00:00 day', '23-04-2026 00:00 day', '24-04-2026 01:00 day', '25-04-2026 00:00 day'],
    '26-04-2026 00:00 day',
  ])
})

import { expect, test } from 'vitest'
import { axisSteps, namedTimes } from './axis-steps.ts'
import { createLocalTime } from './local-time.ts'

const karachi = createLocalTime('Asia/Karachi')
const labels = (from: string, to: string) =>
  namedTimes(Date.parse(from), Date.parse(to), karachi).map(({ label }) => label)

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

test('a change of the clock does not make the hours after it uneven', () => {
  const berlin = createLocalTime('Europe/Berlin')
  const days = (from: string, to: string) =>
    namedTimes(Date.parse(from), Date.parse(to), berlin).map(({ label }) => label)
  expect(days('2026-10-23T00:00+02:00', '2026-10-27T23:00+01:00')).toEqual(
    [23, 24, 25, 26, 27].flatMap((day) => [`${day}-10`, '12:00']),
  )
  expect(days('2026-03-28T00:00+01:00', '2026-03-31T23:00+02:00')).toEqual(
    [28, 29, 30, 31].flatMap((day) => [`${day}-03`, '12:00']),
  )
  // 02:00 to 03:00 is there twice, and not at all
  expect(days('2026-10-25T00:00+02:00', '2026-10-25T05:59+01:00')).toEqual([
    '25-10',
    '01:00',
    '02:00',
    '03:00',
    '04:00',
    '05:00',
  ])
  expect(days('2026-03-29T00:00+01:00', '2026-03-29T07:00+02:00')).toEqual([
    '29-03',
    '01:00',
    '03:00',
    '04:00',
    '05:00',
    '06:00',
    '07:00',
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

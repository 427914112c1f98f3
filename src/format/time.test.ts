import { beforeAll, expect, test } from 'vitest'
import {
  damagedSpan,
  exactTime,
  fileTime,
  generalTime,
  listTime,
  notificationTime,
  observationTime,
  relativeTime,
  searchTime,
  setTimeZone,
} from './time.ts'

/** 15 June 2026, 00:04:09 in Karachi: still the day before in UTC. */
const at = Date.UTC(2026, 5, 14, 19, 4, 9)
beforeAll(() => setTimeZone('Asia/Karachi'))

test("the documents' formats, in the server's zone", () => {
  expect(notificationTime(at)).toBe('15-06-2026 12:04 am')
  expect(listTime(at)).toBe('15-Jun-26 12:04 am')
  expect(generalTime(at)).toBe('15/06/2026, 12:04 am')
  expect(searchTime(at)).toBe('15-06-2026 00:04')
  expect(observationTime(at)).toBe('15/06/2026 12:04:09 AM')
  expect(observationTime(null)).toBe('N/A')
  expect(fileTime(at)).toBe('20260615-000409')
  expect(exactTime(at)).toBe('15/06/2026, 12:04:09 am Asia/Karachi')
})

test.each([
  [0, 'now'],
  [4, 'now'],
  [59, '59 s ago'],
  [60, '1 min ago'],
  [3600, '1 h ago'],
  [90_000, '1 d ago'],
  [-60, 'now'],
])('%i seconds later it reads "%s"', (seconds, words) =>
  expect(relativeTime(at, at + seconds * 1000)).toBe(words),
)

test('a damaged span is said to the minutes that hold it, with both days where it spans two', () => {
  setTimeZone('UTC')
  const at = (day: number, hour: number, minute: number, second = 0) =>
    Date.UTC(2026, 5, day, hour, minute, second)
  expect(damagedSpan(at(14, 3, 0), at(14, 3, 59, 50))).toBe('14 June 2026, 03:00–04:00')
  expect(damagedSpan(at(14, 23, 0), at(15, 1, 0))).toBe('14 June 2026, 23:00 to 15 June 2026, 01:00')
})

import { beforeAll, expect, test } from 'vitest'
import {
  exactTime,
  fileTime,
  generalTime,
  listTime,
  notificationTime,
  observationTime,
  readTime,
  relativeTime,
  setTimeZone,
  writtenSpan,
  writtenTime,
} from './time.ts'

/** 15 June 2026, 00:04:09 in Karachi: still the day before in UTC. */
const at = Date.UTC(2026, 5, 14, 19, 4, 9)
beforeAll(() => setTimeZone('Asia/Karachi'))

test("the documents' formats, in the server's zone", () => {
  expect(notificationTime(at)).toBe('15-06-2026 12:04 am')
  expect(listTime(at)).toBe('15-Jun-26 12:04 am')
  expect(generalTime(at)).toBe('15/06/2026, 12:04 am')
  expect(observationTime(at)).toBe('15/06/2026 12:04:09 AM')
  expect(observationTime(null)).toBe('N/A')
  expect(fileTime(at)).toBe('20260615-000409')
  expect(notificationTime('2026-06-14T19:04:09Z')).toBe('15-06-2026 12:04 am')
})

test('everywhere else one way, with seconds and zone where it is to be exact', () => {
  expect(writtenTime(at)).toBe('15-06-2026 00:04')
  expect(writtenSpan(at, at + 86_400_000)).toBe('15-06-2026 00:04 to 16-06-2026 00:04')
  expect(exactTime(at)).toBe('15-06-2026 00:04:09 Asia/Karachi')
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

test('a time that names no zone is one of the portal’s, wherever the browser is', () => {
  const four = Date.parse('2026-06-15T04:00+05:00')
  for (const text of [
    '2026-06-15T04:00',
    '2026-06-15T04:00:00.000',
    '2026-06-14T23:00Z',
    '2026-06-15T08:00+0900',
  ])
    expect(readTime(text)).toBe(four)
  expect(readTime('2026-06-15')).toBe(Date.parse('2026-06-15T00:00+05:00'))
  for (const text of ['', 'yesterday', '2026-06-15T25:00']) expect(readTime(text)).toBeNaN()
})

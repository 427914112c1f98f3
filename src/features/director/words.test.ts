import { expect, test } from 'vitest'
import { faultRows } from './fault-rows.ts'
import { leftWords } from './words.ts'

test('what is left is told in at most two units, and never as less than nothing', () => {
  expect([12_000, 245_000, 4_800_000, 90_000_000, 7_200_000, -5].map(leftWords)).toEqual([
    '12 s',
    '4 min 5 s',
    '1 h 20 min',
    '1 d 1 h',
    '2 h',
    '0 s',
  ])
})

test('faults that were begun together are one line; what is over or to come is none', () => {
  const fault = (id: string, imei: string, from = 0, until = 100) => ({
    id,
    imei,
    fault: 'offline' as const,
    from,
    until,
  })
  const rows = faultRows(
    [
      fault('a', '350000000000001'),
      fault('b', '350000000000002'),
      fault('c', '350000000000003', 40),
      fault('over', '350000000000004', 0, 50),
      fault('later', '350000000000005', 60),
    ],
    50,
  )
  expect(rows.map(({ id, imeis }) => [id, imeis.length])).toEqual([
    ['c', 1],
    ['a', 2],
  ])
})

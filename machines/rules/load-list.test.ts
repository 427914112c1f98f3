import { expect, test } from 'vitest'
import { loadLines } from './load-list.ts'

test('a list names its columns in any order, and may leave profile and since out', () => {
  const text =
    'reference;IMEI;Since;Profile\r\nLot 1;350000000000001;2026-06-15 14:05;Medicines\r\n\r\nLot 2;350000000000002;;\r\n'
  expect(loadLines(text, 'Asia/Karachi')).toEqual({
    loads: [
      {
        ...{ line: 2, imei: '350000000000001', reference: 'Lot 1', profile: 'Medicines' },
        since: Date.UTC(2026, 5, 15, 9, 5),
      },
      { line: 4, imei: '350000000000002', reference: 'Lot 2', profile: '', since: null },
    ],
    faults: [],
    lines: 2,
  })
})

test('what is wrong is told by line', () => {
  const text =
    'IMEI,Reference,Since\n12,A,\n350000000000001,B,yesterday\n350000000000001,C,2026-02-31 10:00\n350000000000001,D,2026-06-15T10:00:00+05:00\n'
  const read = loadLines(text, 'UTC')
  if (typeof read === 'string') throw new TypeError(read)
  expect(read.faults.map(({ line }) => line)).toEqual([2, 3, 4])
  expect(read.loads).toMatchObject([{ line: 5, since: Date.UTC(2026, 5, 15, 5) }])
})

test('what is no such list is told as a whole', () => {
  expect(loadLines('a,b\n1,2\n', 'UTC')).toContain('IMEI, Reference')
  expect(loadLines('IMEI,Reference\n"1,2\n', 'UTC')).toContain('quote')
  const long = `IMEI,Reference\n${'350000000000001,A\n'.repeat(10_001)}`
  expect(loadLines(long, 'UTC')).toContain('10000')
})

import { expect, test } from 'vitest'
import { loadLines } from './load-list.ts'

test('a list names its columns in any order, and may leave profile, since and close out', () => {
  const text =
    'reference;IMEI;Since;Profile;close\r\nLot 1;350000000000001;2026-06-15 14:05;Medicines;no\r\n\r\nLot 2;350000000000002;;;YES\r\n'
  expect(loadLines(text, 'Asia/Karachi')).toEqual({
    loads: [
      {
        ...{ line: 2, imei: '350000000000001', reference: 'Lot 1', profile: 'Medicines' },
        since: Date.UTC(2026, 5, 15, 9, 5),
        isOver: false,
      },
      { line: 4, imei: '350000000000002', reference: 'Lot 2', profile: '', since: null, isOver: true },
    ],
    faults: [],
    lines: 2,
  })
})

test('what is wrong is told by line and column', () => {
  const text =
    'IMEI,Reference,Since,Close\n12,A,\n350000000000001,B,yesterday\n350000000000001,C,2026-02-31 10:00\n350000000000001,D,2026-06-15T10:00:00+05:00\n350000000000001,E,,maybe\n'
  const read = loadLines(text, 'UTC')
  if (typeof read === 'string') throw new TypeError(read)
  expect(read.faults.map(({ line, column }) => [line, column])).toEqual([
    [2, 'IMEI'],
    [3, 'Since'],
    [4, 'Since'],
    [6, 'Close'],
  ])
  expect(read.loads).toMatchObject([{ line: 5, since: Date.UTC(2026, 5, 15, 5), isOver: false }])
})

test('what is no such list is told as a whole', () => {
  expect(loadLines('a,b\n1,2\n', 'UTC')).toContain('IMEI, Reference')
  expect(loadLines('IMEI,Reference\n"1,2\n', 'UTC')).toContain('quote')
  const long = `IMEI,Reference\n${'350000000000001,A\n'.repeat(10_001)}`
  expect(loadLines(long, 'UTC')).toContain('10000')
})

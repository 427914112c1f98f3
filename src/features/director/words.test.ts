import { expect, test } from 'vitest'
import { faultRows } from './fault-rows.ts'
import { leftWords, linkWords, networkFaultWords } from './words.ts'

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

test('of the calls that fail the share is told', () => {
  expect(
    [{}, { share: 0.5 }, { share: 0.1 }].map((of) => networkFaultWords({ fault: 'server-errors', ...of })),
  ).toEqual(['Half of the calls fail', 'Half of the calls fail', '10 % of the calls fail'])
})

test('a copied link says what it does not hold, and who alone opens it', () => {
  expect(linkWords({ isShipped: true, isForOthers: true, done: 0 })).toBe('The link to this moment is copied')
  expect(linkWords({ isShipped: false, isForOthers: true, done: 0 })).toBe(
    'The link to this moment is copied; only a server that has the file of this scenario opens it',
  )
  expect(linkWords({ isShipped: false, isForOthers: false, done: 2 })).toBe(
    [
      'The link to this moment is copied',
      'only a server that has the file of this scenario opens it',
      'what was done in the panel is not in it: «Save as scenario» under Done holds that',
      'the name of this server is left out, as others do not reach it by that',
    ].join('; '),
  )
})

const fault = (id: string, imei: string, from = 0, until = 9_000) => ({
  id,
  imei,
  fault: 'offline' as const,
  from,
  until,
})

test('faults that were begun together are one line, and end by what began them; what is over or to come is none', () => {
  const rows = faultRows(
    [
      fault('3f1c-1', '350000000000001'),
      fault('3f1c-2_1', '350000000000002'),
      fault('77ab', '350000000000003', 51),
      fault('script-1', '350000000000006', 10),
      fault('script-2', '350000000000007', 10),
      fault('over', '350000000000004', 0, 51),
      fault('later', '350000000000005', 5_000),
    ],
    [{ id: '3f1c' }, { id: '77ab' }],
    50,
  )
  expect(rows.map(({ imeis, lift }) => [imeis.length, lift])).toEqual([
    [1, ['77ab']],
    [2, ['script-1', 'script-2']],
    [2, ['3f1c']],
  ])
})

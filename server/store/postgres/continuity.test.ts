import { expect, test } from 'vitest'
import { wrongWith } from './continuity.ts'
import type { LogRow } from './copy.ts'

const original = { database: 'd1', epoch: 1 }
const here = { original, requested: 3, head: 3, isBeginning: false }
const rows = (...seqs: number[]): LogRow[] =>
  seqs.map((seq) => ({ seq, recorded_at: 1, bytes: new Uint8Array(0), sum: null }))
const fetched = (change: object) => ({
  ...original,
  head: 6,
  deletedThrough: 0,
  rows: rows(4, 5, 6),
  through: 6,
  ...change,
})

test('what comes next is right, also where some of it came meanwhile', () => {
  expect(wrongWith(fetched({}), here)).toBeUndefined()
  expect(wrongWith(fetched({}), { ...here, head: 5 })).toBeUndefined()
  expect(wrongWith(fetched({}), { ...here, head: 9 })).toBeUndefined()
})

test('another database, another epoch and a lower head are another record', () => {
  expect(wrongWith(fetched({ database: 'd2' }), here)).toMatch(/begun anew/)
  expect(wrongWith(fetched({ epoch: 2 }), here)).toMatch(/begun anew/)
  expect(wrongWith(fetched({ head: 2, rows: [], through: 2 }), here)).toMatch(/lost/)
})

test('a number that is missing is an error, at the front, in the middle and at the end', () => {
  for (const seqs of [
    [5, 6],
    [4, 6],
    [4, 5],
  ])
    expect(() => wrongWith(fetched({ rows: rows(...seqs) }), here)).toThrow(/are missing/)
})

test('deleted batches are missing to who begins, and lost to who was following', () => {
  for (const seqs of [[6], []]) {
    const some = fetched({ rows: rows(...seqs), deletedThrough: seqs.length === 0 ? 6 : 5 })
    expect(wrongWith(some, { ...here, isBeginning: true })).toBeUndefined()
    expect(wrongWith(some, here)).toMatch(/had not seen/)
  }
})

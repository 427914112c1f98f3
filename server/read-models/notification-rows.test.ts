import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type NotificationRow, NotificationRows } from './notification-rows.ts'

const row = (seq: number, at: number): NotificationRow => ({
  ...{ seq, at, since: at, until: 0, no: 0, type: 0, isShown: true },
})

test('rows above a seq are found wherever they were put, in batches of any size and order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 900 }), fc.nat({ max: 4000 })), { minLength: 3, maxLength: 9 }),
      fc.nat({ max: 9000 }),
      (batches, after) => {
        const rows = new NotificationRows()
        let seq = 0
        for (const [count, late] of batches)
          rows.insert(
            Array.from({ length: count }, () => row(++seq, Math.max(0, seq - (seq % 7 === 0 ? late : 0)))),
          )
        const found: number[] = []
        for (let i = rows.nextAfter(after, 0); i < rows.length; i = rows.nextAfter(after, i + 1))
          found.push(rows.seq[i] as number)
        expect(found.toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: Math.max(0, seq - after) }, (_, i) => after + 1 + i),
        )
      },
    ),
  )
})

test('whoever has seen all but the last looks at one block of many', () => {
  const rows = new NotificationRows()
  const count = 100_000
  rows.insert(Array.from({ length: count }, (_, i) => row(i + 1, i)))
  const { seq } = rows
  let looks = 0
  Object.defineProperty(rows, 'seq', {
    get: () => {
      looks++
      return seq
    },
  })
  expect(rows.nextAfter(count - 1, 0)).toBe(count - 1)
  expect(looks).toBeLessThan(count / 50)
})

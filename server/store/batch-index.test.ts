import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Mark, Marks } from './batch-index.ts'

const step = fc.oneof(
  { weight: 9, arbitrary: fc.record({ add: fc.nat(3), later: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ forget: fc.double({ min: 0, max: 1, noNaN: true }) }) },
)

test('marks answer what a list of them does, in room made for more, and after some are forgotten', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1100 }), fc.array(step, { maxLength: 60 }), (before, steps) => {
      const marks = new Marks()
      let list: Mark[] = []
      const rows = { first: 0, end: 0 }
      let seq = 0
      const add = (count: number, later: number): void => {
        seq += later
        rows.end += count
        const mark = { seq, recordedAt: seq * 10, endRow: rows.end }
        marks.add(mark)
        list.push(mark)
      }
      for (let i = 0; i < before; i++) add(1, 1)
      for (const each of steps) {
        if ('add' in each) add(each.add, each.later)
        else {
          rows.first += Math.floor((rows.end - rows.first) * each.forget)
          marks.forget(rows.first)
          list = list.filter(({ endRow }) => endRow > rows.first)
        }
      }
      for (const held of [marks, marks.copy()])
        for (const asked of [0, ...list.slice(-20).flatMap((mark) => [mark.seq - 1, mark.seq]), seq + 1]) {
          const next = list.findIndex((mark) => mark.seq > asked)
          expect(held.firstAfter(asked)).toEqual(list[next])
          const end = next === -1 ? rows.end : next === 0 ? rows.first : list[next - 1]?.endRow
          expect(held.rowsThrough(asked, rows)).toBe(end)
        }
    }),
  )
})

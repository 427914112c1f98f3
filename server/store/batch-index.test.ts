import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BatchIndex, type IndexedBatch } from './batch-index.ts'

const step = fc.oneof(
  { weight: 9, arbitrary: fc.record({ add: fc.nat(3), later: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ forget: fc.double({ min: 0, max: 1, noNaN: true }) }) },
)

test('a batch index answers what a list of them does, in room made for more, and after some are forgotten', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1100 }), fc.array(step, { maxLength: 60 }), (before, steps) => {
      const index = new BatchIndex()
      let list: IndexedBatch[] = []
      const rows = { first: 0, end: 0 }
      let seq = 0
      const add = (count: number, later: number): void => {
        seq += later
        rows.end += count
        const batch = { seq, recordedAt: seq * 10, endRow: rows.end }
        index.add(batch)
        list.push(batch)
      }
      for (let i = 0; i < before; i++) add(1, 1)
      for (const each of steps) {
        if ('add' in each) add(each.add, each.later)
        else {
          rows.first += Math.floor((rows.end - rows.first) * each.forget)
          index.forget(rows.first)
          list = list.filter(({ endRow }) => endRow > rows.first)
        }
      }
      for (const held of [index, index.copy()])
        for (const requested of [
          0,
          ...list.slice(-20).flatMap((batch) => [batch.seq - 1, batch.seq]),
          seq + 1,
        ]) {
          const next = list.findIndex((batch) => batch.seq > requested)
          expect(held.firstAfter(requested)).toEqual(list[next])
          const end = next === -1 ? rows.end : next === 0 ? rows.first : list[next - 1]?.endRow
          expect(held.rowsThrough(requested, rows)).toBe(end)
        }
    }),
  )
})

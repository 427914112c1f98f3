import { expect, test } from 'vitest'
import { pageAt } from './page-at.ts'

test('every page has its turn, the worst every other', () => {
  expect(Array.from({ length: 8 }, (_, turn) => pageAt(turn, 4))).toEqual([0, 1, 0, 2, 0, 3, 0, 1])
  expect([pageAt(7, 1), pageAt(7, 0)]).toEqual([0, 0])
})

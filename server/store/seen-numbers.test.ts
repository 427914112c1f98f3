import { expect, test } from 'vitest'
import { createSeenNumbers } from './seen-numbers.ts'

test('numbers are in it that were added, however far apart', () => {
  const seen = createSeenNumbers()
  for (const seq of [1, 7, 8, 5_000_000]) seen.add(seq)
  expect([0, 1, 2, 7, 8, 9, 5_000_000, 5_000_001, 9e9].filter(seen.has)).toEqual([1, 7, 8, 5_000_000])
})

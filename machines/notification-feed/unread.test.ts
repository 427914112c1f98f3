import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NOTHING_UNREAD, unreadOf, withHeard, withLiveFrom, withSeen } from './unread.ts'

test('what was marked read stays read, in whatever order windows say how far they are', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30), { minLength: 1 }), (positions) => {
      let unread = withLiveFrom(NOTHING_UNREAD, 0)
      for (let seq = 1; seq <= 30; seq++) unread = withHeard(unread, seq)
      let furthest = 0
      for (const upTo of positions) {
        unread = withSeen(unread, upTo)
        furthest = Math.max(furthest, upTo)
        expect(unread.seenTo).toBe(furthest)
        expect(unreadOf(unread)).toBe(30 - furthest)
      }
    }),
  )
})

test('one that comes again from before the position is not counted', () => {
  const seen = withSeen(withSeen(withLiveFrom(NOTHING_UNREAD, 0), 20), 10)
  expect(unreadOf(withHeard(seen, 15))).toBe(0)
  expect(unreadOf(withHeard(seen, 21))).toBe(1)
})

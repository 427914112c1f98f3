import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SHARE_MAX_MS } from '#machines/contracts/entities/shares.ts'
import { proofSpan } from './proof-span.ts'

const MINUTE = 60_000
const NOW = Date.UTC(2026, 5, 15, 5)
const ago = (minutes: number): number => NOW - minutes * MINUTE

test('what is over has as much around it as it lasted', () => {
  expect(proofSpan({ from: ago(300), to: ago(200) }, NOW)).toEqual({ from: ago(400), to: ago(100) })
})

test('what was short has half an hour around it, what lasts ends now', () => {
  expect(proofSpan({ from: ago(5), to: undefined }, NOW)).toEqual({ from: ago(35), to: NOW })
})

test('a proof is never of what is to come, nor longer than one link shows, and ends with what it proves', () => {
  const month = 60 * 24 * 60
  const minutes = fc.integer({ min: 0, max: 3 * month })
  fc.assert(
    fc.property(minutes, minutes, fc.boolean(), (a, b, isOver) => {
      const began = ago(Math.max(a, b))
      const ended = isOver ? ago(Math.min(a, b)) : undefined
      const span = proofSpan({ from: began, to: ended }, NOW)
      expect(span.to).toBeLessThanOrEqual(NOW)
      expect(span.to).toBeGreaterThanOrEqual(ended ?? NOW)
      expect(span.to - span.from).toBeLessThanOrEqual(SHARE_MAX_MS)
      expect(span.to).toBeGreaterThan(span.from)
    }),
  )
})

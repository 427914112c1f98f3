import fc from 'fast-check'
import { expect, test } from 'vitest'
import { historyAddress } from './history-address.ts'

test('the span and the compared devices that were written are read', () => {
  const states = fc.record({
    preset: fc.constantFrom('hour', 'day', 'night', 'week'),
    range: fc.option(
      fc.tuple(fc.nat(4e12), fc.nat(2_000_000_000)).map(([from, ms]) => ({ from, to: from + ms })),
    ),
    compared: fc.uniqueArray(fc.stringMatching(/^\d{15}$/), { maxLength: 3 }),
  })
  fc.assert(
    fc.property(states, (state) => {
      expect(historyAddress.read(historyAddress.write(state))).toEqual(state)
    }),
  )
})

test('a span of years is not asked for, day by day', () => {
  expect(historyAddress.read('date=2016-01-01T00:00:00Z..2026-01-01T00:00:00Z').range).toBeNull()
})

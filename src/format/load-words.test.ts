import { expect, test } from 'vitest'
import { spellOfLoad } from './load-words.ts'

const spell = { from: '2026-06-15T04:00:00.000Z', to: '2026-06-15T05:32:00.000Z', minutes: 92 }

test('how far a load was beyond a limit is never said as the limit itself', () => {
  const [above, below] = [
    { ...spell, side: 'above' as const, limit: 8, worst: 12.43 },
    { ...spell, side: 'below' as const, limit: 2, worst: 1.99 },
  ]
  expect(spellOfLoad(above)).toBe('Above 8.0 °C for 1 h 32, up to 12.4 °C')
  expect(spellOfLoad(below)).toBe('Below 2.0 °C for 1 h 32, down to 1.99 °C')
})

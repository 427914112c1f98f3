import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEEPEST } from '#machines/contracts/decode.ts'
import { isDeep } from './bodies.ts'

const levelsOf = (value: unknown): number =>
  value !== null && typeof value === 'object' ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0

test('a JSON text is deep where what it says is, whatever brackets and quotes its words have', () => {
  const words = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('[', ']', '{', '}', '"', '\\') }))
  const levels = fc.array(fc.tuple(fc.boolean(), words), { maxLength: 2 * DEEPEST })
  fc.assert(
    fc.property(words, levels, fc.boolean(), (word, around, isSpaced) => {
      const value = around.reduce<unknown>(
        (held, [isList, text]) => (isList ? [text, held, text] : { [text]: held, a: text }),
        word,
      )
      const json = new TextEncoder().encode(JSON.stringify(value, null, isSpaced ? 1 : undefined))
      expect(isDeep(json)).toBe(levelsOf(value) > DEEPEST)
    }),
  )
})

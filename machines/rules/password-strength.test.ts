import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPassword } from './password.ts'
import { strengthOf } from './password-strength.ts'

test.each([
  ['', 'none'],
  ['short', 'refused'],
  ['Passw0rd', 'refused'],
  ['Aaaaaaa1!', 'fair'],
  ['Abcdefg1!', 'fair'],
  ['Tr0ub4d&r', 'fair'],
  ['Fr0st#line24', 'good'],
  ['v8#Kq!2zRw@9Lm', 'strong'],
] as const)('%j is %s', (password, strength) => expect(strengthOf(password)).toBe(strength))

test('never calls refused what the rule allows, nor allowed what it refuses', () => {
  const some = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.stringMatching(/^[A-Z][a-z]{3,9}[0-9][!#&]$/),
  )
  fc.assert(
    fc.property(some, (password) => {
      const isAllowed = ['fair', 'good', 'strong'].includes(strengthOf(password))
      expect(isAllowed).toBe(isPassword(password))
    }),
  )
})

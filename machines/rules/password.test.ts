import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText } from '../testing/any-text.ts'
import { isPassword, type PasswordFault, passwordFaults } from './password.ts'

const upper = fc.constantFrom(...'ABCXYZÄÉ')
const lower = fc.constantFrom(...'abcxyzäé')
const digit = fc.constantFrom(...'0123456789')
const symbol = fc.constantFrom(...'!#$%&*()-_=+[]{}|;:,.<>?/~^@"\'\\`€')

/** One of each kind, then whatever of these up to the length wanted, in any order. */
const passwordOf = (length: { min: number; max: number }, ...kinds: fc.Arbitrary<string>[]) =>
  fc
    .tuple(
      fc.tuple(...kinds),
      fc.array(fc.oneof(...kinds), {
        minLength: length.min - kinds.length,
        maxLength: length.max - kinds.length,
      }),
      fc.integer(),
    )
    .map(([each, more, turn]) => {
      const all = [...each, ...more]
      const at = Math.abs(turn) % all.length
      return [...all.slice(at), ...all.slice(0, at)].join('')
    })
const right = passwordOf({ min: 8, max: 16 }, upper, lower, digit, symbol)

describe('a password', () => {
  test('of 8 to 16 characters with one of each kind may be set', () => {
    fc.assert(fc.property(right, (password) => void expect(passwordFaults(password)).toEqual([])))
  })

  test.each<[PasswordFault, fc.Arbitrary<string>]>([
    ['uppercase', passwordOf({ min: 8, max: 16 }, lower, digit, symbol)],
    ['lowercase', passwordOf({ min: 8, max: 16 }, upper, digit, symbol)],
    ['digit', passwordOf({ min: 8, max: 16 }, upper, lower, symbol)],
    ['symbol', passwordOf({ min: 8, max: 16 }, upper, lower, digit)],
    ['length', passwordOf({ min: 4, max: 7 }, upper, lower, digit, symbol)],
    ['length', passwordOf({ min: 17, max: 40 }, upper, lower, digit, symbol)],
  ])('that lacks %s and nothing else is told so', (fault, passwords) => {
    fc.assert(fc.property(passwords, (password) => void expect(passwordFaults(password)).toEqual([fault])))
  })

  test('with a space anywhere, of any kind, is refused', () => {
    const space = fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u2003')
    fc.assert(
      fc.property(
        passwordOf({ min: 8, max: 15 }, upper, lower, digit, symbol),
        space,
        fc.nat(15),
        (p, s, at) => {
          expect(passwordFaults(p.slice(0, at) + s + p.slice(at))).toEqual(['space'])
        },
      ),
    )
  })

  test.each(['Passw0rd', 'Password123'])('%s is known to everybody', (password) => {
    expect(passwordFaults(password)).toContain('known')
    expect(isPassword(password)).toBe(false)
  })

  test('of the demo world may be set', () => {
    expect(isPassword('Fr0st#line24')).toBe(true)
  })

  test('whatever it is, is checked without an error', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), (text) => {
        expect(isPassword(text)).toBe(passwordFaults(text).length === 0)
      }),
    )
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Coverage } from '../contracts/calls/lab-calls.ts'
import { decode } from '../contracts/decode.ts'
import { counted, merged, shareOf, statesIn } from './coverage.ts'

/** Names that trip up objects among them. */
const name = fc.oneof(
  fc.constantFrom('idle', 'toString', 'constructor', 'a: go → b'),
  fc.string({ minLength: 1 }),
)
const counts = fc.dictionary(
  name.filter((one) => one !== '__proto__'),
  fc.integer({ min: 1, max: 1000 }),
)
const coverage = fc.dictionary(
  name.filter((one) => one !== '__proto__'),
  fc.record({ states: counts, transitions: counts }),
)
const plain = (value: Coverage) => JSON.parse(JSON.stringify(value))

test('it makes no difference in which order windows and tests are put together', () => {
  fc.assert(
    fc.property(coverage, coverage, coverage, (a, b, c) => {
      expect(plain(merged(a, b))).toEqual(plain(merged(b, a)))
      expect(plain(merged(merged(a, b), c))).toEqual(plain(merged(a, merged(b, c))))
      expect(plain(merged(a, {}))).toEqual(plain(a))
    }),
  )
})

test('putting together loses nothing, changes neither part, and is what the wire takes', () => {
  fc.assert(
    fc.property(coverage, coverage, (a, b) => {
      const before = plain(a)
      const both = merged(a, b)
      expect(plain(a)).toEqual(before)
      expect(plain(decode(plain(both), Coverage))).toEqual(plain(both))
      for (const part of [a, b])
        for (const [machine, { transitions }] of Object.entries(part))
          for (const [one, count] of Object.entries(transitions))
            expect(both[machine]?.transitions[one]).toBeGreaterThanOrEqual(count)
    }),
  )
})

test('a step counts each of what it did once', () => {
  const twice = merged(counted('link', ['online'], ['a', 'b']), counted('link', ['online'], ['b']))
  expect(twice).toEqual({ link: { states: { online: 2 }, transitions: { a: 1, b: 2 } } })
})

test('what is no longer in the chart covers nothing, and what nobody took is missing', () => {
  expect(shareOf(['a', 'b', 'toString'], { b: 3, gone: 1 })).toEqual({
    covered: 1,
    of: 3,
    missing: ['a', 'toString'],
  })
  expect(shareOf(['a'], undefined)).toEqual({ covered: 0, of: 1, missing: ['a'] })
})

test('a machine is in each state its value names', () => {
  expect(statesIn('idle')).toEqual(['idle'])
  expect(statesIn({ a: { b: 'c' }, d: {} })).toEqual(['a', 'a.b', 'a.b.c', 'd'])
})

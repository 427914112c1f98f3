import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAttempts } from './attempts.ts'

const MINUTE = 60_000

test('five wrong passwords are free, then the wait doubles, until they are five minutes old', () => {
  let now = 0
  const attempts = createAttempts(() => now)
  for (let i = 0; i < 5; i++) expect(attempts.begin('ayesha', `address-${i}`)).toBe(0)
  const waits: number[] = []
  for (let i = 5; i < 10; i++) {
    const wait = attempts.begin('ayesha', `address-${i}`)
    waits.push(wait)
    now += wait
    expect(attempts.begin('ayesha', `address-${i}`)).toBe(0)
  }
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 80_000])
  now += 5 * MINUTE
  expect(attempts.begin('ayesha', 'address-10')).toBe(0)
})

test('one address has ten failures a minute, whichever accounts it tries', () => {
  let now = 0
  const attempts = createAttempts(() => now)
  for (let i = 0; i < 10; i++) {
    expect(attempts.begin(`account-${i}`, '10.0.0.1')).toBe(0)
    now += 1000
  }
  expect(attempts.begin('account-10', '10.0.0.1')).toBe(MINUTE - 10_000)
  expect(attempts.begin('account-10', '10.0.0.2')).toBe(0)
  now = MINUTE
  expect(attempts.begin('account-11', '10.0.0.1')).toBe(0)
})

test('right passwords are never counted, however many', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 200 }), (accounts) => {
      const attempts = createAttempts(() => 0)
      for (const account of accounts) {
        expect(attempts.begin(`a${account}`, 'office')).toBe(0)
        attempts.succeeded(`a${account}`, 'office')
      }
    }),
  )
})

test('a refused attempt does not prolong the wait', () => {
  let now = 0
  const attempts = createAttempts(() => now)
  for (let i = 0; i < 5; i++) attempts.begin('ayesha', `${i}`)
  now = 3000
  expect(attempts.begin('ayesha', 'x')).toBe(2000)
  expect(attempts.begin('ayesha', 'x')).toBe(2000)
})

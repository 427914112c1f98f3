import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differing, type Fields, firstChoice, merged, sameValue } from './merge.ts'

const things = fc.uniqueArray(fc.constantFrom('1', '2', '3', '4', '5', '6'))
const version: fc.Arbitrary<Fields> = fc.record({
  name: fc.constantFrom('North', 'South', 'East'),
  low: fc.integer({ min: 0, max: 2 }),
  things,
})

test('the order of a list says nothing', () => {
  expect(sameValue(['1', '2'], ['2', '1'])).toBe(true)
  expect(sameValue(['1', '2'], ['1', '3'])).toBe(false)
  expect(sameValue(0, '')).toBe(false)
  expect(sameValue(Number.NaN, Number.NaN)).toBe(true)
})

test('what only one of the two touched is kept of both', () => {
  const base = { name: 'North', low: 0, things: ['1'] }
  const mine = { ...base, low: 2 }
  const theirs = { ...base, name: 'South' }
  expect(merged(base, mine, theirs, firstChoice(base, mine, theirs))).toEqual({
    ...base,
    name: 'South',
    low: 2,
  })
})

test('no device that either added is lost, none that either took away comes back', () => {
  fc.assert(
    fc.property(things, things, things, (base, mine, theirs) => {
      const choice = { things: 'mine' as const }
      const { things: kept } = merged({ things: base }, { things: mine }, { things: theirs }, choice)
      const has = (list: unknown, one: string) => (list as string[]).includes(one)
      for (const one of ['1', '2', '3', '4', '5', '6']) {
        const untouched = has(base, one) === has(mine, one)
        expect(has(kept, one)).toBe(untouched ? has(theirs, one) : has(mine, one))
      }
      expect(new Set(kept as string[]).size).toBe((kept as string[]).length)
    }),
  )
})

test('theirs everywhere is theirs; a field is chosen for exactly where the two differ', () => {
  fc.assert(
    fc.property(version, version, version, (base, mine, theirs) => {
      const choice = firstChoice(base, mine, theirs)
      expect(Object.keys(choice).toSorted()).toEqual(differing(mine, theirs).toSorted())
      expect(merged(base, mine, theirs, {})).toEqual(theirs)
      const again = merged(base, mine, theirs, choice)
      for (const field of differing(mine, base))
        if (field !== 'things') expect(again[field]).toBe(mine[field])
    }),
  )
})

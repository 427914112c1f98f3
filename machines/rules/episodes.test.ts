import { expect, test } from 'vitest'
import { matchSpells, type Spell } from './episodes.ts'

const spell = (since: number, clearedAt: number | null, type = 'hot'): Spell => ({ type, since, clearedAt })

test('what overlaps stays, of several the earliest; the rest never was', () => {
  const [early, late, other] = [spell(10, 20), spell(30, 40), spell(90, 95)]
  const one = spell(5, 50)
  expect(matchSpells([late, other, early], [one])).toEqual({
    kept: [[early, one]],
    gone: [late, other],
    found: [],
  })
})

test('what became several stays the earliest of them; the others are found', () => {
  const old = spell(10, null)
  const [first, second] = [spell(10, 20), spell(40, null)]
  expect(matchSpells([old], [second, first])).toEqual({ kept: [[old, first]], gone: [], found: [second] })
})

test('another kind is another spell, and one that ended before is too', () => {
  const old = [spell(10, 20, 'cold'), spell(10, 14)]
  const known = spell(15, 20)
  expect(matchSpells(old, [known])).toEqual({ kept: [], gone: old, found: [known] })
})

import { expect, test } from 'vitest'
import { findIn, isPicked, toggled } from './options.ts'

const find = findIn([
  { id: 'a', text: 'LHR-CHL-001', detail: 'LEA-4817' },
  { id: 'b', text: 'Lahore Chill Store 01' },
])
const ids = (query: string) => {
  const found = find(query)
  return Array.from({ length: found.length }, (_, i) => found.at(i).id)
}

test('every word typed must stand in the text or its detail, in any case', () => {
  expect(ids('')).toEqual(['a', 'b'])
  expect(ids('lea chl')).toEqual(['a'])
  expect(ids('STORE lahore')).toEqual(['b'])
  expect(ids('store lea')).toEqual([])
})

test('from all, picking one means that one alone; then it is turned over', () => {
  expect(isPicked('all', 'a')).toBe(true)
  const one = toggled('all', 'a')
  expect(one).toEqual(new Set(['a']))
  expect(toggled(one, 'b')).toEqual(new Set(['a', 'b']))
  expect(toggled(one, 'a')).toEqual(new Set())
})

import { expect, test } from 'vitest'
import { isSame } from './is-same.ts'

test.each([
  ['records in records', { at: 1, place: { lat: 2 } }, { at: 1, place: { lat: 2 } }, true],
  ['another value in a record in it', { place: { lat: 2 } }, { place: { lat: 3 } }, false],
  ['a record where nothing was', { place: null }, { place: { lat: 2 } }, false],
  ['something more', { at: 1 }, { at: 1, late: true }, false],
  ['something else in its place', { at: undefined }, { late: undefined }, false],
  ['another function', { press: () => {} }, { press: () => {} }, false],
])('%s', (_what, a, b, is) => {
  expect(isSame(a, b)).toBe(is)
  expect(isSame(b, a)).toBe(is)
})

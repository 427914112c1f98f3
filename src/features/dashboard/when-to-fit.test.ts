import { expect, test } from 'vitest'
import { whenToFit } from './when-to-fit.ts'

test('the map waits for a pause in typing', () => {
  expect(whenToFit('k', '', false)).toBe('in a pause')
  expect(whenToFit('khi', 'kh', false)).toBe('in a pause')
})

test('it goes at once where the search is emptied, or something is picked beside it', () => {
  expect(whenToFit('', 'khi', false)).toBe('now')
  expect(whenToFit('khi', 'khi', false)).toBe('now')
  expect(whenToFit('', '', false)).toBe('now')
})

test('it stays with the device it goes along with', () => {
  expect(whenToFit('khi', 'kh', true)).toBe('never')
  expect(whenToFit('', 'khi', true)).toBe('never')
})

import { expect, test } from 'vitest'
import { isHere, isUnfoldedAt, places, sections } from './places.ts'

const unfolded = (depthLevel: number) => sections.filter((section) => isUnfoldedAt(depthLevel, section))

test('how deep the own group is decides what stands open in the sidebar at first', () => {
  expect(unfolded(1)).toEqual(['Reports', 'Visualization', 'Settings'])
  expect(unfolded(2)).toEqual(['Reports', 'Visualization'])
  expect(unfolded(3)).toEqual([])
})

test('a page below a place belongs to it, one beside it does not', () => {
  const groups = places.find(({ path }) => path === '/groups') ?? { path: '', title: '' }
  expect(isHere(groups, '/groups/north/update')).toBe(true)
  expect(isHere(groups, '/groupsy')).toBe(false)
})

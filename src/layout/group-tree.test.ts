import { expect, test } from 'vitest'
import { plainGroup } from '../read-model/testing/make-fleet.ts'
import { groupOptions, groupTree } from './group-tree.ts'

const groups = [
  plainGroup('top'),
  plainGroup('sindh', 'top'),
  plainGroup('punjab', 'top'),
  plainGroup('lahore', 'punjab'),
]

test('groups stand below their parents, by name, and tell those above', () => {
  expect(groupOptions(groupTree(groups)).map(({ text }) => text)).toEqual([
    'top',
    'punjab',
    'punjab › lahore',
    'sindh',
  ])
})

test('a group whose parent is out of scope stands at the top', () => {
  expect(groupTree([plainGroup('lahore', 'punjab')]).map(({ id }) => id)).toEqual(['lahore'])
})

import { expect, test } from 'vitest'
import { createFleet } from '../read-model/fleet.ts'
import { plainDevice, plainGroup, snapshotOf } from '../read-model/testing/make-fleet.ts'
import { groupOptions, groupTree, tickTree } from './group-tree.ts'

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

test('a group that no device is directly in is as those below it are', () => {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, [plainDevice(1, { group: 3 }), plainDevice(2, { group: 0 })], groups))
  const [top] = tickTree(fleet)
  expect(top?.isBare).toBeUndefined()
  expect(top?.children).toMatchObject([
    { id: 'punjab', isBare: true },
    { id: 'sindh', isBare: true },
  ])
})

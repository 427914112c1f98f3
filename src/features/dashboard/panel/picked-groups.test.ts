import { expect, test } from 'vitest'
import { plainGroup } from '../../../read-model/testing/make-fleet.ts'
import { pickedGroups, tickedGroups } from './picked-groups.ts'

const groups = [plainGroup('top'), plainGroup('sindh', 'top'), plainGroup('lahore', 'sindh')]

test('every group ticked is all of them, those to come included', () => {
  expect(pickedGroups(tickedGroups('all', groups), groups)).toBe('all')
  expect(pickedGroups(new Set(['lahore']), groups)).toEqual(new Set(['lahore']))
})

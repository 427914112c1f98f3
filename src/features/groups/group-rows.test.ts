import { expect, test } from 'vitest'
import { groupOf } from '../../layout/testing/group-of.ts'
import { everyGroup, firstExpanded, groupRows } from './group-rows.ts'

const tree = [
  groupOf('top', {
    name: 'Indus',
    child: [
      groupOf('south', { name: 'South', child: [groupOf('karachi', { name: 'Karachi' })] }),
      groupOf('n10', { name: 'North 10' }),
      groupOf('n2', { name: 'North 2', description: 'behind the river' }),
    ],
  }),
]
const ids = (rows: ReturnType<typeof groupRows>) => rows.map(({ group }) => group._id)

test('siblings go by name, figures by value; only what is expanded shows its children', () => {
  expect(ids(groupRows(tree, new Set(), ''))).toEqual(['top'])
  expect(ids(groupRows(tree, new Set(['top']), ''))).toEqual(['top', 'n2', 'n10', 'south'])
  expect(ids(groupRows(tree, new Set(['top', 'south']), ''))).toEqual([
    'top',
    'n2',
    'n10',
    'south',
    'karachi',
  ])
})

test('a row knows its level, its place and whom it is below', () => {
  const rows = groupRows(tree, new Set(['top', 'south']), '')
  expect(rows.at(-1)).toMatchObject({ level: 3, above: 'south', place: 1, siblings: 1, hasChildren: false })
  expect(rows[3]).toMatchObject({ level: 2, above: 'top', place: 3, siblings: 3, isExpanded: true })
})

test('a search shows what it finds with the way to it, whatever is folded', () => {
  expect(ids(groupRows(tree, new Set(), 'karachi'))).toEqual(['top', 'south', 'karachi'])
  expect(ids(groupRows(tree, new Set(), 'RIVER behind'))).toEqual(['top', 'n2'])
  expect(ids(groupRows(tree, new Set(), 'nowhere'))).toEqual([])
})

test('a few stand open at first, of many only the top', () => {
  expect(firstExpanded(tree)).toEqual(new Set(['top', 'south', 'karachi', 'n10', 'n2']))
  const many = [groupOf('top', { child: Array.from({ length: 40 }, (_, i) => groupOf(`g${i}`)) })]
  expect(firstExpanded(many)).toEqual(new Set(['top']))
  expect(everyGroup(many)).toHaveLength(41)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idsBelow, matchingNodes, type TreeNode, tickedOf, withToggled } from './tree-selection.ts'

const leaf = (id: string): TreeNode => ({ id, text: id, children: [] })
const tree: TreeNode[] = [
  {
    id: 'top',
    text: 'Indus',
    children: [{ id: 'punjab', text: 'Punjab', children: [leaf('lahore'), leaf('multan')] }, leaf('sindh')],
  },
]
const top = tree[0] as TreeNode
const ids = idsBelow(top)
const picks = fc.subarray(ids).map((picked) => new Set(picked))

test('ticking a group ticks all below it', () => {
  expect([...withToggled(tree, new Set(), 'punjab')].sort()).toEqual(['lahore', 'multan', 'punjab'])
})

test('the last child ticked ticks the group, a child let go leaves a dash', () => {
  const all = withToggled(tree, new Set(['lahore', 'multan', 'punjab']), 'sindh')
  expect(tickedOf(top, all)).toBe('all')
  expect(tickedOf(top, withToggled(tree, all, 'lahore'))).toBe('some')
})

test('turning a node over makes it whole, or empty if it was whole', () => {
  fc.assert(
    fc.property(picks, fc.constantFrom(...ids), (picked, id) => {
      const node = [top, ...top.children, ...top.children.flatMap((one) => one.children)].find(
        (one) => one.id === id,
      ) as TreeNode
      const was = tickedOf(node, picked)
      expect(tickedOf(node, withToggled(tree, picked, id))).toBe(was === 'all' ? 'none' : 'all')
    }),
  )
})

test('nothing outside the branch and the way to it changes', () => {
  fc.assert(
    fc.property(picks, (picked) => {
      const after = withToggled(tree, picked, 'lahore')
      for (const id of ['multan', 'sindh']) expect(after.has(id)).toBe(picked.has(id))
    }),
  )
})

test('a search keeps the way to what it finds', () => {
  expect(matchingNodes(tree, 'LAH')).toMatchObject([
    { id: 'top', children: [{ id: 'punjab', children: [{ id: 'lahore' }] }] },
  ])
  expect(matchingNodes(tree, 'zzz')).toEqual([])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idsBelow, matchingNodes, type TreeNode, tickedOf, withBare, withToggled } from './tree-selection.ts'

const leaf = (id: string): TreeNode => ({ id, text: id, children: [] })
const tree: TreeNode[] = [
  {
    id: 'top',
    text: 'Indus',
    children: [{ id: 'punjab', text: 'Punjab', children: [leaf('lahore'), leaf('multan')] }, leaf('sindh')],
  },
]
const top = tree[0] as TreeNode
const nodes = [top, ...top.children, ...top.children.flatMap((one) => one.children)]
const named = (id: string) => nodes.find((one) => one.id === id) as TreeNode
const picks = fc.subarray(nodes).map((some) => new Set(some.map(({ id }) => id)))

test('ticking a group ticks all below it', () => {
  expect([...withToggled(named('punjab'), new Set())].sort()).toEqual(['lahore', 'multan', 'punjab'])
})

test('ticking all below a group leaves what is directly in it out', () => {
  const children = withToggled(named('multan'), new Set(['lahore']))
  expect(children).toEqual(new Set(['lahore', 'multan']))
  expect(tickedOf(named('punjab'), children)).toBe('some')
})

test('turning a node over makes it whole, or empty if it was whole', () => {
  fc.assert(
    fc.property(picks, fc.constantFrom(...nodes), (picked, node) => {
      const was = tickedOf(node, picked)
      expect(tickedOf(node, withToggled(node, picked))).toBe(was === 'all' ? 'none' : 'all')
    }),
  )
})

test('nothing outside the branch changes', () => {
  fc.assert(
    fc.property(picks, fc.constantFrom(...nodes), (picked, node) => {
      const after = withToggled(node, picked)
      for (const id of idsBelow(node)) after.delete(id)
      expect(after).toEqual(picked.difference(new Set(idsBelow(node))))
    }),
  )
})

test('a search keeps the way to what it finds', () => {
  expect(matchingNodes(tree, 'LAH')).toMatchObject([
    { id: 'top', children: [{ id: 'punjab', children: [{ id: 'lahore' }] }] },
  ])
  expect(matchingNodes(tree, 'zzz')).toEqual([])
})

test('a group that holds nothing itself is ticked exactly where all below it is', () => {
  const punjab = { ...named('punjab'), isBare: true }
  const bare: TreeNode[] = [{ ...top, isBare: true, children: [punjab, leaf('sindh')] }]
  expect(tickedOf(punjab, new Set(['lahore', 'multan']))).toBe('all')
  expect(tickedOf(punjab, new Set(['punjab']))).toBe('none')
  expect(withBare(bare, new Set(['lahore', 'multan']))).toEqual(new Set(['lahore', 'multan', 'punjab']))
  expect(withBare(bare, new Set(['lahore', 'punjab', 'top']))).toEqual(new Set(['lahore']))
  expect(withBare(bare, new Set(['lahore', 'multan', 'sindh'])).size).toBe(5)
})

import type { Ticked } from './tick.tsx'

/** A thing with things below it. */
export type TreeNode = { id: string; text: string; detail?: string; children: readonly TreeNode[] }

/** Ids of a node and of all below it. */
export function idsBelow(node: TreeNode): string[] {
  return [node.id, ...node.children.flatMap(idsBelow)]
}

/** Whether a node and all below it are picked, some of them, or none. */
export function tickedOf(node: TreeNode, picked: ReadonlySet<string>): Ticked {
  const ids = idsBelow(node)
  const count = ids.filter((id) => picked.has(id)).length
  return count === 0 ? 'none' : count === ids.length ? 'all' : 'some'
}

/**
 * Turns a node over with all below it: whatever is not wholly picked becomes so. A node above is picked with the last
 * of its children; it stays picked when one of them is let go, since it stands for what is directly in it.
 */
export function withToggled(
  roots: readonly TreeNode[],
  picked: ReadonlySet<string>,
  id: string,
): Set<string> {
  const way = wayTo(roots, id)
  const node = way.at(-1)
  const next = new Set(picked)
  if (node === undefined) return next
  if (tickedOf(node, picked) === 'all') {
    for (const one of idsBelow(node)) next.delete(one)
    return next
  }
  for (const one of idsBelow(node)) next.add(one)
  for (const above of way.slice(0, -1).reverse())
    if (above.children.every((child) => tickedOf(child, next) === 'all')) next.add(above.id)
  return next
}

/** Nodes whose text holds the query, with those above them; all where it is empty. */
export function matchingNodes(roots: readonly TreeNode[], query: string): TreeNode[] {
  const text = query.trim().toLowerCase()
  if (text === '') return [...roots]
  return roots.flatMap((node) => {
    if (node.text.toLowerCase().includes(text)) return [node]
    const children = matchingNodes(node.children, query)
    return children.length === 0 ? [] : [{ ...node, children }]
  })
}

function wayTo(nodes: readonly TreeNode[], id: string): TreeNode[] {
  for (const node of nodes) {
    if (node.id === id) return [node]
    const below = wayTo(node.children, id)
    if (below.length > 0) return [node, ...below]
  }
  return []
}

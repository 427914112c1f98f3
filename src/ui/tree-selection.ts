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

/** Turns a node over with all below it: whatever is not wholly picked becomes so. Those above stay as they are. */
export function withToggled(node: TreeNode, picked: ReadonlySet<string>): Set<string> {
  const ids = new Set(idsBelow(node))
  return tickedOf(node, picked) === 'all' ? picked.difference(ids) : picked.union(ids)
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

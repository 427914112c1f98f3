import type { Ticked } from './tick.tsx'

/** A thing with things below it. */
export type TreeNode = {
  id: string
  text: string
  detail?: string
  children: readonly TreeNode[]
  /** holds nothing but what is below it, and so is ticked when all of that is */
  isBare?: boolean
}

/** Ids of a node and of all below it. */
export function idsBelow(node: TreeNode): string[] {
  return [node.id, ...node.children.flatMap(idsBelow)]
}

/** Whether a node and all below it are picked, some of them, or none. */
export function tickedOf(node: TreeNode, picked: ReadonlySet<string>): Ticked {
  const ids = heldIn(node)
  const count = ids.filter((id) => picked.has(id)).length
  return count === 0 ? 'none' : count === ids.length ? 'all' : 'some'
}

/** Ids below a node, and its own unless it is bare. */
function heldIn({ id, children, isBare }: TreeNode): string[] {
  const below = children.flatMap(heldIn)
  return isBare && below.length > 0 ? below : [id, ...below]
}

/** What is picked, with each bare node exactly where all below it is. */
export function withBare(roots: readonly TreeNode[], picked: ReadonlySet<string>): Set<string> {
  const next = new Set(picked)
  for (const node of roots.flatMap(bareNodes))
    if (tickedOf(node, picked) === 'all') next.add(node.id)
    else next.delete(node.id)
  return next
}

const bareNodes = (node: TreeNode): TreeNode[] => [
  ...(node.isBare && node.children.length > 0 ? [node] : []),
  ...node.children.flatMap(bareNodes),
]

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

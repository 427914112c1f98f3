import type { FleetGroup } from '#machines/contracts/fleet-snapshot.ts'
import type { Fleet } from '../read-model/fleet.ts'
import type { TreeNode } from '../ui/tree-selection.ts'

/** The visitor's groups as a tree, by name. A group whose parent is out of scope stands at the top. */
export function groupTree(groups: readonly FleetGroup[], isBare?: (id: string) => boolean): TreeNode[] {
  const ids = new Set(groups.map(({ _id }) => _id))
  const below = new Map<string | null, FleetGroup[]>()
  for (const group of groups) {
    const parent = group.parentId !== null && ids.has(group.parentId) ? group.parentId : null
    below.set(parent, [...(below.get(parent) ?? []), group])
  }
  const nodesOf = (parent: string | null): TreeNode[] =>
    (below.get(parent) ?? [])
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
      .map(({ _id, name }) => ({
        id: _id,
        text: name,
        children: nodesOf(_id),
        ...(isBare?.(_id) && { isBare: true }),
      }))
  return nodesOf(null)
}

/** The same to tick some of: a group that no device is directly in is as those below it are. */
export function tickTree({ groups, columns }: Pick<Fleet, 'groups' | 'columns'>): TreeNode[] {
  const filled = new Set(columns.group.subarray(0, columns.size))
  return groupTree(groups.list, (id) => !filled.has(groups.indexOf(id)))
}

/** Groups to choose one of, each told with those above it but the topmost: 'Sindh › Karachi › Karachi Frozen Fleet'. */
export function groupOptions(
  nodes: readonly TreeNode[],
  above: readonly string[] = [],
): { id: string; text: string }[] {
  return nodes.flatMap(({ id, text, children }) => {
    const way = [...above, text]
    return [{ id, text: way.length === 1 ? text : way.slice(1).join(' › ') }, ...groupOptions(children, way)]
  })
}

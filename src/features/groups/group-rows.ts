import type { Group } from '#machines/contracts/entities/groups.ts'

/** One line of the table. */
export type GroupRow = {
  group: Group
  /** 1 is the top */
  level: number
  /** id of the group above on screen; null at the top */
  above: string | null
  /** its place among those of the same group above, from 1, and how many they are */
  place: number
  siblings: number
  hasChildren: boolean
  isExpanded: boolean
}

/** Up to so many groups, all of them stand open at first. */
const FEW = 30

/** What stands open at first: everything where there are few, otherwise the top group alone. */
export function firstExpanded(groups: readonly Group[]): ReadonlySet<string> {
  const all = everyGroup(groups)
  return new Set((all.length <= FEW ? all : groups).map(({ _id }) => _id))
}

/** The lines to show: what is expanded; with a query, what it finds with all above, expanded. Siblings go by `order`, then by name. */
export function groupRows(
  groups: readonly Group[],
  expanded: ReadonlySet<string>,
  query: string,
  order: (a: Group, b: Group) => number = byName,
): GroupRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const found = words.length === 0 ? undefined : idsFound(groups, words)
  const rows: GroupRow[] = []
  function add(list: readonly Group[], level: number, above: string | null): void {
    const shown = found === undefined ? list : list.filter(({ _id }) => found.has(_id))
    shown
      .toSorted((a, b) => order(a, b) || byName(a, b))
      .forEach((group, index) => {
        const below = found === undefined ? group.child : group.child.filter(({ _id }) => found.has(_id))
        const hasChildren = below.length > 0
        const isExpanded = hasChildren && (found !== undefined || expanded.has(group._id))
        const place = index + 1
        rows.push({ group, level, above, place, siblings: shown.length, hasChildren, isExpanded })
        if (isExpanded) add(below, level + 1, group._id)
      })
  }
  add(groups, 1, null)
  return rows
}

/** Groups and all below them. */
export const everyGroup = (groups: readonly Group[]): Group[] =>
  groups.flatMap((group) => [group, ...everyGroup(group.child)])

/** Of those whose name or description holds every word, and of all above these. */
function idsFound(groups: readonly Group[], words: readonly string[]): Set<string> {
  const found = new Set<string>()
  function look(group: Group): boolean {
    const text = `${group.name} ${group.description}`.toLowerCase()
    const below = group.child.map(look).some(Boolean)
    const isFound = below || words.every((word) => text.includes(word))
    if (isFound) found.add(group._id)
    return isFound
  }
  for (const group of groups) look(group)
  return found
}

const collator = new Intl.Collator('en', { numeric: true })
const byName = (a: Group, b: Group): number => collator.compare(a.name, b.name)

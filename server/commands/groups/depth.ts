import type { Directory, Group } from '#machines/projections/directory.ts'

/** Answers and screens nest as groups do; nobody's company is deeper. */
export const MOST_LEVELS = 32
export const TOO_DEEP = [{ path: 'parentId', message: `Groups may be ${MOST_LEVELS} levels deep` }]

/** How many groups there are from the top down to this one. */
export function levelOf(directory: Directory, group: Group): number {
  let level = 0
  for (
    let at: Group | undefined = group;
    at !== undefined;
    at = at.parentId === null ? undefined : directory.groups.get(at.parentId)
  )
    level++
  return level
}

/** How many levels a group and what is below it take. */
export function heightOf(directory: Directory, group: Group): number {
  let height = 0
  for (let level = [group]; level.length > 0; height++)
    level = level.flatMap(({ child }) => child.flatMap((id) => directory.groups.get(id) ?? []))
  return height
}

/** What a form holds: plain values; a list stands for a set (the devices of a group), its order says nothing. */
export type FieldValue = string | number | boolean | null | readonly string[]
export type Fields = Readonly<Record<string, FieldValue>>

/** Whose version of a field. */
export type Side = 'mine' | 'theirs'

/** Lists are the same whatever the order of what is in them. */
export function sameValue(a: FieldValue | undefined, b: FieldValue | undefined): boolean {
  if (!isList(a) || !isList(b)) return Object.is(a, b)
  if (a.length !== b.length) return false
  const those = new Set(b)
  return a.every((each) => those.has(each))
}

/** Names of the fields in which two versions differ, in the form's order. */
export const differing = (a: Fields, b: Fields): string[] =>
  Object.keys(a).filter((field) => !sameValue(a[field], b[field]))

/**
 * The fields in which mine and theirs differ, and whose is kept at first: what I touched is mine, the rest is theirs.
 * @param base what both began from
 */
export function firstChoice(base: Fields, mine: Fields, theirs: Fields): Record<string, Side> {
  const touched = new Set(differing(mine, base))
  return Object.fromEntries(
    differing(mine, theirs).map((field) => [field, touched.has(field) ? 'mine' : 'theirs']),
  )
}

/** One version out of two. Of a list, "mine" means what I added and took away, done to theirs: neither side's devices are lost. */
export function merged(
  base: Fields,
  mine: Fields,
  theirs: Fields,
  choice: Readonly<Record<string, Side>>,
): Fields {
  return Object.fromEntries(
    Object.entries(theirs).map(([field, value]) => [
      field,
      choice[field] === 'mine' ? onTop(base[field], mine[field], value) : value,
    ]),
  )
}

function onTop(base: FieldValue | undefined, mine: FieldValue | undefined, theirs: FieldValue): FieldValue {
  if (!isList(mine) || !isList(theirs)) return mine ?? null
  const before = new Set(isList(base) ? base : [])
  const now = new Set(mine)
  const kept = theirs.filter((each) => now.has(each) || !before.has(each))
  const there = new Set(kept)
  return [...kept, ...mine.filter((each) => !before.has(each) && !there.has(each))]
}

const isList = (value: FieldValue | undefined): value is readonly string[] => Array.isArray(value)

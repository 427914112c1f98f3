/** A time beyond a limit: its kind, since when, and until when (null: it lasts). Epoch ms. */
export type Spell = { type: string; since: number; clearedAt: number | null }

/** What becomes of what was published, when it is known better: what stays (as what), what never was, and what is found. */
export type Matched<Old, New> = { kept: [Old, New][]; gone: Old[]; found: New[] }

/**
 * Matches what was published of one device with what is known now, by kind and overlap of [since, cleared]. Of several old ones that
 * one new one overlaps the earliest stays; an old one that became several stays the earliest of them.
 */
export function matchSpells<Old extends Spell, New extends Spell>(
  old: readonly Old[],
  known: readonly New[],
): Matched<Old, New> {
  const waiting = old.toSorted((a, b) => a.since - b.since)
  const kept: [Old, New][] = []
  const found: New[] = []
  for (const one of known.toSorted((a, b) => a.since - b.since)) {
    const place = waiting.findIndex((old) => old.type === one.type && overlap(old, one))
    if (place < 0) found.push(one)
    else kept.push([waiting.splice(place, 1)[0] as Old, one])
  }
  return { kept, gone: waiting, found }
}

function overlap(a: Spell, b: Spell): boolean {
  return (
    a.since <= (b.clearedAt ?? Number.POSITIVE_INFINITY) &&
    b.since <= (a.clearedAt ?? Number.POSITIVE_INFINITY)
  )
}

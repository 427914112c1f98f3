import { READING_FIELDS, type ReadingColumns } from '../contracts/readings.ts'

/** A time in which something was so: rows of its first and last reading; `to`: when it was found to be over, null where it was not. */
export type Spell = { first: number; last: number; from: number; to: number | null }

/** A silence longer than this says nothing of a door, ms. */
export const DOOR_GAP_MS = 30 * 60_000

/**
 * When something was so, in order. It is so from the reading that says so to the one that says it is not; `isSo` is
 * undefined where a reading says nothing of it. A silence longer than `gapMs`, also one up to `end`, to which all there
 * is was read, ends it at the last reading that said so; pass Infinity to bridge silence.
 */
export function spellsWhere(
  { length, at }: Pick<ReadingColumns, 'length' | 'at'>,
  gapMs: number,
  isSo: (row: number) => boolean | undefined,
  end = Number.NEGATIVE_INFINITY,
): Spell[] {
  const spells: Spell[] = []
  let open: Spell | undefined
  const endAtGap = (time: number): void => {
    if (open === undefined || time - (at[open.last] as number) <= gapMs) return
    open.to = at[open.last] as number
    open = undefined
  }
  for (let i = 0; i < length; i++) {
    const isNow = isSo(i)
    const time = at[i] as number
    if (isNow === undefined) continue
    endAtGap(time)
    if (!isNow) {
      if (open !== undefined) open.to = time
      open = undefined
    } else if (open === undefined) {
      open = { first: i, last: i, from: time, to: null }
      spells.push(open)
    } else open.last = i
  }
  endAtGap(end)
  return spells
}

/** When a switch (ignition, unplug, door) stood at 1. A tracker without power is silent for that very reason. */
export function spellsOf(
  columns: ReadingColumns,
  field: 'ignition' | 'unplug' | 'door',
  gapMs: number,
  end?: number,
): Spell[] {
  const values = columns[field]
  const { missing } = READING_FIELDS[field]
  return spellsWhere(columns, gapMs, (i) => (values[i] === missing ? undefined : values[i] === 1), end)
}

/** When a spell ended, as far as it was followed. */
export const endOf = (spell: Spell, { at }: Pick<ReadingColumns, 'at'>): number =>
  spell.to ?? (at[spell.last] as number)

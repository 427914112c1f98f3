import { READING_FIELDS, type ReadingColumns } from '../contracts/readings.ts'
import { type Spell, spellsWhere } from './spells.ts'

/** A time faster than a limit. `top`: the row of its highest speed, the first of several. */
export type Speeding = Spell & { top: number }

const { scale: SCALE, missing: MISSING } = READING_FIELDS.speed

/**
 * When one device drove faster than `limit` (km/h), by the speeds its receiver measured: from the first reading above
 * it to the first that is not, which may be exactly at the limit. A silence longer than `gapMs`, also one up to `end`,
 * ends it at the last reading above; one without a speed says nothing.
 */
export function speedingOf(columns: ReadingColumns, limit: number, gapMs: number, end: number): Speeding[] {
  const { speed } = columns
  const above = limit * SCALE
  const isAbove = (i: number) => (speed[i] === MISSING ? undefined : (speed[i] as number) > above)
  return spellsWhere(columns, gapMs, isAbove, end).map((spell) => ({
    ...spell,
    top: fastest(columns, spell),
  }))
}

/** The highest speed of some rows, km/h, and of how many: NaN of none. */
export function topSpeedOf({ length, speed }: ReadingColumns): { measured: number; top: number } {
  let [measured, top] = [0, Number.NaN]
  for (let i = 0; i < length; i++) {
    if (speed[i] === MISSING) continue
    measured++
    if (!((speed[i] as number) <= top)) top = speed[i] as number
  }
  return { measured, top: top / SCALE }
}

function fastest({ speed }: ReadingColumns, { first, last }: Spell): number {
  let top = first
  for (let i = first; i <= last; i++)
    if (speed[i] !== MISSING && (speed[i] as number) > (speed[top] as number)) top = i
  return top
}

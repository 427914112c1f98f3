import type { NotificationWhy } from '../contracts/entities/notifications.ts'
import { type ReadingColumns, toUnits } from '../contracts/readings.ts'
import type { ViolationType } from '../contracts/scalars.ts'
import { receivedLateAt } from './late-spans.ts'
import { DOOR_GAP_MS, spellsOf } from './spells.ts'

/** Readings of a violation in one answer at most, as with the fact that one opened. */
const MOST_READINGS = 20
/** A door that was opened so long before a violation began has to do with it, ms. */
const BEFORE_MS = 30 * 60_000
/** What lasts longer is looked at for so long, ms. */
const LONGEST_MS = 24 * 3600_000
const MOST_DOORS = 10

/** Since when it was beyond its limit, when that made it a violation, and when it was over (null: it lasts). Epoch ms. */
export type Course = { type: ViolationType; since: number; openedAt: number; clearedAt: number | null }
type Moment = { at: number; value: number }

/** The readings that tell why there is a violation: from ≤ at < to, epoch ms. */
export function evidenceSpan({ since, openedAt, clearedAt }: Course): { from: number; to: number } {
  const end = Math.min(clearedAt ?? openedAt + LONGEST_MS, since + LONGEST_MS)
  return { from: since - BEFORE_MS, to: Math.max(end, openedAt) + 1 }
}

/** The last readings up to the one that made it a violation. `columns`: those of `evidenceSpan`, ascending. */
export function readingsThatOpened(columns: ReadingColumns, { type, since, openedAt }: Course): Moment[] {
  const field = fieldOf(type)
  return Array.from({ length: columns.length }, (_, row) => ({
    at: columns.at[row] as number,
    value: toUnits(field, columns[field][row] as number),
  }))
    .filter((one): one is Moment => one.value !== undefined && one.at >= since && one.at <= openedAt)
    .slice(-MOST_READINGS)
}

/** When the reading that made it a violation was received, and the first that came late, where that is not when it was measured. */
export function lateReadingsOf(
  columns: ReadingColumns,
  { type, since, openedAt }: Course,
): Pick<NotificationWhy, 'late'> {
  const field = fieldOf(type)
  const late = Array.from({ length: columns.length }, (_, row) => {
    const [received, value] = [receivedLateAt(columns, row), toUnits(field, columns[field][row] as number)]
    const at = columns.at[row] as number
    return received === undefined || value === undefined || at < since
      ? undefined
      : { at, reading: { at: iso(at), receivedAt: iso(received), value } }
  }).filter((one) => one !== undefined)
  const [first] = late
  if (first === undefined) return {}
  return {
    late: { opening: late.find(({ at }) => at === openedAt)?.reading ?? null, first: first.reading },
  }
}

/** When the cargo's door was open about it. */
export const doorsOf = (columns: ReadingColumns): NonNullable<NotificationWhy['doors']> =>
  spellsOf(columns, 'door', DOOR_GAP_MS)
    .slice(0, MOST_DOORS)
    .map(({ from, to }) => ({ from: iso(from), to: to === null ? null : iso(to) }))

const fieldOf = (type: ViolationType): 'temperature' | 'humidity' =>
  type.includes('TEMPERATURE') ? 'temperature' : 'humidity'

const iso = (at: number): string => new Date(at).toISOString()

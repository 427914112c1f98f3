import { READING_FIELDS } from '#machines/contracts/readings.ts'
import { countsOf, type FleetCounts, histogramOf } from './counts.ts'
import type { Fleet } from './fleet.ts'
import { RANKS, rankOfSeverity } from './rank.ts'
import { FIRST_VIOLATION, SEVERITIES } from './severity.ts'

/**
 * What the operator narrowed the fleet down to. Empty lists narrow nothing. A group stands for itself alone: whoever
 * means those below too names them (`groups.within`).
 */
export type Selection = {
  groupIds: readonly string[]
  imeis: readonly string[]
  /** rows that a search found, the best match first; undefined: nothing is searched for */
  found?: Uint32Array | undefined
}

export const EVERYTHING: Selection = { groupIds: [], imeis: [] }

/** 1 for each row of the selection; undefined when that is all of them. */
export function maskOf(fleet: Fleet, { groupIds, imeis, found }: Selection): Uint8Array | undefined {
  const picked = pickedMask(fleet, groupIds, imeis)
  if (found === undefined) return picked
  const mask = new Uint8Array(fleet.columns.size)
  for (const row of found) mask[row] = picked === undefined ? 1 : (picked[row] as number)
  return mask
}

function pickedMask(
  { columns, groups, names }: Fleet,
  groupIds: readonly string[],
  imeis: readonly string[],
): Uint8Array | undefined {
  if (groupIds.length === 0 && imeis.length === 0) return undefined
  const mask = new Uint8Array(columns.size)
  if (imeis.length === 0) mask.fill(1)
  for (const imei of imeis) {
    const row = names.rowOf(imei)
    if (row >= 0) mask[row] = 1
  }
  if (groupIds.length > 0) {
    const wanted = new Uint8Array(groups.list.length)
    for (const id of groupIds) {
      const index = groups.indexOf(id)
      if (index >= 0) wanted[index] = 1
    }
    for (let row = 0; row < columns.size; row++) if (wanted[columns.group[row] as number] !== 1) mask[row] = 0
  }
  return mask
}

/** @param mask 1 where a row counts; all of them where undefined */
export const countsWithin = (fleet: Fleet, mask: Uint8Array | undefined): FleetCounts =>
  mask === undefined ? fleet.counts : countsOf(histogramOf(fleet.columns.state, fleet.columns.size, mask))

/**
 * Rows, worst first: by rank, and those in violation by how far they are outside. What is as bad as another keeps its place, so
 * that calm rows do not jump.
 */
export function worstFirst(fleet: Fleet, mask: Uint8Array | undefined): Uint32Array {
  const { rank, size } = fleet.columns
  const counts = new Uint32Array(RANKS)
  for (let row = 0; row < size; row++)
    if (mask === undefined || mask[row] === 1) {
      const of = rank[row] as number
      counts[of] = (counts[of] as number) + 1
    }
  let total = 0
  const next = new Uint32Array(RANKS)
  for (let of = RANKS - 1; of >= 0; of--) {
    next[of] = total
    total += counts[of] as number
  }
  const starts = next.slice()
  const rows = new Uint32Array(total)
  for (let row = 0; row < size; row++)
    if (mask === undefined || mask[row] === 1) {
      const of = rank[row] as number
      const place = next[of] as number
      rows[place] = row
      next[of] = place + 1
    }
  for (let severity = FIRST_VIOLATION; severity < SEVERITIES.length; severity++) {
    const of = rankOfSeverity(severity)
    const part = rows.subarray(starts[of], next[of])
    const excess = new Map<number, number>()
    for (const row of part) excess.set(row, excessOf(fleet, row, severity))
    part.set(part.slice().sort((a, b) => (excess.get(b) as number) - (excess.get(a) as number) || a - b))
  }
  return rows
}

/** How far beyond the limit its severity is about, in stored units; less than 0 once the value is back inside, 0 where it is missing. */
function excessOf({ columns, groups: { limits } }: Fleet, row: number, severity: number): number {
  const group = columns.group[row] as number
  const kind = SEVERITIES[severity]
  const field = kind === 'tooHot' || kind === 'tooCold' ? 'temperature' : 'humidity'
  const value = columns[field][row] as number
  if (value === READING_FIELDS[field].missing) return 0
  switch (kind) {
    case 'tooHot':
      return value - (limits.highTemperature[group] as number)
    case 'tooCold':
      return (limits.lowTemperature[group] as number) - value
    case 'tooHumid':
      return value - (limits.highHumidity[group] as number)
    default:
      return (limits.lowHumidity[group] as number) - value
  }
}

import type { BudgetStatus, Exhausted } from '#machines/rules/budget-status.ts'

/**
 * What became of many loads that are over, as columns: an object each takes four times as long to be made into bytes, while readings
 * wait. `numbers`: a row of each load in turn; `exhaustions`: of those that were exhausted.
 */
export type SavedOver = {
  loads: string[]
  numbers: Float64Array
  exhaustions: Map<string, readonly Exhausted[]>
}

type Row = [
  state: number,
  isTooWarmSoFar: number,
  percent: number,
  most: number,
  exhaustsAt: number,
  leadingLeast: number,
  leadingMost: number,
  gapMinutes: number,
]
const WIDTH: Row['length'] = 8
const STATES = ['within', 'at-risk', 'exhausted'] as const

/** A position in `STATES` is saved, so their order is part of the shape. */
export function packOver(over: ReadonlyMap<string, BudgetStatus>): SavedOver {
  const numbers = new Float64Array(over.size * WIDTH)
  const exhaustions: SavedOver['exhaustions'] = new Map()
  let place = 0
  for (const [loadId, reckoned] of over) {
    const { state, isTooWarmSoFar, percent, most, exhaustsAt, leading, gapMinutes } = reckoned
    const flags = [STATES.indexOf(state), Number(isTooWarmSoFar)] as const
    const row: Row = [...flags, percent, most, exhaustsAt, leading.least, leading.most, gapMinutes]
    numbers.set(row, place)
    place += WIDTH
    if (reckoned.exhaustions.length > 0) exhaustions.set(loadId, reckoned.exhaustions)
  }
  return { loads: [...over.keys()], numbers, exhaustions }
}

/** In the order they were packed. */
export function unpackOver({ loads, numbers, exhaustions: saved }: SavedOver): Map<string, BudgetStatus> {
  const over = new Map<string, BudgetStatus>()
  for (const [i, loadId] of loads.entries()) {
    const row = Array.from(numbers.subarray(i * WIDTH, (i + 1) * WIDTH)) as Row
    const [state, tooWarm, percent, most, exhaustsAt, least, leadingMost, gapMinutes] = row
    const exhaustions = saved.get(loadId) ?? []
    over.set(loadId, {
      ...{ state: STATES[state] ?? 'within', isTooWarmSoFar: tooWarm === 1 },
      ...{ percent, most, exhaustsAt, gapMinutes, leading: { least, most: leadingMost } },
      ...{ exhaustions, exhausted: exhaustions[0] },
    })
  }
  return over
}

import type { Exhausted, Verdict } from '#machines/rules/budget-verdict.ts'

/**
 * Verdicts of many loads as columns: an object each takes four times as long to be made into bytes, while readings wait. `numbers`: a
 * row of each load in turn; `exhaustions`: of those that were exhausted.
 */
export type SavedVerdicts = {
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

export function packVerdicts(verdicts: ReadonlyMap<string, Verdict>): SavedVerdicts {
  const numbers = new Float64Array(verdicts.size * WIDTH)
  const exhaustions: SavedVerdicts['exhaustions'] = new Map()
  let place = 0
  for (const [loadId, verdict] of verdicts) {
    const { state, isTooWarmSoFar, percent, most, exhaustsAt, leading, gapMinutes } = verdict
    const flags = [STATES.indexOf(state), Number(isTooWarmSoFar)] as const
    const row: Row = [...flags, percent, most, exhaustsAt, leading.least, leading.most, gapMinutes]
    numbers.set(row, place)
    place += WIDTH
    if (verdict.exhaustions.length > 0) exhaustions.set(loadId, verdict.exhaustions)
  }
  return { loads: [...verdicts.keys()], numbers, exhaustions }
}

export function unpackVerdicts({ loads, numbers, exhaustions: saved }: SavedVerdicts): Map<string, Verdict> {
  const verdicts = new Map<string, Verdict>()
  for (const [i, loadId] of loads.entries()) {
    const row = Array.from(numbers.subarray(i * WIDTH, (i + 1) * WIDTH)) as Row
    const [state, tooWarm, percent, most, exhaustsAt, least, leadingMost, gapMinutes] = row
    const exhaustions = saved.get(loadId) ?? []
    verdicts.set(loadId, {
      ...{ state: STATES[state] ?? 'within', isTooWarmSoFar: tooWarm === 1 },
      ...{ percent, most, exhaustsAt, gapMinutes, leading: { least, most: leadingMost } },
      ...{ exhaustions, exhausted: exhaustions[0] },
    })
  }
  return verdicts
}

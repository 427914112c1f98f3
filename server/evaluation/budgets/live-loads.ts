import type { FactOf } from '#machines/contracts/facts.ts'
import { ON_TIME, READING_FIELDS, type ReadingColumns } from '#machines/contracts/readings.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { isOverAt, type LoadRecord, type Loads } from '#machines/projections/loads.ts'
import { profileAt } from '#machines/projections/profiles.ts'
import {
  type BudgetRules,
  type BudgetState,
  budgetRules,
  createBudget,
  endBudget,
  releaseBudget,
  SUM,
  takeExhausted,
  takeReading,
} from '#machines/rules/budget.ts'
import { type BudgetStatus, budgetStatusOf } from '#machines/rules/budget-status.ts'
import { gapOf } from '#machines/rules/gap.ts'
import { type LateReadings, markLate } from '../late-readings.ts'

/**
 * The budget of each load that is under way, and what came of those that are over. `byDevice`: by device number the load on it.
 */
export type LiveLoads = {
  budgets: Map<string, BudgetState>
  byDevice: (LiveLoad | undefined)[]
  /** what became of loads that are over, by the load */
  over: Map<string, BudgetStatus>
  /** loads with readings that came late, or of before they were opened, by device: they are reckoned anew */
  late: LateReadings
  /** loads of which it is to be published that they are exhausted, or are not; since when that is known where it came late, epoch ms, else null */
  news: Map<string, number | null>
  /** how far received times got, epoch ms */
  receivedAt: number
}

/** The budget of a load knows whose it is: a reading of it looks at few places in memory. */
export type LiveLoad = BudgetState & { loadId: string }

/** The budget itself, which is given its load's id: not a copy. */
export const liveLoad = (loadId: string, budget: BudgetState): LiveLoad => Object.assign(budget, { loadId })

export const emptyLiveLoads = (): LiveLoads => ({
  budgets: new Map(),
  byDevice: [],
  over: new Map(),
  late: new Map(),
  news: new Map(),
  receivedAt: 0,
})

const { missing: MISSING, scale: SCALE } = READING_FIELDS.temperature

/** One object of rules for all loads of a version of a profile. */
const RULES = new WeakMap<object, BudgetRules>()

/**
 * A load with nothing used yet; undefined: its profile is not known.
 * @param from its readings are taken since then, epoch ms: later than its opening where those of before are no longer kept, of which
 * there is what was published
 */
export function newBudget(
  directory: Directory,
  load: LoadRecord,
  from = load.openedAt,
): BudgetState | undefined {
  const form = profileAt(directory.profiles, load.companyId, load)
  if (form === undefined) return undefined
  const rules = RULES.get(form) ?? budgetRules(form)
  RULES.set(form, rules)
  const { patienceSeconds = 0 } = directory.companies.get(load.companyId) ?? {}
  const budget = createBudget(rules, from, gapOf(patienceSeconds))
  for (const { action, at } of load.actions) if (action === 'released') releaseBudget(budget, at)
  if (load.exhausted !== null && load.exhausted.at < from) takeExhausted(budget, load.exhausted)
  return budget
}

/** All its readings are taken: one that is over is evaluated by all of it; of one whose first are no longer kept there is what was published. */
export function endReckoning(budget: BudgetState, load: LoadRecord): void {
  const isWhole = budget.sums[SUM.from] === load.openedAt
  if (isWhole && load.closedAt !== null) endBudget(budget)
  if (!isWhole && load.exhausted !== null) takeExhausted(budget, load.exhausted)
}

/** A load is under way. @param recordedAt readings from its opening up to then were received before, and are taken from the store */
export function beginLoad(
  live: LiveLoads,
  directory: Directory,
  { data, at, recordedAt, seq }: FactOf<'load.opened'>,
): void {
  const load = directory.loads.byId.get(data.loadId)
  // one that was closed meanwhile is reckoned when its closing comes up
  const budget = load && newBudget(directory, load)
  if (load === undefined || budget === undefined) return
  live.budgets.set(load.loadId, budget)
  putAt(live.byDevice, load.deviceNo, liveLoad(load.loadId, budget))
  if (at < recordedAt) markLate(live.late, load.deviceNo, at, at, seq)
}

/** People released it. What was measured since then and is taken already has it reckoned anew. */
export function releaseLoad(
  live: LiveLoads,
  directory: Directory,
  { data, at, seq }: FactOf<'load.released'>,
): void {
  const budget = live.budgets.get(data.loadId)
  const load = directory.loads.byId.get(data.loadId)
  if (budget === undefined || load === undefined) return
  releaseBudget(budget, at)
  if ((budget.sums[SUM.lastAt] as number) > at) markLate(live.late, load.deviceNo, at, at, seq)
}

/** Without holes, which would make each look-up slow. */
export function putAt<T>(list: (T | undefined)[], place: number, value: T | undefined): void {
  while (list.length <= place) list.push(undefined)
  list[place] = value
}

/** A load is over: what was used of it stays known. */
export function endLoad(live: LiveLoads, load: LoadRecord): void {
  const budget = live.budgets.get(load.loadId)
  live.budgets.delete(load.loadId)
  if (live.byDevice[load.deviceNo]?.loadId === load.loadId) putAt(live.byDevice, load.deviceNo, undefined)
  if (budget === undefined) return
  if (budget.sums[SUM.from] === load.openedAt) endBudget(budget)
  live.over.set(load.loadId, budgetStatusOf(budget))
  live.news.set(load.loadId, null)
}

/**
 * Takes what was measured on devices that carry a load. What is not newer than its load's newest came late, and has it reckoned anew;
 * so has what belongs to a load that is over, and what cannot be taken.
 * @param overUntil by device number when its last load was over; undefined: it had none
 * @param loads all there are: a time between two of them, or years before the first, is none of theirs
 * @param onFailure called with the number of a device of which a reading cannot be taken, once until it is reckoned anew
 */
export function takeBatch(
  live: LiveLoads,
  readings: ReadingColumns,
  batch: { seq: number; recordedAt: number },
  overUntil: (number | undefined)[],
  loads: Loads,
  onFailure: (no: number, error: unknown) => void,
): void {
  live.receivedAt = batch.recordedAt
  const { device, at, temperature, length } = readings
  const { seq, recordedAt } = batch
  for (let row = 0; row < length; row++)
    try {
      for (; row < length; row++) {
        const no = device[row] as number
        const load = live.byDevice[no]
        const until = overUntil[no]
        if (load === undefined && until === undefined) continue
        const stored = temperature[row] as number
        if (stored === MISSING) continue
        const time = at[row] as number
        if (until !== undefined && time < until && isOverAt(loads, no, time))
          markLate(live.late, no, time, recordedAt, seq)
        if (load === undefined) continue
        const { sums } = load
        if (time < (sums[SUM.from] as number)) continue
        const isNewer = sums[SUM.count] === 0 || time > (sums[SUM.lastAt] as number)
        if (isNewer) {
          if (takeReading(load, time, stored / SCALE))
            live.news.set(load.loadId, recordedAt - time > ON_TIME ? recordedAt : null)
        } else if (time < (sums[SUM.lastAt] as number) || stored / SCALE !== sums[SUM.last])
          markLate(live.late, no, time, recordedAt, seq)
      }
    } catch (error) {
      const no = device[row] as number
      if (!live.late.has(no)) onFailure(no, error)
      markLate(live.late, no, at[row] as number, recordedAt, seq)
    }
}

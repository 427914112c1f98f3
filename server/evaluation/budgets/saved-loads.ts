import type { Directory } from '#machines/projections/directory.ts'
import type { BudgetState } from '#machines/rules/budget.ts'
import { type BudgetStatus, budgetStatusOf } from '#machines/rules/budget-status.ts'
import { keptSince } from '../../read-models/kept-since.ts'
import { loadCheckpoint, saveCheckpoint } from '../../store/log-follower.ts'
import type { Store } from '../../store/store.ts'
import { type LateReadings, markLate } from '../late-readings.ts'
import { emptyLiveLoads, type LiveLoads, liveLoad, newBudget, putAt } from './live-loads.ts'
import { packOver, type SavedOver, unpackOver } from './saved-over.ts'

/** Raised with the shape of what is saved: what has another is passed over, and all loads are reckoned anew. */
const KIND = { name: 'budgets', shape: 2 }

/** Without its rules, which follow from the load. */
type SavedBudget = Pick<BudgetState, 'sums' | 'gaps'> & { again?: SavedBudget | undefined }
type SavedStatus = Omit<BudgetStatus, Later> & Partial<Pick<BudgetStatus, Later>>
/** `over`: as an earlier release saved what is over, else empty */
type Saved = {
  budgets: Map<string, SavedBudget>
  over: Map<string, SavedStatus>
  overColumns?: SavedOver
  late: LateReadings
}

/** What is kept of a load that is over since a later release than the rest of it. */
type Later = 'exhaustions' | 'leading' | 'gapMinutes' | 'isTooWarmSoFar'
const asBefore = ({ exhausted }: SavedStatus): Pick<BudgetStatus, Later> => ({
  exhaustions: exhausted === undefined ? [] : [exhausted],
  leading: { least: 0, most: 0 },
  gapMinutes: 0,
  isTooWarmSoFar: false,
})

/** @returns whether it is saved */
export function saveLoads(
  { checkpoints }: Pick<Store, 'checkpoints'>,
  live: LiveLoads,
  seq: number,
): boolean {
  const budgets = new Map<string, SavedBudget>()
  for (const [loadId, budget] of live.budgets) budgets.set(loadId, savedOf(budget))
  const saved: Saved = { budgets, over: new Map(), overColumns: packOver(live.over), late: live.late }
  return saveCheckpoint(checkpoints, KIND, saved, seq)
}

/**
 * Loads as they were saved, and the position they are of. Where nothing was, or batches after it are there no more, all of them are
 * marked to be reckoned anew, and the log is followed from now on; those with readings that are no longer kept go on with what is saved
 * of them, or with what was published.
 * @param now epoch ms
 */
export function restoreLoads(
  { checkpoints, log, telemetry }: Pick<Store, 'checkpoints' | 'log' | 'telemetry'>,
  directory: Directory,
  now: number,
): { live: LiveLoads; seq: number } {
  const live = emptyLiveLoads()
  const saved = loadCheckpoint<Saved>(checkpoints, KIND)
  if (saved?.overColumns !== undefined) saved.over = unpackOver(saved.overColumns)
  const isWhole = saved !== undefined && saved.seq >= telemetry.batchesFrom()
  const head = log.head()
  const seq = isWhole ? saved.seq : head
  if (isWhole) live.late = saved.late
  for (const load of directory.loads.byId.values()) {
    // it comes up in the log
    if (isWhole && !saved.budgets.has(load.loadId) && load.changed > seq && !saved.over.has(load.loadId))
      continue
    const from = Math.max(load.openedAt, keptSince(directory, load.companyId, now))
    const known = isWhole || from > load.openedAt ? saved : undefined
    const over = known?.over.get(load.loadId)
    if (load.closedAt !== null && over !== undefined) {
      live.over.set(load.loadId, { ...asBefore(over), ...over })
      // a release of before kept less of it
      if (over.leading === undefined) markLate(live.late, load.deviceNo, load.openedAt, 0, seq)
      continue
    }
    const budget = newBudget(directory, load, from)
    if (budget === undefined) continue
    const kept = known?.budgets.get(load.loadId)
    const isAll = kept !== undefined && takeSaved(budget, kept)
    if (!isAll || !isWhole) markLate(live.late, load.deviceNo, load.openedAt, 0, seq)
    if (load.closedAt !== null && !isWhole && kept !== undefined)
      live.over.set(load.loadId, budgetStatusOf(budget))
    // one that was closed since is closed again when that comes up
    if (load.closedAt !== null && (kept === undefined || !isWhole)) continue
    live.budgets.set(load.loadId, budget)
    putAt(live.byDevice, load.deviceNo, liveLoad(load.loadId, budget))
  }
  return { live, seq }
}

const savedOf = ({ sums, gaps, again }: BudgetState): SavedBudget => ({
  ...{ sums, gaps },
  ...(again && { again: savedOf(again) }),
})

/** @returns whether all of it was saved: it may have been released since, or a release of before kept less of it */
function takeSaved(budget: BudgetState, { sums, gaps, again }: SavedBudget): boolean {
  Object.assign(budget, { sums, gaps })
  if (budget.again === undefined) return true
  return again !== undefined && takeSaved(budget.again, again)
}

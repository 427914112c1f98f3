import type { Directory } from '#machines/projections/directory.ts'
import type { BudgetState } from '#machines/rules/budget.ts'
import type { Verdict } from '#machines/rules/budget-verdict.ts'
import { loadCheckpoint, saveCheckpoint } from '../../store/log-follower.ts'
import type { Store } from '../../store/store.ts'
import { type LateMarks, markLate } from '../late-marks.ts'
import { emptyLiveLoads, type LiveLoads, liveLoad, newBudget, putAt } from './live-loads.ts'

/** Raised with the shape of what is saved: what has another is passed over, and all loads are reckoned anew. */
const KIND = { name: 'budgets', shape: 2 }

/** Without its rules, which follow from the load. */
type SavedBudget = Pick<BudgetState, 'sums' | 'gaps'>
type Saved = { budgets: Map<string, SavedBudget>; over: Map<string, Verdict>; late: LateMarks }

/** @returns whether it is saved */
export function saveLoads(
  { checkpoints }: Pick<Store, 'checkpoints'>,
  live: LiveLoads,
  seq: number,
): boolean {
  const budgets = new Map<string, SavedBudget>()
  for (const [loadId, { sums, gaps }] of live.budgets) budgets.set(loadId, { sums, gaps })
  const saved: Saved = { budgets, over: live.over, late: live.late }
  return saveCheckpoint(checkpoints, KIND, saved, seq)
}

/**
 * Loads as they were saved, and the position they are of. Where nothing was, or batches after it are there no more, all of them are
 * marked to be reckoned anew, and the log is followed from now on.
 */
export function restoreLoads(
  { checkpoints, log, telemetry }: Pick<Store, 'checkpoints' | 'log' | 'telemetry'>,
  directory: Directory,
): { live: LiveLoads; seq: number } {
  const live = emptyLiveLoads()
  const saved = loadCheckpoint<Saved>(checkpoints, KIND)
  const isWhole = saved !== undefined && saved.seq >= telemetry.batchesFrom()
  const head = log.head()
  const seq = isWhole ? saved.seq : head
  if (isWhole) {
    live.over = saved.over
    live.late = saved.late
  }
  for (const load of directory.loads.byId.values()) {
    // it comes up in the log
    if (isWhole && !saved.budgets.has(load.loadId) && load.changed > seq && !saved.over.has(load.loadId))
      continue
    if (load.closedAt !== null && live.over.has(load.loadId)) continue
    const budget = newBudget(directory, load)
    if (budget === undefined) continue
    const kept = isWhole ? saved.budgets.get(load.loadId) : undefined
    if (kept !== undefined) Object.assign(budget, kept)
    else markLate(live.late, load.deviceNo, load.openedAt, 0, seq)
    // one that was closed since is closed again when that comes up
    if (load.closedAt !== null && kept === undefined) continue
    live.budgets.set(load.loadId, budget)
    putAt(live.byDevice, load.deviceNo, liveLoad(load.loadId, budget))
  }
  return { live, seq }
}

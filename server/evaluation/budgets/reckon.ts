import type { Directory } from '#machines/projections/directory.ts'
import type { LoadRecord } from '#machines/projections/loads.ts'
import { type BudgetState, endBudget, takeReadings } from '#machines/rules/budget.ts'
import type { Store } from '../../store/store.ts'
import { newBudget } from './live-loads.ts'

const DAY = 86_400_000

type Telemetry = Pick<Store['telemetry'], 'history'>

/**
 * Reckons a load anew from what is stored, day by day: readings from its opening up to `until()`, which may grow meanwhile.
 * One that is over is reckoned to its end. Undefined: its profile is not known.
 */
export async function reckonLoad(
  telemetry: Telemetry,
  directory: Directory,
  load: LoadRecord,
  until: () => number,
): Promise<BudgetState | undefined> {
  const budget = newBudget(directory, load)
  if (budget === undefined) return undefined
  const end = () => Math.min(load.closedAt ?? Number.POSITIVE_INFINITY, until() + 1)
  for (let from = load.openedAt; from < end(); ) {
    const to = Math.min(from + DAY, end())
    takeReadings(budget, await telemetry.history(load.deviceNo, from, to), to)
    from = to
  }
  if (load.closedAt !== null) endBudget(budget, load.closedAt)
  return budget
}

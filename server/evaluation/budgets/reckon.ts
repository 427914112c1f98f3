import { setImmediate as breath } from 'node:timers/promises'
import type { Directory } from '#machines/projections/directory.ts'
import type { LoadRecord } from '#machines/projections/loads.ts'
import { type BudgetState, takeReadings } from '#machines/rules/budget.ts'
import type { Store } from '../../store/store.ts'
import { endReckoning, newBudget } from './live-loads.ts'

const DAY = 86_400_000

type Telemetry = Pick<Store['telemetry'], 'history'>

/** `kept`: since when readings are kept, epoch ms; `until`: up to when there are any, which may grow meanwhile */
type Span = { kept: number; until(): number }

/**
 * Reckons a load anew from what is stored, a day at a time with a breath after each: readings from its opening on. One that is over is
 * reckoned to its end, and one that is older than what is kept from what was published of it and the readings that are left. Of one that was
 * released meanwhile, say, it begins again. Undefined: its profile is not known.
 */
export async function reckonLoad(
  telemetry: Telemetry,
  directory: Directory,
  load: LoadRecord,
  span: Span,
): Promise<BudgetState | undefined> {
  const { kept, until } = span
  const { changed } = load
  const first = Math.max(load.openedAt, kept)
  const budget = newBudget(directory, load, first)
  if (budget === undefined) return undefined
  const end = () => Math.min(load.closedAt ?? Number.POSITIVE_INFINITY, until() + 1)
  for (let from = first; from < end(); ) {
    const to = Math.min(from + DAY, end())
    takeReadings(budget, await telemetry.history(load.deviceNo, from, to), to)
    from = to
    await breath()
  }
  if (load.changed !== changed) return reckonLoad(telemetry, directory, load, span)
  endReckoning(budget, load)
  return budget
}

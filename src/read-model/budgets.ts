import type { LoadState } from '#machines/contracts/entities/loads.ts'
import type { Fleet } from './fleet.ts'

/** How much is used of the load that a device carries; `percent`, `most`: %, null: not measured; `exhaustsAt`: epoch ms, null: never. */
export type BudgetNow = {
  state: LoadState
  percent: number | null
  most: number | null
  exhaustsAt: number | null
}

/** By device number; a device that carries nothing has none. */
export type Budgets = ReadonlyMap<number, BudgetNow>

const NONE: Budgets = new Map()
const known = new WeakMap<Fleet, Budgets>()

/** The budgets of a fleet as they are known; none before anybody follows them. */
export const budgetsOf = (fleet: Fleet): Budgets => known.get(fleet) ?? NONE

/** Replaces those of before. Nobody is called. */
export const setBudgets = (fleet: Fleet, budgets: Budgets): void => void known.set(fleet, budgets)

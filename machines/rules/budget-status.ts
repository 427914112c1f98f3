import type { TimeRule } from '../contracts/entities/profiles.ts'
import { allowedMs, type BudgetState, isBeyond, SUM, TIME, timesOf } from './budget.ts'
import { meanKinetic } from './mean-kinetic.ts'
import { meanTerms, untilAbove } from './mkt-window.ts'

/** A load is at risk from so much used on, %, or when it is exhausted so soon, ms: choices of this project. */
export const AT_RISK_PERCENT = 80
export const AT_RISK_WITHIN = 2 * 60 * 60_000

/** Which rule of a profile was exhausted when: minutes used and allowed, or °C of a mean kinetic temperature. */
export type Exhausted = { at: number; rule: number; used: number; allowed: number }

/**
 * What is to be said of a load now. `percent`: of what is allowed by the rule that is nearest to its end, as much as is sure to be used;
 * `most`: as it may be at most; NaN: not measured. `exhaustsAt`: epoch ms at the present temperature; Infinity: never.
 * `exhausted`: the first of `exhaustions`. `leading`: minutes used of the rule that may be nearest to its end, at least and at most;
 * `gapMinutes`: of gaps between readings. `isTooWarmSoFar`: the mean kinetic temperature is above its limit before it decides.
 */
export type BudgetStatus = {
  state: 'within' | 'at-risk' | 'exhausted'
  percent: number
  most: number
  exhaustsAt: number
  exhausted: Exhausted | undefined
  exhaustions: readonly Exhausted[]
  leading: { least: number; most: number }
  gapMinutes: number
  isTooWarmSoFar: boolean
}

const MINUTE = 60_000

/** Lists and columns ask about all loads again and again. */
const KEPT = new WeakMap<BudgetState, { changes: number; status: BudgetStatus }>()

/** It is reckoned once for each change of the budget. */
export function budgetStatusOf(budget: BudgetState): BudgetStatus {
  const { changes } = budget
  const kept = KEPT.get(budget)
  if (kept?.changes === changes) return kept.status
  const status = reckoned(budget)
  KEPT.set(budget, { changes, status })
  return status
}

function reckoned(budget: BudgetState): BudgetStatus {
  const { sums, rules } = budget
  const exhaustions = exhaustionsOf(budget)
  const exhausted = exhaustions[0]
  const always = {
    ...{ exhausted, exhaustions, leading: leadingOf(budget) },
    gapMinutes: (sums[SUM.gap] as number) / MINUTE,
    isTooWarmSoFar: isTooWarmSoFar(budget),
  }
  if (sums[SUM.count] === 0 && exhausted === undefined)
    return {
      state: 'within',
      percent: Number.NaN,
      most: Number.NaN,
      exhaustsAt: Number.POSITIVE_INFINITY,
      ...always,
    }
  let percent = 0
  let most = 0
  for (const [i, rule] of rules.times.entries()) {
    percent = Math.max(percent, percentOf(sums, timesOf(i), rule, 'least'))
    most = Math.max(most, percentOf(sums, timesOf(i), rule, 'most'))
  }
  if (exhausted) {
    const full = Math.max(100, percent)
    return {
      ...{ state: 'exhausted', percent: full, most: Math.max(full, most) },
      exhaustsAt: Number.POSITIVE_INFINITY,
      ...always,
    }
  }
  // as much as is allowed may be used where it is not yet too much
  percent = Math.min(percent, 100)
  const exhaustsAt = exhaustsAtOf(budget)
  const isSoon = exhaustsAt - (sums[SUM.lastAt] as number) <= AT_RISK_WITHIN
  const isAtRisk = most >= AT_RISK_PERCENT || isSoon || always.isTooWarmSoFar
  return { state: isAtRisk ? 'at-risk' : 'within', percent, most, exhaustsAt, ...always }
}

function leadingOf({ rules, sums }: BudgetState): BudgetStatus['leading'] {
  let leading = { least: 0, most: 0 }
  let share = 0
  for (const [i, rule] of rules.times.entries()) {
    const base = timesOf(i)
    const allowed = allowedMs(sums, base, rule)
    const most = usedMs(sums, base, rule, 'most')
    if (allowed === undefined || allowed === 0 || most / allowed <= share) continue
    leading = { least: usedMs(sums, base, rule, 'least') / MINUTE, most: most / MINUTE }
    share = most / allowed
  }
  return leading
}

/** The rule that was exhausted first; undefined: none. */
export const exhaustedOf = (budget: BudgetState): Exhausted | undefined => exhaustionsOf(budget)[0]

/** When each rule that is exhausted first was, of all and since each time it was released; the first first. */
function exhaustionsOf({ sums, rules, again }: BudgetState): Exhausted[] {
  const all = again === undefined ? [] : exhaustionsOf(again)
  for (const [i, rule] of rules.times.entries()) {
    const at = sums[timesOf(i) + TIME.exhaustedAt] as number
    if (at === 0) continue
    const allowed = allowedMs(sums, timesOf(i), rule) ?? 0
    const used = usedMs(sums, timesOf(i), rule, 'least')
    all.push({ at, rule: rules.places[i] as number, used: used / MINUTE, allowed: allowed / MINUTE })
  }
  const at = sums[SUM.mktExhaustedAt] as number
  if (rules.mkt !== undefined && at !== 0) {
    const used = meanKinetic(sums[SUM.mktExhaustedTerm] as number)
    all.push({ at, rule: rules.mkt.place, used, allowed: rules.mkt.limit })
  }
  return all.toSorted((a, b) => a.at - b.at)
}

/**
 * What is to be published of a load: the rule that was exhausted first since people decided about it last; where none was, since they did
 * before that, or the first of all.
 * @param decidedAt epoch ms, in order
 */
export function exhaustionToPublish(
  exhaustions: readonly Exhausted[],
  decidedAt: readonly number[],
): Exhausted | undefined {
  for (const decided of decidedAt.toReversed()) {
    const since = exhaustions.find(({ at }) => at > decided)
    if (since !== undefined) return since
  }
  return exhaustions[0]
}

/** Beyond a rule's limit, ms: as was measured, at least, or at most. */
export function usedMs(
  sums: Float64Array,
  base: number,
  { spell }: TimeRule,
  which: 'used' | 'least' | 'most',
): number {
  const totals = { used: TIME.used, least: TIME.least, most: TIME.most }
  const longest = { used: TIME.longest, least: TIME.longestLeast, most: TIME.longestMost }
  return sums[base + (spell === 'total' ? totals : longest)[which]] as number
}

function percentOf(sums: Float64Array, base: number, rule: TimeRule, which: 'least' | 'most'): number {
  const allowed = allowedMs(sums, base, rule)
  if (allowed === undefined) return 0
  const used = usedMs(sums, base, rule, which)
  if (allowed === 0) return used > 0 || sums[base + TIME.exhaustedAt] !== 0 ? 100 : 0
  return (used / allowed) * 100
}

/** When the first rule is exhausted if it stays as warm as it is, epoch ms; Infinity: never. */
function exhaustsAtOf(budget: BudgetState): number {
  const { sums, rules } = budget
  const lastAt = sums[SUM.lastAt] as number
  const now = sums[SUM.last] as number
  let first = Number.POSITIVE_INFINITY
  for (const [i, rule] of rules.times.entries()) {
    const base = timesOf(i)
    const allowed = allowedMs(sums, base, rule)
    if (allowed === undefined || !isBeyond(rule, now)) continue
    const used = sums[base + (rule.spell === 'total' ? TIME.least : TIME.nowLeast)] as number
    first = Math.min(first, lastAt + Math.max(0, allowed - used))
  }
  const { mkt, profile } = rules
  if (mkt === undefined || !profile.mktDecides) return first
  const ms = mkt.hours * 3_600_000
  const completeAt = (sums[SUM.from] as number) + ms
  const term = sums[SUM.lastTerm] as number
  const at = lastAt + untilAbove(budget, mkt.window, lastAt, { term, limit: mkt.term, completeAt })
  // the window that is too warm then counts only with an excursion in it
  const counts = mkt.onlyAbove === null || now > mkt.onlyAbove || (sums[SUM.lastAbove] as number) > at - ms
  return counts ? Math.min(first, at) : first
}

/** A load whose first hours are too warm in the mean is at risk before they are enough to decide. */
function isTooWarmSoFar({ sums, rules }: BudgetState): boolean {
  const { mkt, profile } = rules
  if (mkt === undefined || !profile.mktDecides) return false
  const ms = mkt.hours * 3_600_000
  if (mkt.onlyAbove !== null && (sums[SUM.lastAbove] as number) <= (sums[SUM.lastAt] as number) - ms)
    return false
  return (sums[SUM.kinetic] as number) > mkt.term * (sums[SUM.measured] as number)
}

/** The mean kinetic temperature of all of a load, °C, and what it is between with its gaps; NaN: not measured. */
export function mktOf({ sums }: BudgetState): { value: number; least: number; most: number } {
  const measured = sums[SUM.measured] as number
  if (measured === 0) return { value: Number.NaN, least: Number.NaN, most: Number.NaN }
  const all = measured + (sums[SUM.gap] as number)
  const kinetic = sums[SUM.kinetic] as number
  return {
    value: meanKinetic(kinetic / measured),
    least: meanKinetic((kinetic + (sums[SUM.gapLeast] as number)) / all),
    most: meanKinetic((kinetic + (sums[SUM.gapMost] as number)) / all),
  }
}

/** The mean kinetic temperature of the profile's hours up to the last reading, °C; undefined: it has no such rule, NaN: not measured. */
export function windowMktOf(budget: BudgetState): { value: number; least: number; most: number } | undefined {
  const { mkt } = budget.rules
  if (mkt === undefined) return undefined
  const { mean, least, most } = meanTerms(budget, mkt.window, budget.sums[SUM.lastAt] as number)
  return { value: meanKinetic(mean), least: meanKinetic(least), most: meanKinetic(most) }
}

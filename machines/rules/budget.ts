import type { MktRule, ProfileForm, TimeRule } from '../contracts/entities/profiles.ts'
import { READING_FIELDS, type ReadingColumns } from '../contracts/readings.ts'
import { eachStep, type Gap, minutesBeyond } from './gap-bounds.ts'
import { kineticTerm } from './mean-kinetic.ts'
import {
  addGap,
  addStep,
  excessOf,
  meanTerms,
  WINDOW,
  type Windowed,
  type WindowPlace,
  windowPlace,
} from './mkt-window.ts'

/**
 * What is kept of all of a load, in `sums`: times in ms, epoch ms and °C; kinetic terms times ms. What every reading needs comes first:
 * it is a line or two of the processor's cache.
 */
export const SUM = {
  /** since when the load is under way */
  from: 0,
  count: 1,
  lastAt: 2,
  last: 3,
  /** the kinetic term of the last reading */
  lastTerm: 4,
  measured: 5,
  kinetic: 6,
  lowest: 7,
  highest: 8,
  mktExhaustedAt: 9,
  /** when it was last above the limit of which windows of the mean kinetic temperature are looked at */
  lastAbove: 10,
  /** what the mean kinetic term was when it was exhausted */
  mktExhaustedTerm: 11,
  gap: 12,
  gapLeast: 13,
  gapMost: 14,
  all: 15,
} as const

/**
 * What is kept of each time rule, in `sums` from `timesOf` on. `least`, `most`: with what may have been over gaps; `now…`: of the spell that
 * lasts, `longest…`: of the longest; all ms. `degrees`: ms · °C. `isBeyondOther`: it was once beyond the rule's other limit.
 */
export const TIME = {
  used: 0,
  least: 1,
  most: 2,
  degrees: 3,
  now: 4,
  nowLeast: 5,
  nowMost: 6,
  longest: 7,
  longestLeast: 8,
  longestMost: 9,
  exhaustedAt: 10,
  isBeyondOther: 11,
  all: 12,
} as const

/** Where in `sums` what is kept of a time rule begins. @param rule which of `BudgetRules.times` */
export const timesOf = (rule: number): number => SUM.all + rule * TIME.all

/** A profile as readings are taken by it; one for all loads of a version of it. */
export type BudgetRules = {
  profile: ProfileForm
  times: readonly TimeRule[]
  /** of each time rule, its place among the profile's rules */
  places: readonly number[]
  mkt: (MktRule & { term: number; place: number; window: WindowPlace }) | undefined
}

/**
 * How much of its profile a load has used: in `sums` what `SUM` and `TIME` name, then the window of the mean kinetic temperature. `gapMs`:
 * readings farther apart than this have a gap between them. `changes`: raised by each change of it, all of which are made here: what is
 * said of it is kept by it. `again`: what was used since people released it, as if it had been opened then. Taking a reading makes no
 * object and costs the same however old the load is.
 */
export type BudgetState = Windowed & {
  rules: BudgetRules
  gapMs: number
  changes: number
  again: BudgetState | undefined
}

/**
 * Lays out a profile for `createBudget`: in `sums` the numbers of each time rule, then the window of the mean kinetic temperature.
 */
export function budgetRules(profile: ProfileForm): BudgetRules {
  const times = profile.rules.flatMap((rule, place) => (rule.kind === 'time' ? [{ rule, place }] : []))
  const place = profile.rules.findIndex(({ kind }) => kind === 'mkt')
  const mkt = profile.rules[place]
  return {
    profile,
    times: times.map(({ rule }) => rule),
    places: times.map((one) => one.place),
    mkt:
      mkt?.kind === 'mkt'
        ? {
            ...mkt,
            term: kineticTerm(mkt.limit),
            place,
            window: windowPlace(timesOf(times.length), mkt.hours),
          }
        : undefined,
  }
}

/** The budget of a load that was opened at `from`, epoch ms, of which nothing is used. @param gapMs see `BudgetState` */
export function createBudget(rules: BudgetRules, from: number, gapMs: number): BudgetState {
  const sums = new Float64Array(timesOf(rules.times.length) + (rules.mkt ? WINDOW : 0))
  sums[SUM.from] = from
  sums[SUM.lowest] = Number.POSITIVE_INFINITY
  sums[SUM.highest] = Number.NEGATIVE_INFINITY
  return { rules, gapMs, changes: 0, sums, gaps: undefined, again: undefined }
}

/** People released it at a time, epoch ms: its rules count anew from then on, beside all that was used. The same again is nothing. */
export function releaseBudget(budget: BudgetState, at: number): void {
  if (at <= (budget.sums[SUM.from] as number)) return
  budget.changes++
  if (budget.again) releaseBudget(budget.again, at)
  else budget.again = createBudget(budget.rules, at, budget.gapMs)
}

/** Whether a temperature, °C, is beyond a rule's limit. */
export const isBeyond = ({ side, limit, isInclusive }: TimeRule, celsius: number): boolean =>
  celsius === limit ? isInclusive : side === 'above' ? celsius > limit : celsius < limit

const { missing: MISSING, scale: SCALE } = READING_FIELDS.temperature
const MINUTE = 60_000

/**
 * Takes the next reading of a load, °C. It must be newer than the one before: what is older makes the load to be reckoned anew.
 * Each stands for half the way to its neighbours, and for nothing over a gap.
 * @returns whether a rule is exhausted by it that was not, or was before it was released
 */
export function takeReading(budget: BudgetState, at: number, celsius: number): boolean {
  const { sums, rules, again } = budget
  const isAgain =
    again !== undefined && at > (again.sums[SUM.from] as number) && takeReading(again, at, celsius)
  const isFirst = sums[SUM.count] === 0
  const before = sums[SUM.last] as number
  const lastAt = sums[SUM.lastAt] as number
  budget.changes++
  sums[SUM.count] = (sums[SUM.count] as number) + 1
  if (celsius < (sums[SUM.lowest] as number)) sums[SUM.lowest] = celsius
  if (celsius > (sums[SUM.highest] as number)) sums[SUM.highest] = celsius
  const ms = isFirst ? 0 : at - lastAt
  const isGap = ms > budget.gapMs
  const isStep = !isFirst && !isGap
  if (isGap) passGap(budget, lastAt, before, at, celsius)
  const term = !isFirst && celsius === before ? (sums[SUM.lastTerm] as number) : kineticTerm(celsius)
  if (isStep) takeTerms(budget, lastAt, at, term)
  sums[SUM.lastTerm] = term
  let isExhausted = false
  for (let i = 0; i < rules.times.length; i++) {
    const rule = rules.times[i] as TimeRule
    if (isStep && isUntouched(rule, before, celsius)) continue
    if (isStep) takeTime(budget.sums, timesOf(i), rule, before, celsius, ms)
    if (noteReading(budget.sums, timesOf(i), rule, at, celsius)) isExhausted = true
  }
  const above = rules.mkt?.onlyAbove
  if (above != null && celsius > above) sums[SUM.lastAbove] = at
  sums[SUM.lastAt] = at
  sums[SUM.last] = celsius
  return decideMkt(budget, at) || isExhausted || isAgain
}

function takeTerms(budget: BudgetState, from: number, to: number, term: number): void {
  const { sums, rules } = budget
  const half = (to - from) / 2
  const before = sums[SUM.lastTerm] as number
  sums[SUM.measured] = (sums[SUM.measured] as number) + half * 2
  sums[SUM.kinetic] = (sums[SUM.kinetic] as number) + half * (before + term)
  if (rules.mkt) addStep(budget, rules.mkt.window, { from, to }, { before, after: term })
}

/** Of a rule beyond whose limits it neither was nor is nothing changes. */
const isUntouched = (rule: TimeRule, before: number, now: number): boolean =>
  rule.ifNeverBeyond === undefined && !isBeyond(rule, before) && !isBeyond(rule, now)

/** Half of the time belongs to the reading before, half to this one. */
function takeTime(
  sums: Float64Array,
  base: number,
  rule: TimeRule,
  before: number,
  now: number,
  ms: number,
): void {
  const wasBeyond = isBeyond(rule, before)
  const isNow = isBeyond(rule, now)
  if (!wasBeyond && !isNow) return
  const half = ms / 2
  if (wasBeyond) lengthen(sums, base, half, half * Math.abs(before - rule.limit))
  if (isNow && !wasBeyond) endSpell(sums, base)
  if (isNow) lengthen(sums, base, half, half * Math.abs(now - rule.limit))
  else endSpell(sums, base)
}

function lengthen(sums: Float64Array, base: number, ms: number, degrees: number): void {
  sums[base + TIME.degrees] = (sums[base + TIME.degrees] as number) + degrees
  for (let i = base; i < base + 3; i++) {
    sums[i] = (sums[i] as number) + ms
    const spell = (sums[i + TIME.now] as number) + ms
    sums[i + TIME.now] = spell
    if (spell > (sums[i + TIME.longest] as number)) sums[i + TIME.longest] = spell
  }
}

function endSpell(sums: Float64Array, base: number): void {
  for (let i = base + TIME.now; i < base + TIME.longest; i++) sums[i] = 0
}

/** What one reading says by itself. @returns whether the rule's time is used up by it */
function noteReading(sums: Float64Array, base: number, rule: TimeRule, at: number, celsius: number): boolean {
  if (sums[base + TIME.exhaustedAt] !== 0) return false
  const other = rule.ifNeverBeyond
  if (other !== undefined && (rule.side === 'above' ? celsius > other.limit : celsius < other.limit))
    sums[base + TIME.isBeyondOther] = 1
  const allowed = allowedMs(sums, base, rule)
  if (allowed === undefined) return false
  const used = sums[base + (rule.spell === 'total' ? TIME.least : TIME.longestLeast)] as number
  // one reading beyond what is never allowed is enough, though it stand for no time
  const isUsedUp =
    allowed === 0 ? isBeyond(rule, celsius) : rule.isFullAllowed ? used > allowed : used >= allowed
  if (isUsedUp) sums[base + TIME.exhaustedAt] = at
  return isUsedUp
}

/** What a rule allows now, ms; undefined: nobody has said. */
export function allowedMs(
  sums: Float64Array,
  base: number,
  { minutes, ifNeverBeyond }: TimeRule,
): number | undefined {
  if (minutes === null) return undefined
  const isLonger = ifNeverBeyond !== undefined && sums[base + TIME.isBeyondOther] === 0
  return (isLonger ? Math.max(minutes, ifNeverBeyond.minutes) : minutes) * MINUTE
}

function passGap(budget: BudgetState, from: number, before: number, to: number, after: number): void {
  const { sums, rules } = budget
  const { steepest, surroundings } = rules.profile
  const gap: Gap = { minutes: (to - from) / MINUTE, before, after, steepest, ...surroundings }
  sums[SUM.gap] = (sums[SUM.gap] as number) + (to - from)
  eachStep(gap, (start, length, least, most) => {
    const ms = length * MINUTE
    sums[SUM.gapLeast] = (sums[SUM.gapLeast] as number) + least * ms
    sums[SUM.gapMost] = (sums[SUM.gapMost] as number) + most * ms
    if (rules.mkt) addGap(budget, rules.mkt.window, { from: from + start * MINUTE, ms }, { least, most })
  })
  for (let i = 0; i < rules.times.length; i++) passGapOf(sums, timesOf(i), rules.times[i] as TimeRule, gap)
}

/** At least it was beyond at both ends alone, at most as long as it may have been at a stretch. */
function passGapOf(sums: Float64Array, base: number, rule: TimeRule, gap: Gap): void {
  const { least, most, atFirst, atLast } = minutesBeyond(gap, rule.limit, rule.side)
  const ms = gap.minutes * MINUTE
  const wasBeyond = isBeyond(rule, gap.before)
  const isNow = isBeyond(rule, gap.after)
  sums[base + TIME.least] = (sums[base + TIME.least] as number) + least * MINUTE
  sums[base + TIME.most] = (sums[base + TIME.most] as number) + most * MINUTE
  sums[base + TIME.now] = 0
  const isThroughout = wasBeyond && isNow && least >= gap.minutes
  if (isThroughout) goOn(sums, base + 1, ms)
  else beginAgain(sums, base + 1, wasBeyond ? atFirst * MINUTE : 0, isNow ? atLast * MINUTE : 0)
  if (wasBeyond && isNow) goOn(sums, base + 2, ms)
  else beginAgain(sums, base + 2, isNow ? 0 : most * MINUTE, isNow ? most * MINUTE : 0)
}

/** A spell goes on through a gap. */
function goOn(sums: Float64Array, column: number, ms: number): void {
  const spell = (sums[column + TIME.now] as number) + ms
  sums[column + TIME.now] = spell
  sums[column + TIME.longest] = Math.max(sums[column + TIME.longest] as number, spell)
}

/** A spell ends within a gap, after `first`; another lasts since `last` before its end. */
function beginAgain(sums: Float64Array, column: number, first: number, last: number): void {
  const before = (sums[column + TIME.now] as number) + first
  sums[column + TIME.now] = last
  sums[column + TIME.longest] = Math.max(sums[column + TIME.longest] as number, before, last)
}

/** Windows count once they are whole: goods that were loaded an hour ago are not evaluated by that hour. */
function decideMkt(budget: BudgetState, at: number): boolean {
  const { sums, rules } = budget
  const { mkt, profile } = rules
  if (mkt === undefined || !profile.mktDecides) return false
  const ms = mkt.hours * 3_600_000
  if (sums[SUM.mktExhaustedAt] !== 0 || at - (sums[SUM.from] as number) < ms) return false
  if (mkt.onlyAbove !== null && (sums[SUM.lastAbove] as number) <= at - ms) return false
  if (excessOf(budget, mkt.window, at, mkt.term) <= 0) return false
  exhaustMkt(sums, at, meanTerms(budget, mkt.window, at).mean)
  return true
}

/**
 * What was published of a load while readings were there that are no longer kept: by which rule of its profile it was exhausted when (epoch ms),
 * and how much of that was used then, minutes or °C. What readings say of the same or a time before stays.
 */
export function takeExhausted(
  budget: BudgetState,
  exhausted: { at: number; rule: number; used: number },
): void {
  const { rules, sums, again } = budget
  const { at, rule, used } = exhausted
  if (again && at > (again.sums[SUM.from] as number)) {
    budget.changes++
    takeExhausted(again, exhausted)
  }
  const i = rules.places.indexOf(rule)
  const isMkt = rules.mkt?.place === rule
  if (i < 0 && !isMkt) return
  const known = sums[isMkt ? SUM.mktExhaustedAt : timesOf(i) + TIME.exhaustedAt] as number
  if (known !== 0 && known <= at) return
  budget.changes++
  if (isMkt) {
    exhaustMkt(sums, at, kineticTerm(used))
    return
  }
  const base = timesOf(i)
  sums[base + TIME.exhaustedAt] = at
  const first = base + (rules.times[i]?.spell === 'longest' ? TIME.longest : TIME.used)
  for (let column = first; column < first + 3; column++)
    sums[column] = Math.max(sums[column] as number, used * MINUTE)
}

function exhaustMkt(sums: Float64Array, at: number, term: number): void {
  sums[SUM.mktExhaustedAt] = at
  sums[SUM.mktExhaustedTerm] = term
}

/** The load is over: one that was measured for less than the hours of its mean kinetic temperature is evaluated by all that was. */
export function endBudget(budget: BudgetState): void {
  const { rules, sums, again } = budget
  const { mkt, profile } = rules
  budget.changes++
  if (again) endBudget(again)
  if (mkt === undefined || !profile.mktDecides || sums[SUM.mktExhaustedAt] !== 0) return
  if ((sums[SUM.lastAt] as number) - (sums[SUM.from] as number) >= mkt.hours * 3_600_000) return
  if (mkt.onlyAbove !== null && sums[SUM.lastAbove] === 0) return
  const measured = sums[SUM.measured] as number
  const term = sums[SUM.kinetic] as number
  if (term > mkt.term * measured) exhaustMkt(sums, sums[SUM.lastAt] as number, term / measured)
}

/** A load over all its readings, those of from ≤ at < to, ascending. */
export function takeReadings(
  budget: BudgetState,
  { length, at, temperature }: Pick<ReadingColumns, 'length' | 'at' | 'temperature'>,
  to = Number.POSITIVE_INFINITY,
): void {
  for (let row = 0; row < length; row++) {
    const stored = temperature[row] as number
    const time = at[row] as number
    if (stored === MISSING || time < (budget.sums[SUM.from] as number) || time >= to) continue
    if (budget.sums[SUM.count] !== 0 && time <= (budget.sums[SUM.lastAt] as number)) continue
    takeReading(budget, time, stored / SCALE)
  }
}

import type { ProfileRule } from '../contracts/entities/profiles.ts'
import { figure } from './figures.ts'
import { clockTime } from './written-time.ts'
import { startOfDay, wallTime } from './zoned-time.ts'

/** What of a budget is put into words: as Budget of the contracts has it. Minutes, %, epoch ms; null: not so, or not measured. */
export type BudgetFigures = {
  state: 'within' | 'at-risk' | 'exhausted'
  percent: number | null
  exhaustsAt: number | null
  /** the reading it is as of */
  asOf: number | null
  gapMinutes: number
  /** of the rule that is nearest to its end */
  least: number
  most: number
  /** its mean kinetic temperature is above the limit so far, which decides once there are hours enough */
  isTooWarmSoFar?: boolean
  /** readings of it that are no longer kept; left out: none */
  gone?: 'some' | 'all'
  /** what people decided after their review; left out: nothing */
  decided?: 'released' | 'rejected'
}

/** What is said of goods whose budget is exhausted, wherever it is said, until somebody decided about them. */
export const EXHAUSTED_WORDS = 'Exhausted: hold for review'

/**
 * How much of a budget is used, in the words that are used everywhere: «Within budget», «62 % used, at this temperature exhausted 16:40»,
 * «Exhausted: hold for review», «Exhausted: released after review», «Between 4 h 05 and 6 h 20 used: 3 h without readings», «Its readings
 * are no longer kept».
 * @param now epoch ms: what is not of its day is said with its own, and what it is past already as what may have been
 */
export function budgetWords(budget: BudgetFigures, timeZone: string, now: number): string {
  const { state, percent, exhaustsAt, asOf, least, most, gapMinutes, isTooWarmSoFar, gone, decided } = budget
  if (state === 'exhausted')
    return decided === undefined ? EXHAUSTED_WORDS : `Exhausted: ${decided} after review`
  if (percent === null || asOf === null) return UNMEASURED[gone ?? 'none']
  const used = `${Math.floor(percent)} % used`
  if (exhaustsAt !== null) {
    const when = whenOf(exhaustsAt, now, timeZone)
    return exhaustsAt > now
      ? `${used}, at this temperature exhausted ${when}`
      : `${used}, exhausted ${when} if it stayed at this temperature`
  }
  if (Math.round(most - least) >= 1 && gapMinutes > 0)
    return `Between ${hoursWords(least)} and ${hoursWords(most)} used: ${hoursWords(gapMinutes)} without readings`
  if (state === 'within') return percent >= 1 ? used : 'Within budget'
  // few minutes are no reason to be at risk: what is says so
  if (isTooWarmSoFar)
    return `${percent >= 1 ? used : 'At risk'}, mean kinetic temperature above its limit so far`
  return percent < 1 && gapMinutes > 0
    ? `At risk, may have been beyond a limit: ${hoursWords(gapMinutes)} without readings`
    : used
}

/**
 * «Its readings of before 19-11-2026 05:00 are no longer kept: what was published of it stays».
 * @param keptFrom since when the readings of the load are kept, an instant as ISO 8601; `written`: that in words
 */
export function goneWords(
  { closedAt }: { closedAt: string | null },
  keptFrom: string,
  written: string,
): string {
  const areAll = closedAt !== null && Date.parse(closedAt) <= Date.parse(keptFrom)
  return `Its readings ${areAll ? '' : `of before ${written} `}are no longer kept: what was published of it stays`
}

const UNMEASURED = {
  none: 'Not measured',
  some: 'Not measured, as far as is kept',
  all: 'Its readings are no longer kept',
}

/** «16:40», or with its day where that is not today: «17 Jun 04:10». */
function whenOf(at: number, now: number, timeZone: string): string {
  if (startOfDay(at, timeZone) === startOfDay(now, timeZone)) return clockTime(at, timeZone)
  const { day, month } = wallTime(at, timeZone)
  return `${day} ${MONTHS[month - 1]} ${clockTime(at, timeZone)}`
}
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** «4 h 05», «3 h», «45 min»; whole minutes. */
export function hoursWords(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes))
  const hours = Math.floor(whole / 60)
  if (hours === 0) return `${whole} min`
  return whole % 60 === 0 ? `${hours} h` : `${hours} h ${String(whole % 60).padStart(2, '0')}`
}

const celsius = (value: number): string => `${figure(value)} °C`

/**
 * «Above 8 °C for at most 24 h in all: 24 h 10 used», «Never above 15 °C», «Mean kinetic temperature of any 24 h at most 8 °C: 8.3 °C».
 * @param used minutes, or °C of a mean kinetic temperature
 */
export function exhaustedRuleWords(rule: ProfileRule, used: number): string {
  if (rule.kind === 'mkt') return `${ruleWords(rule)}: ${celsius(used)}`
  return rule.minutes === 0 ? ruleWords(rule) : `${ruleWords(rule)}: ${hoursWords(used)} used`
}

/** A rule as a sentence: «Above 8 °C for at most 24 h», «Never below 2 °C», «Mean kinetic temperature of any 24 h at most 8 °C». */
export function ruleWords(rule: ProfileRule): string {
  if (rule.kind === 'mkt') {
    const hours = rule.hours === 24 ? '24 h' : `${rule.hours / 24} days`
    const only = rule.onlyAbove === null ? '' : ` in which it was above ${celsius(rule.onlyAbove)}`
    return `Mean kinetic temperature of any ${hours}${only} at most ${celsius(rule.limit)}`
  }
  const where = rule.isInclusive
    ? `${celsius(rule.limit)} or ${rule.side}`
    : `${rule.side} ${celsius(rule.limit)}`
  if (rule.minutes === 0) return `Never ${where}`
  const at = rule.isInclusive ? `At ${where}` : `${where[0]?.toUpperCase()}${where.slice(1)}`
  if (rule.minutes === null) return `${at}: shown, decides nothing until your company says how long`
  const much = rule.isFullAllowed ? 'at most' : 'less than'
  const stretch = rule.spell === 'longest' ? ' at a stretch' : ' in all'
  const other = rule.ifNeverBeyond
  const longer =
    other === undefined
      ? ''
      : `, or ${hoursWords(other.minutes)} if never ${rule.side} ${celsius(other.limit)}`
  return `${at} for ${much} ${hoursWords(rule.minutes)}${stretch}${longer}`
}

import type { DeviceHistory, KnownViolation } from '#machines/contracts/entities/devices.ts'
import { excessBetween } from '#machines/rules/excess.ts'
import { gapAfter } from '#machines/rules/gap.ts'
import { quantityOf } from '#machines/rules/limits.ts'

export type Quantity = 'temperature' | 'humidity'

/** One measured value; `value` NaN marks a break, so that no line is drawn across a time without readings. */
export type Sample = { at: Date; value: number }
export type Gap = { from: Date; to: Date }
/** °C or %, as the history's group has them; `min` and `max` are the ends of the axis. */
export type Limits = { low: number; high: number; min: number; max: number }
/** A time beyond one limit, from the first reading beyond it. */
export type Spell = {
  side: 'above' | 'below'
  /** of the limit, °C or % */
  limit: number
  from: Date
  /** the reading that was inside again, or the last there is */
  to: Date
  worst: Sample
  /** how far beyond for how long: ∫ |value − limit| dt, in degrees or per cent times minutes, by straight lines */
  degreeMinutes: number
  /** it goes on at the last reading */
  isOpen: boolean
  /** it was so at the first reading: it may have begun earlier */
  isFromStart: boolean
}
export type Series = {
  samples: Sample[]
  gaps: Gap[]
  limits: Limits
  minimum: Sample | undefined
  maximum: Sample | undefined
  /** time beyond the limits, ms, by straight lines between readings */
  beyond: number
  /** oldest first */
  spells: Spell[]
  /** a silence longer than this is a gap, ms */
  patience: number
}

/** One quantity of a history, ready to be drawn and told. */
export function seriesOf({ points, thresholds, violations = [] }: DeviceHistory, quantity: Quantity): Series {
  const limits = limitsOf(thresholds, quantity)
  const measured: Sample[] = []
  for (const point of points) {
    const value = point[quantity]
    if (value !== null) measured.push({ at: new Date(point.dateTime), value })
  }
  const patience = gapAfter(measured.map(({ at }) => at.getTime()))
  const samples: Sample[] = []
  const gaps: Gap[] = []
  let beyond = 0
  for (const [i, sample] of measured.entries()) {
    const before = measured[i - 1]
    if (before !== undefined) {
      if (sample.at.getTime() - before.at.getTime() > patience) {
        gaps.push({ from: before.at, to: sample.at })
        samples.push({ at: new Date(before.at.getTime() + 1), value: Number.NaN })
      } else beyond += beyondBetween(before, sample, limits)
    }
    samples.push(sample)
  }
  return {
    samples,
    gaps,
    limits,
    minimum: extreme(measured, (a, b) => a < b),
    maximum: extreme(measured, (a, b) => a > b),
    beyond,
    patience,
    spells: asKnown(
      spellsOf(samples, limits),
      violations.filter(({ type }) => quantityOf(type) === quantity),
    ),
  }
}

/** The history as it looked before what came late was there. */
export function meanwhileOf(history: DeviceHistory): DeviceHistory {
  return { ...history, points: history.points.filter(({ receivedAt }) => receivedAt === undefined) }
}

const sideOf = (value: number, { low, high }: Limits): Spell['side'] | undefined => {
  if (low >= high) return undefined
  if (value > high) return 'above'
  return value < low ? 'below' : undefined
}

/** A break ends a spell at the last reading before it: what was not measured is not told. */
function spellsOf(samples: readonly Sample[], limits: Limits): Spell[] {
  const spells: Spell[] = []
  let spell: Spell | undefined
  let before: Sample | undefined
  for (const sample of samples) {
    const isBreak = Number.isNaN(sample.value)
    const side = isBreak ? undefined : sideOf(sample.value, limits)
    if (spell !== undefined && before !== undefined && !isBreak) extend(spell, before, sample)
    if (spell !== undefined && side !== spell.side) {
      spell.isOpen = false
      spell = undefined
    }
    if (spell === undefined && side !== undefined) {
      spell = begun(sample, side, limits, sample === samples[0])
      spells.push(spell)
    }
    before = isBreak ? undefined : sample
  }
  return spells
}

/**
 * Spells as violations are told: those within one violation are one, since when that began. It lasts while a reading is inside by
 * less than the margin, and may have begun before what is shown.
 */
function asKnown(spells: readonly Spell[], violations: readonly KnownViolation[]): Spell[] {
  const known: Spell[] = []
  let last: KnownViolation | undefined
  for (const spell of spells) {
    const violation = violations.findLast((one) => isWithin(spell, one))
    const before = known.at(-1)
    if (violation !== undefined && violation === last && before !== undefined) join(before, spell)
    else known.push(violation === undefined ? spell : since(violation, spell))
    last = violation
  }
  return known
}

const isWithin = ({ side, from, to }: Spell, { type, since, clearedAt }: KnownViolation): boolean =>
  (side === 'above') === type.startsWith('HIGH') &&
  to.getTime() >= Date.parse(since) &&
  (clearedAt === null || from.getTime() < Date.parse(clearedAt))

const since = (violation: KnownViolation, spell: Spell): Spell => ({
  ...spell,
  from: new Date(violation.since),
  isFromStart: violation.isSinceBefore === true,
})

function join(spell: Spell, more: Spell): void {
  spell.to = more.to
  spell.isOpen = more.isOpen
  spell.degreeMinutes += more.degreeMinutes
  const over = ({ worst }: Spell): number => Math.abs(worst.value - spell.limit)
  if (over(more) > over(spell)) spell.worst = more.worst
}

const begun = (sample: Sample, side: Spell['side'], limits: Limits, isFromStart: boolean): Spell => ({
  side,
  limit: side === 'above' ? limits.high : limits.low,
  from: sample.at,
  to: sample.at,
  worst: sample,
  degreeMinutes: 0,
  isOpen: true,
  isFromStart,
})

function extend(spell: Spell, before: Sample, sample: Sample): void {
  const { side, limit } = spell
  const over = ({ value }: Sample): number => (side === 'above' ? value - limit : limit - value)
  const minutes = (sample.at.getTime() - before.at.getTime()) / 60_000
  spell.degreeMinutes += excessBetween(over(before), over(sample), minutes)
  spell.to = sample.at
  if (over(sample) > over(spell.worst)) spell.worst = sample
}

function limitsOf(thresholds: DeviceHistory['thresholds'], quantity: Quantity): Limits {
  return quantity === 'temperature'
    ? {
        low: thresholds.lowTemperatureThreshold,
        high: thresholds.highTemperatureThreshold,
        min: thresholds.tmin,
        max: thresholds.tmax,
      }
    : {
        low: thresholds.lowHumidityThreshold,
        high: thresholds.highHumidityThreshold,
        min: thresholds.hmin,
        max: thresholds.hmax,
      }
}

/** Time a straight line from `a` to `b` spends outside the limits, ms. */
function beyondBetween(a: Sample, b: Sample, limits: Limits): number {
  const span = b.at.getTime() - a.at.getTime()
  if (limits.low >= limits.high) return 0
  return span * (shareAbove(a.value, b.value, limits.high) + shareAbove(-a.value, -b.value, -limits.low))
}

function shareAbove(a: number, b: number, limit: number): number {
  if (a <= limit && b <= limit) return 0
  if (a > limit && b > limit) return 1
  return Math.abs(((a > limit ? a : b) - limit) / (a - b))
}

function extreme(samples: Sample[], isBetter: (a: number, b: number) => boolean): Sample | undefined {
  let best: Sample | undefined
  for (const sample of samples) if (best === undefined || isBetter(sample.value, best.value)) best = sample
  return best
}

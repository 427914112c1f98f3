import type { Evaluation } from '../contracts/entities/evaluation.ts'
import type { Thresholds } from '../contracts/entities/thresholds.ts'
import type { ViolationType } from '../contracts/scalars.ts'

/** What is measured and has limits. */
export type Quantity = 'temperature' | 'humidity'
/** Which end of the band. */
export type Side = 'high' | 'low'

/**
 * The band one quantity of one device must keep, °C or %, and how long it may last. A limit that is not set is NaN:
 * no value is beyond it.
 */
export type Limits = {
  low: number
  high: number
  /** how long a value must stay beyond before it is a violation, ms */
  delay: number
  /** how far it must come back inside before that is over, °C or % */
  margin: number
  /** a silence longer than this starts the delay anew, ms */
  gap: number
}

/** How a company, or a group of it, wants violations evaluated (a profile holds seconds). */
export type Judgement = {
  violationDelaySeconds: number
  clearMarginTemperature: number
  clearMarginHumidity: number
  patienceSeconds: number
}

/** On the limit is not above; nor is NaN, which was not measured. */
export const isAbove = (value: number, limits: Limits): boolean => value > limits.high
/** On the limit is not below; nor is NaN, which was not measured. */
export const isBelow = (value: number, limits: Limits): boolean => value < limits.low
/** Back inside a limit by the margin, or that limit is gone. */
export const isBack = (value: number, side: Side, limit: number, margin: number): boolean =>
  side === 'high' ? !(value > limit - margin) : !(value < limit + margin)
/**
 * Whether a violation of `limit` ends with a value. Where that limit is in force no more, no margin asks for what it never
 * kept: the value only has to be inside the one that is.
 */
export function isOver(value: number, side: Side, limit: number, now: Limits): boolean {
  return isBack(value, side, now[side], limit === now[side] ? now.margin : 0)
}
/** Such a value is back inside whichever limit it was beyond. */
export function isWellInside(value: number, limits: Limits): boolean {
  const { low, high, margin } = limits
  return (
    !isAbove(value, limits) &&
    !isBelow(value, limits) &&
    isBack(value, 'high', high, margin) &&
    isBack(value, 'low', low, margin)
  )
}

/** The one farther out. */
export const worse = (side: Side, a: number, b: number): number =>
  side === 'high' ? Math.max(a, b) : Math.min(a, b)

/** How a group's limits are evaluated: what it has not set is as its company has it. */
export function judgementOf(company: Judgement, own: Evaluation | undefined): Judgement {
  if (own === undefined) return company
  return {
    violationDelaySeconds: own.violationDelaySeconds ?? company.violationDelaySeconds,
    clearMarginTemperature: own.clearMarginTemperature ?? company.clearMarginTemperature,
    clearMarginHumidity: own.clearMarginHumidity ?? company.clearMarginHumidity,
    patienceSeconds: company.patienceSeconds,
  }
}

/** The violation of a quantity beyond one end of its band. */
export function violationOf(quantity: Quantity, side: Side): ViolationType {
  if (quantity === 'temperature')
    return side === 'high' ? 'HIGH_TEMPERATURE_DETECTED' : 'LOW_TEMPERATURE_DETECTED'
  return side === 'high' ? 'HIGH_HUMIDITY_DETECTED' : 'LOW_HUMIDITY_DETECTED'
}

/** What a violation is of. */
export const quantityOf = (type: ViolationType): Quantity =>
  type === 'HIGH_TEMPERATURE_DETECTED' || type === 'LOW_TEMPERATURE_DETECTED' ? 'temperature' : 'humidity'

/**
 * The limits of a quantity from a group's thresholds and its company's profile. A band without room (low is not under
 * high) is one nobody has set yet: new groups start with zeros.
 */
export function limitsOf(quantity: Quantity, thresholds: Thresholds | undefined, company: Judgement): Limits {
  const isTemperature = quantity === 'temperature'
  const low = isTemperature ? thresholds?.lowTemperatureThreshold : thresholds?.lowHumidityThreshold
  const high = isTemperature ? thresholds?.highTemperatureThreshold : thresholds?.highHumidityThreshold
  const isSet = low !== undefined && high !== undefined && low < high
  return {
    low: isSet ? low : Number.NaN,
    high: isSet ? high : Number.NaN,
    delay: company.violationDelaySeconds * 1000,
    margin: isTemperature ? company.clearMarginTemperature : company.clearMarginHumidity,
    gap: company.patienceSeconds * 1000,
  }
}

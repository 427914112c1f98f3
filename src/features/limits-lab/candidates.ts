import type { Group } from '#machines/contracts/entities/groups.ts'
import type { Candidate, LimitsTrial } from '#machines/contracts/entities/limits-trials.ts'
import { figure } from '#machines/rules/figures.ts'
import { groupFaults } from '#machines/rules/group-form.ts'
import { inMinutes } from '../../format/group-words.ts'

export type Quantity = LimitsTrial['quantity']

export const unitOf = (quantity: Quantity): string => (quantity === 'temperature' ? '°C' : '%')

/** What is in force in a group; undefined: nobody has set its limits yet. */
export function inForceOf(group: Group, quantity: Quantity): Candidate {
  const company = group.companyEvaluation
  const isTemperature = quantity === 'temperature'
  return {
    low: isTemperature ? group.lowTemperatureThreshold : group.lowHumidityThreshold,
    high: isTemperature ? group.highTemperatureThreshold : group.highHumidityThreshold,
    delaySeconds: group.violationDelaySeconds ?? company?.violationDelaySeconds ?? 0,
    margin:
      (isTemperature ? group.clearMarginTemperature : group.clearMarginHumidity) ??
      (isTemperature ? company?.clearMarginTemperature : company?.clearMarginHumidity) ??
      0,
  }
}

/** What is wrong with a candidate, one message a field. */
export function candidateFaults(
  group: Group,
  quantity: Quantity,
  { low, high, delaySeconds, margin }: Candidate,
): { [K in keyof Candidate]?: string } {
  const isTemperature = quantity === 'temperature'
  const faults = groupFaults(
    isTemperature
      ? {
          lowTemperatureThreshold: low,
          highTemperatureThreshold: high,
          violationDelaySeconds: delaySeconds,
          clearMarginTemperature: margin,
        }
      : {
          lowHumidityThreshold: low,
          highHumidityThreshold: high,
          violationDelaySeconds: delaySeconds,
          clearMarginHumidity: margin,
        },
    group,
  )
  const found: { [K in keyof Candidate]?: string } = {}
  for (const { path, message } of faults) {
    if (path.startsWith('low')) found.low = message
    else if (path.startsWith('high')) found.high = message
    else if (path.startsWith('violation')) found.delaySeconds = message
    else found.margin = message
  }
  if (!(low < high)) found.high ??= 'Must be above the low limit'
  return found
}

/** `2 to 8 °C · after 10 min · back by 0.5 °C` */
export function candidateWords({ low, high, delaySeconds, margin }: Candidate, quantity: Quantity): string {
  const unit = unitOf(quantity)
  return `${figure(low)} to ${figure(high)}\u00a0${unit} · after ${figure(inMinutes(delaySeconds))}\u00a0min · back by ${figure(margin)}\u00a0${unit}`
}

/** A time nobody knows exactly: `a few seconds`, `about 40 s`, `about 7 min`, `about 2 h`. */
export function aboutLasting(seconds: number): string {
  if (seconds < 10) return 'a few seconds'
  if (seconds < 90) return `about ${Math.round(seconds / 10) * 10} s`
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} min`
  return `about ${Math.round(seconds / 3600)} h`
}

import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Evaluation } from '#machines/contracts/entities/evaluation.ts'
import type { Candidate, LimitsTrial } from '#machines/contracts/entities/limits-trials.ts'
import type { Thresholds } from '#machines/contracts/entities/thresholds.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { boundsOf } from '#machines/projections/bounds.ts'
import { type Directory, type Group, isWithin } from '#machines/projections/directory.ts'
import { groupFaults } from '#machines/rules/group-form.ts'
import { judgementOf, limitsOf } from '#machines/rules/limits.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse } from '../decision.ts'
import { changesOf, isEmpty, originOf } from '../structure.ts'
import { evaluationSet } from './set-evaluation.ts'

type Quantity = LimitsTrial['quantity']

/** Limits, delay and margin of a group become those that were tried, with what these made of the time they were tried on. */
export function applyTrial(
  directory: Directory,
  command: CommandOf<'group.apply-trial'>,
  topId: string,
): Decision {
  const { groupId, quantity, candidate, ...tried } = command.data
  const group = directory.groups.get(groupId)
  if (group === undefined || !isWithin(directory, groupId, topId)) return refuse(404, NOT_FOUND)
  const { thresholds, evaluation } = settingsOf(quantity, candidate)
  const faults = groupFaults({ ...thresholds, ...evaluation }, boundsOf(directory, group.companyId))
  if (faults.length > 0) return faulty(faults)
  const origin = originOf(command, group.companyId)
  const changes = changesOf<Partial<Thresholds>>(group, thresholds)
  const before = candidateInForce(directory, group, quantity)
  // what is in force by the company's setting goes on following it
  const own = settingsOf(quantity, before).evaluation
  const changed = changesOf<Partial<Evaluation>>(own, evaluation)
  const set: NewFact[] = [
    ...(isEmpty(changes)
      ? []
      : [{ ...origin, type: 'group.updated', data: { groupId, ...changes } } as NewFact]),
    ...evaluationSet(group, changed, origin),
  ]
  // what is in force already is not applied a second time
  if (set.length === 0) return decided()
  return decided(...set, {
    ...origin,
    type: 'limits-trial.applied',
    data: { ...tried, groupId, quantity, before, candidate },
  })
}

/** What is in force in a group now, as what is tried has it. Zeros are limits nobody has set. */
export function candidateInForce(
  { companies }: Pick<Directory, 'companies'>,
  group: Group,
  quantity: Quantity,
): Candidate {
  const company = companies.get(group.companyId)
  const limits = company && limitsOf(quantity, group, judgementOf(company, group.evaluation))
  const orZero = (value: number | undefined): number =>
    value === undefined || Number.isNaN(value) ? 0 : value
  return {
    low: orZero(limits?.low),
    high: orZero(limits?.high),
    delaySeconds: Math.round(orZero(limits?.delay) / 1000),
    margin: orZero(limits?.margin),
  }
}

/** A candidate as a group's form has it. */
export function settingsOf(
  quantity: Quantity,
  { low, high, delaySeconds, margin }: Candidate,
): { thresholds: Partial<Thresholds>; evaluation: Partial<Evaluation> } {
  return quantity === 'temperature'
    ? {
        thresholds: { lowTemperatureThreshold: low, highTemperatureThreshold: high },
        evaluation: { violationDelaySeconds: delaySeconds, clearMarginTemperature: margin },
      }
    : {
        thresholds: { lowHumidityThreshold: low, highHumidityThreshold: high },
        evaluation: { violationDelaySeconds: delaySeconds, clearMarginHumidity: margin },
      }
}

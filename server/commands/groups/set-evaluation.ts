import type { Evaluation } from '#machines/contracts/entities/evaluation.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { evaluationOf, type Group } from '#machines/projections/directory.ts'
import { changesOf, isEmpty } from '../structure.ts'

/** What is given of how a group's limits are evaluated: a fact where it is otherwise than before. */
export function evaluationSet(
  group: Pick<Group, '_id' | 'evaluation'>,
  { violationDelaySeconds, clearMarginTemperature, clearMarginHumidity }: GivenEvaluation,
  origin: Pick<NewFact, 'at' | 'companyId' | 'by'>,
): NewFact[] {
  const now = evaluationOf(group)
  const changes = changesOf(now, { violationDelaySeconds, clearMarginTemperature, clearMarginHumidity })
  if (isEmpty(changes)) return []
  return [{ ...origin, type: 'group.evaluation-set', data: { groupId: group._id, ...now, ...changes } }]
}

/** What is left out stays as it is. */
export type GivenEvaluation = { [K in keyof Evaluation]?: Evaluation[K] | undefined }

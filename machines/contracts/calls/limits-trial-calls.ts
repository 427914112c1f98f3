import { array, integer, max, min, object, size } from 'superstruct'
import { Group } from '../entities/groups.ts'
import {
  Candidate,
  LimitsTrial,
  LimitsTrialWithResult,
  MOST_CANDIDATES,
  TRIAL_DAYS,
  TrialEstimate,
  TriedQuantity,
} from '../entities/limits-trials.ts'
import { Id, WritableInstant } from '../scalars.ts'
import { calls, whole } from './call.ts'

const ByGroup = object({ groupId: Id })
const ByTrial = object({ groupId: Id, trialId: Id })

export const LIMITS_TRIAL_CALLS = calls({
  limitsTrials: {
    method: 'GET',
    path: '/groups/{groupId}/limits-trials',
    summary: 'What was tried lately for a group, newest first.',
    access: 'session',
    params: ByGroup,
    answer: array(LimitsTrial),
  },
  tryLimits: {
    method: 'POST',
    path: '/groups/{groupId}/limits-trials',
    summary: `Try up to ${MOST_CANDIDATES} candidates of limits, delay and margin on the readings of up to ${TRIAL_DAYS} days of the devices directly in a group, beside what was in force. One is tried at a time; how far it is, its result says.`,
    access: 'session',
    params: ByGroup,
    body: object({
      quantity: TriedQuantity,
      startDate: WritableInstant,
      endDate: WritableInstant,
      candidates: size(array(Candidate), 1, MOST_CANDIDATES),
    }),
    answer: LimitsTrial,
    status: 201,
  },
  limitsTrialEstimate: {
    method: 'GET',
    path: '/groups/{groupId}/limits-trial-estimate',
    summary:
      'How many readings so many candidates would be tried on, and how long that takes about, before it is begun. An estimate: what else the server does is not in it.',
    access: 'session',
    params: ByGroup,
    query: object({
      startDate: WritableInstant,
      endDate: WritableInstant,
      candidates: whole(1, MOST_CANDIDATES, 1),
    }),
    answer: TrialEstimate,
  },
  limitsTrial: {
    method: 'GET',
    path: '/groups/{groupId}/limits-trials/{trialId}',
    summary: 'How far it is, and what came of it once it is done.',
    access: 'session',
    params: ByTrial,
    answer: LimitsTrialWithResult,
  },
  cancelLimitsTrial: {
    method: 'POST',
    path: '/groups/{groupId}/limits-trials/{trialId}/cancel',
    summary: 'Stop it; nothing of it is kept but that it was.',
    access: 'session',
    params: ByTrial,
    answer: LimitsTrial,
  },
  applyLimitsTrial: {
    method: 'POST',
    path: '/groups/{groupId}/limits-trials/{trialId}/apply',
    summary: 'Make a candidate (0 to 2) the limits, delay and margin of the group from now on.',
    access: 'session',
    params: ByTrial,
    body: object({ candidate: max(min(integer(), 0), MOST_CANDIDATES - 1) }),
    answer: Group,
  },
})

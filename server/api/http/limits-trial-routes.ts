import {
  type Candidate,
  type LimitsTrial,
  TRIAL_DAYS,
  type TrialDevice,
} from '#machines/contracts/entities/limits-trials.ts'
import { boundsOf } from '#machines/projections/bounds.ts'
import { deviceThen, isWithin } from '#machines/projections/directory.ts'
import { type GroupBasis, groupFaults } from '#machines/rules/group-form.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { applyTrial, candidateInForce, settingsOf } from '../../commands/groups/apply-trial.ts'
import { STRUCTURE } from '../../commands/structure.ts'
import { createTrials, type Trials, TrialsFull } from '../../jobs/trials/trials.ts'
import { seqAt } from '../../read-models/shift.ts'
import type { HttpContext } from './context.ts'
import { groupAnswer } from './group-answer.ts'
import { ApiError, refusal } from './refusals.ts'
import type { CallRequest } from './routes.ts'

const DAY = 86_400_000
export const NO_DEVICES = 'No device is directly in this group: limits are of the group a device is in'
export const NOT_DONE = 'This is not through, so there is nothing to apply'
const NOT_KEPT = `What came of these limits is not kept: it is for ${TRIAL_DAYS} days`
const NO_SPAN = 'Choose a start before the end'
const TOO_LONG = `Choose ${TRIAL_DAYS} days at most`
const NO_BAND = 'The low limit must be below the high one'

type Deps = Pick<
  HttpContext,
  'answerCall' | 'app' | 'clock' | 'cluster' | 'execute' | 'readModels' | 'store' | 'visible'
>

/** What routes of trials have in common. */
type Common = Deps & { trials: Trials }

/** Limits tried on what was measured, and made those of a group. */
export function limitsTrialRoutes(deps: Deps): void {
  const { answerCall, app, clock, cluster, readModels, store, visible } = deps
  const { directory } = readModels
  const report = (error: unknown): void => app.log.error(error)
  const trials = createTrials({ store, directory, clock, cluster, report })
  const common: Common = { ...deps, trials }
  app.addHook('onClose', () => trials.stop())

  answerCall('limitsTrials', ({ params, visitor }) => {
    const { _id, companyId } = visible.group(visitor, params.groupId)
    return trials.of(companyId, _id)
  })
  answerCall('limitsTrialEstimate', async ({ params, query, visitor }) => {
    const devices = [...visible.group(visitor, params.groupId).devices]
    return trials.estimate({ ...spanOf(query, clock.now()), devices, candidates: query.candidates })
  })
  answerCall('tryLimits', (request) => tryLimits(common, request))
  answerCall('limitsTrial', async ({ params, visitor }) => {
    const { group, trial } = await trialOf(common, visitor, params)
    const result = await resultOf(common, trial, group.companyId)
    if (trial.state === 'done' && result === undefined) throw new ApiError(404, NOT_KEPT)
    // figures stay what they were; a device that was moved beyond the visitor's groups since is none of theirs
    const then = { seq: seqAt(store.log, Date.parse(trial.startedAt)), companyId: group.companyId }
    const isSeen = ({ imei }: TrialDevice): boolean =>
      isWithin(directory, deviceThen(directory, imei, then)?.groupId ?? null, visitor.groupId)
    return { ...trial, result: result ? { ...result, devices: result.devices.filter(isSeen) } : null }
  })
  answerCall('cancelLimitsTrial', async ({ params, visitor }) => {
    const { group, trial } = await trialOf(common, visitor, params)
    if (trial.state !== 'running') return trial
    await trials.cancel(group.companyId, trial._id)
    return (await trialOf(common, visitor, params)).trial
  })
  answerCall('applyLimitsTrial', (request) => applyLimits(common, request))
}

function tryLimits(
  { trials, visible, readModels: { directory }, clock }: Common,
  { params, body, visitor }: CallRequest<'tryLimits'>,
) {
  const group = visible.group(visitor, params.groupId)
  const { quantity, candidates } = body
  const { from, to } = spanOf(body, clock.now())
  const bounds = boundsOf(directory, group.companyId)
  for (const candidate of candidates) refuseWrong(quantity, candidate, bounds)
  const things = [...group.devices].flatMap((no) => directory.devices[no]?.imei ?? [])
  if (things.length === 0) throw new ApiError(422, NO_DEVICES)
  const user = directory.users.get(visitor.userId)
  const inForce = candidateInForce(directory, group, quantity)
  const about = { groupId: group._id, quantity, candidates, inForce, from, to, things }
  const userName = user ? `${user.firstName} ${user.lastName}`.trim() : ''
  return trials
    .begin(about, { userId: visitor.userId, userName, companyId: group.companyId })
    .catch((error: unknown) => {
      throw error instanceof TrialsFull ? new ApiError(409, error.message) : error
    })
}

async function applyLimits(common: Common, { params, body, visitor }: CallRequest<'applyLimitsTrial'>) {
  const { execute, visible, readModels } = common
  const { group, trial } = await trialOf(common, visitor, params)
  const result = await resultOf(common, trial, group.companyId)
  const [candidate, figures] = [trial.candidates[body.candidate], result?.candidates[body.candidate]]
  if (result === undefined || candidate === undefined || figures === undefined)
    throw new ApiError(409, NOT_DONE)
  const { refused } = await execute(
    STRUCTURE,
    {
      type: 'group.apply-trial',
      by: visitor.userId,
      data: {
        groupId: group._id,
        trialId: trial._id,
        quantity: trial.quantity,
        from: Date.parse(trial.from),
        to: Date.parse(trial.to),
        candidate,
        inForce: result.inForce,
        figures,
      },
    },
    (state, command) => applyTrial(state, command, visitor.groupId),
  )
  if (refused) throw refusal(refused)
  return groupAnswer(readModels.directory, visible.group(visitor, group._id), visitor.groupId)
}

/** @throws ApiError where it is not kept, or of a group that the visitor does not see */
async function trialOf(
  { trials, visible }: Common,
  visitor: Visitor,
  { groupId, trialId }: CallRequest<'limitsTrial'>['params'],
) {
  const group = visible.group(visitor, groupId)
  const trial = await trials.find(group.companyId, group._id, trialId)
  if (trial === undefined) throw new ApiError(404, NOT_KEPT)
  return { group, trial }
}

const resultOf = async ({ trials }: Common, { state, _id }: LimitsTrial, companyId: string) =>
  state === 'done' ? trials.result(companyId, _id) : undefined

/** What is measured yet of the time that was asked for, epoch ms. */
function spanOf({ startDate, endDate }: { startDate: string; endDate: string }, now: number) {
  const [from, to] = [Date.parse(startDate), Math.min(Date.parse(endDate), now)]
  if (!(from < to)) throw new ApiError(400, NO_SPAN)
  if (to - from > TRIAL_DAYS * DAY) throw new ApiError(400, TOO_LONG)
  return { from, to }
}

/** A candidate is what the group's form would take, and a band: without one nothing is beyond it. */
function refuseWrong(quantity: LimitsTrial['quantity'], candidate: Candidate, bounds: GroupBasis): void {
  if (!(candidate.low < candidate.high)) throw new ApiError(422, NO_BAND)
  const { thresholds, evaluation } = settingsOf(quantity, candidate)
  const [fault] = groupFaults({ ...thresholds, ...evaluation }, bounds)
  if (fault) throw new ApiError(422, fault.message)
}

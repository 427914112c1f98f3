import type { ViolationCase } from '#machines/contracts/entities/violation-case.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { type Device, deviceOfFact } from '#machines/projections/directory.ts'
import {
  CASE_FACTS,
  type CaseRecord,
  caseOf,
  caseSpan,
  evolveCase,
  SHELVING_FACTS,
  type ViolationFact,
} from '#machines/projections/violation-case.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { closeCase } from '../../commands/notifications/close-case.ts'
import { notificationInScope } from '../../commands/notifications/in-scope.ts'
import { isViolationFact, notificationOf } from '../../read-models/notification-of.ts'
import type { HttpContext } from './context.ts'
import { createKeptHistory } from './kept-history.ts'
import { factById, whyOf } from './notification-why.ts'
import { ApiError, notFound, refusal } from './refusals.ts'
import { createReportRequests, REQUEST_LIMIT } from './report-requests.ts'
import { signOffBy } from './sign-off.ts'
import { factsAfter } from './who-was-notified.ts'

const NO_CASE = 'Only a violation has a case'

type Deps = Pick<
  HttpContext,
  'answerCall' | 'access' | 'clock' | 'visible' | 'execute' | 'store' | 'readModels'
>

/** The case of a violation: looked at, signed and closed, asked for as a PDF. Whoever does not see the device gets 404. */
export function caseRoutes(deps: Deps): void {
  const { answerCall, clock, execute, store, readModels, visible } = deps
  const { directory, attention } = readModels
  const keptHistory = createKeptHistory(deps)
  const request = createReportRequests(deps)

  answerCall('violationCase', ({ params, visitor }) => caseNow(visitor, params.id))

  answerCall('closeCase', async ({ params, body, visitor, request: asked }) => {
    violation(visitor, params.id)
    const signOff = await signOffBy(deps, visitor, asked, body)
    const { refused } = await execute(
      `notification-${params.id}`,
      {
        type: 'case.close',
        by: visitor.userId,
        data: { notificationId: params.id, reason: body.reason, signOff },
      },
      (state, command) =>
        closeCase(state, command, factById(store.log, params.id), attention.violations, visitor.groupId),
    )
    if (refused) throw refusal(refused)
    return caseNow(visitor, params.id)
  })

  answerCall(
    'requestCase',
    async ({ params, visitor }) => {
      const { fact, device } = violation(visitor, params.id)
      // of one that is gone none is made, also where another has its IMEI now
      if (visible.device(visitor, device.imei) !== device) throw notFound()
      const { from, to } = caseSpan(await recordOf(deps, fact, device), clock.now())
      const selection = { things: [device.imei], groups: [], startDate: from, endDate: to }
      return request(visitor, visitor.groupId, 'caseReport', selection, { notificationId: fact.id })
    },
    REQUEST_LIMIT,
  )

  async function caseNow(visitor: Visitor, id: string): Promise<ViolationCase> {
    const { fact, device } = violation(visitor, id)
    const notification = notificationOf(fact, readModels)
    if (notification === undefined) throw notFound()
    const [why, { events, versions, closed }] = await Promise.all([
      whyOf({ ...deps, keptHistory }, fact, device, visitor.groupId),
      recordOf(deps, fact, device),
    ])
    const zone = directory.companies.get(device.companyId)?.timeZone ?? 'UTC'
    return { notification, why, zone, events, versions, closed }
  }

  function violation(visitor: Visitor, id: string): { fact: ViolationFact; device: Device } {
    const found = notificationInScope(directory, factById(store.log, id), visitor.groupId)
    if (found === undefined) throw notFound()
    if (!isViolationFact(found.fact)) throw new ApiError(422, NO_CASE)
    return { fact: found.fact, device: found.device }
  }
}

/** What happened to a violation, and what was shelved before it opened. */
async function recordOf(
  { store: { log }, readModels: { directory } }: Deps,
  opening: ViolationFact,
  device: Device,
): Promise<CaseRecord> {
  const record = caseOf(opening)
  const fold = (fact: Fact): void => {
    const isShelving = SHELVING_FACTS.includes(fact.type)
    if (!isShelving || deviceOfFact(directory, fact) === device) evolveCase(record, fact)
  }
  for await (const fact of factsAfter(log, 0, [...SHELVING_FACTS])) {
    if (fact.seq > opening.seq) break
    fold(fact)
  }
  for await (const fact of factsAfter(log, opening.seq, [...CASE_FACTS])) fold(fact)
  return record
}

import type { ViolationCase } from '#machines/contracts/entities/violation-case.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { type Device, deviceOfFact, imeisOf } from '#machines/projections/directory.ts'
import {
  type CaseRecord,
  caseOf,
  caseSpan,
  evolveCase,
  type ViolationFact,
} from '#machines/projections/violation-case.ts'
import { endOf } from '#machines/projections/violations.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { closeCase } from '../../commands/notifications/close-case.ts'
import { notificationInScope } from '../../commands/notifications/in-scope.ts'
import { shelvingStream } from '../../commands/notifications/shelve.ts'
import type { Revision } from '../../read-models/known-notifications.ts'
import { isViolationFact, notificationOf } from '../../read-models/notification-of.ts'
import { seqAt } from '../../read-models/shift.ts'
import { factsInBreaths } from '../../store/log-follower.ts'
import type { EventLog } from '../../store/store.ts'
import { factAt } from './attention-at.ts'
import type { HttpContext } from './context.ts'
import { createKeptHistory } from './kept-history.ts'
import { factById, whyOf } from './notification-why.ts'
import { ApiError, notFound, refusal } from './refusals.ts'
import { createReportRequests, REQUEST_LIMIT } from './report-requests.ts'
import { signOffBy } from './sign-off.ts'

/** Readings so far ahead of their time are taken as they come, ms: an end may be recorded before it is said to have been. */
const AHEAD = 5 * 60_000
const NO_CASE = 'Only a violation has a case'

type Deps = Pick<
  HttpContext,
  'answerCall' | 'access' | 'clock' | 'visible' | 'execute' | 'store' | 'readModels' | 'notifications'
>

/** The case of a violation: looked at, signed and closed, asked for as a PDF. Whoever does not see the device gets 404. */
export function caseRoutes(deps: Deps): void {
  const { answerCall, clock, execute, store, readModels, visible } = deps
  const { directory, attention } = readModels
  const keptHistory = createKeptHistory(deps)
  const request = createReportRequests(deps)

  answerCall('violationCase', ({ params, visitor }) => caseNow(visitor, params.id))

  answerCall('closeCase', async ({ params, body, visitor }) => {
    violation(visitor, params.id)
    const signOff = await signOffBy(deps, visitor, body)
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

/** What happened to a violation, and what was shelved before it opened: folded of what the record says of it alone. */
async function recordOf(deps: Deps, opening: ViolationFact, device: Device): Promise<CaseRecord> {
  const record = caseOf(opening)
  const facts = new Map((await factsOf(deps, opening, device)).map((fact) => [fact.seq, fact]))
  for (const fact of [...facts.values()].sort((a, b) => a.seq - b.seq)) evolveCase(record, fact)
  return record
}

async function factsOf(deps: Deps, opening: ViolationFact, device: Device): Promise<Fact[]> {
  const { store, readModels, notifications } = deps
  const { log } = store
  const { violations } = readModels.attention
  const revisions = await notifications.revisionsOf(opening.seq)
  const ends = [endOf(violations, { seq: opening.seq }), violations.revised.get(opening.data.violationId)]
  return [
    ...[...imeisOf(readModels.directory, device)]
      .flatMap((imei) => log.readStream(shelvingStream(imei)))
      .filter((fact) => deviceOfFact(readModels.directory, fact) === device),
    ...log.readStream(`notification-${opening.id}`),
    ...[...revisions, ...ends].flatMap((one) => (one && factAt(log, one.seq)) ?? []),
    ...(await endsBefore(log, opening, revisions)),
  ].filter((fact) => fact.seq !== opening.seq)
}

/** What ended it before late readings said otherwise: that was recorded when it happened, or soon after. */
async function endsBefore(
  log: EventLog,
  opening: ViolationFact,
  revisions: readonly Revision[],
): Promise<Fact[]> {
  const ends: Fact[] = []
  let known = opening.type === 'violation.opened' ? null : opening.data.clearedAt
  for (const { seq, before, after } of revisions) {
    const { clearedAt } = before
    if (clearedAt !== null && clearedAt !== known) {
      const range = { after: Math.max(opening.seq, seqAt(log, clearedAt - AHEAD)), upTo: seq }
      for await (const fact of factsInBreaths(log, ['violation.cleared'], range)) {
        if (fact.data.violationId !== opening.data.violationId || fact.at !== clearedAt) continue
        ends.push(fact)
        break
      }
    }
    known = after?.clearedAt ?? null
  }
  return ends
}

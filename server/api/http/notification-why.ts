import type { Clock } from '#machines/contracts/clock.ts'
import type { Delivery, NotificationWhy } from '#machines/contracts/entities/notifications.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { type Device, type Directory, deviceByImei, isWithin } from '#machines/projections/directory.ts'
import type { ViolationFact } from '#machines/projections/violation-case.ts'
import { endOf } from '#machines/projections/violations.ts'
import { judgementOf, limitsOf, quantityOf } from '#machines/rules/limits.ts'
import {
  type Course,
  doorsOf,
  evidenceSpan,
  lateReadingsOf,
  readingsThatOpened,
} from '#machines/rules/violation-evidence.ts'
import { acknowledgedOf, beginningOf } from '../../read-models/notification-of.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { Store } from '../../store/store.ts'
import { factAt } from './attention-at.ts'
import { firstKept, type KeptHistory } from './kept-history.ts'
import { whoWasNotified } from './who-was-notified.ts'

type Violation = NotificationWhy['violation']
export type WhyDeps = {
  store: Pick<Store, 'log' | 'telemetry'>
  readModels: ReadModels
  clock: Clock
  keptHistory: KeptHistory
  /** as of a time: what was in force then */
  inForce?: { directory: Directory; device: Device }
}

const iso = (at: number): string => new Date(at).toISOString()

/** Why there is a violation, for who sees the group `topId` and below. */
export async function whyOf(
  deps: WhyDeps,
  fact: ViolationFact,
  device: Device,
  topId: string,
): Promise<NotificationWhy> {
  const { store, readModels } = deps
  const { violations } = readModels.attention
  const { type, delaySeconds, clearMargin, violationId } = fact.data
  const known = beginningOf(fact, violations)
  const { since, openedAt, threshold, isSinceBefore } = known
  const isRevised = since !== fact.data.since || openedAt !== fact.at
  const ending = endingOf(deps, fact)
  const clearedAt = ending.clearedAt === null ? null : Date.parse(ending.clearedAt)
  const course: Course = { type, since, openedAt, clearedAt }
  const span = evidenceSpan(course)
  const columns = await deps.keptHistory(device, span.from, span.to)
  // a violation of before the record began, or known by late readings, was found in readings that are still there
  const readings =
    fact.type === 'violation.opened' && !isRevised
      ? fact.data.readings.filter(({ at }) => at >= firstKept(deps, device))
      : readingsThatOpened(columns, course)
  const notified: Delivery[] =
    fact.type === 'violation.found' ? [] : await whoWasNotified(store.log, readModels, fact, device)
  return {
    violation: {
      type,
      since: iso(since),
      ...(isSinceBefore && { isSinceBefore }),
      openedAt: iso(openedAt),
      // what made it a violation is not kept of one that was published otherwise at first
      value: (isRevised ? readings.at(-1)?.value : undefined) ?? fact.data.value,
      threshold,
      delaySeconds,
      // while it lasts it ends by what is in force, which may be otherwise than when it began
      clearMargin:
        ending.clearedAt === null
          ? marginInForce(deps.inForce ?? { directory: readModels.directory, device }, type, clearMargin)
          : clearMargin,
      readings: readings.map(({ at, value }) => ({ at: iso(at), value })),
      ...ending,
    },
    ...lateReadingsOf(columns, course),
    ...(isRevised && { toldAs: { since: iso(fact.data.since), openedAt: iso(fact.at) } }),
    doors: doorsOf(columns),
    groupName: groupName(readModels, device, beganIn(fact, openedAt), topId),
    acknowledged: acknowledgedOf(violations, violationId),
    repeats: repeatedBy(deps, violationId),
    told: notified,
  }
}

function marginInForce(
  { directory, device: { groupId, companyId } }: NonNullable<WhyDeps['inForce']>,
  type: Violation['type'],
  atFirst: number,
): number {
  const company = directory.companies.get(companyId)
  if (company === undefined) return atFirst
  const own = groupId === null ? undefined : directory.groups.get(groupId)?.evaluation
  return limitsOf(quantityOf(type), undefined, judgementOf(company, own)).margin
}

function endingOf(
  { store, readModels }: WhyDeps,
  fact: ViolationFact,
): Pick<Violation, 'clearedAt' | 'worst' | 'clearReason'> {
  if (fact.type === 'violation.found') {
    const { clearedAt, worst, reason } = fact.data
    const revised = readModels.attention.violations.revised.get(fact.data.violationId)
    if (revised === undefined) return { clearedAt: iso(clearedAt), worst, clearReason: reason }
  }
  const revised = readModels.attention.violations.revised.get(fact.data.violationId)
  const known = revised?.after ?? (fact.type === 'violation.found-late' ? fact.data : undefined)
  if (known?.clearedAt != null)
    return { clearedAt: iso(known.clearedAt), worst: known.worst, clearReason: null }
  if (revised?.after === null) return { clearedAt: iso(fact.at), worst: null, clearReason: null }
  const end = endOf(readModels.attention.violations, fact)
  const cleared = end && factAt(store.log, end.seq)
  if (cleared?.type !== 'violation.cleared') return { clearedAt: null, worst: null, clearReason: null }
  return { clearedAt: iso(cleared.at), worst: cleared.data.worst, clearReason: cleared.data.reason }
}

/** The acknowledged violation that this one repeats. */
function repeatedBy({ store, readModels }: WhyDeps, violationId: string): NotificationWhy['repeats'] {
  const { violations } = readModels.attention
  const repeated = violations.repeats.get(violationId) ?? ''
  const notificationId = violations.acknowledged.get(repeated)?.notificationId
  const fact = notificationId === undefined ? undefined : factById(store.log, notificationId)
  if (notificationId === undefined || fact === undefined) return null
  const end = endOf(violations, fact)
  return {
    notificationId,
    openedAt: iso(fact.at),
    clearedAt: end === undefined ? null : iso(end.at),
    acknowledged: acknowledgedOf(violations, repeated),
  }
}

/** Whose limits were in force as it opened, whenever that became known; what was before the record began is evaluated by how it began. */
const beganIn = ({ type }: ViolationFact, openedAt: number): number =>
  type === 'violation.found' ? Number.NEGATIVE_INFINITY : openedAt

/** The group the device was in at a time, whose threshold it was; null where that is gone or out of scope. */
function groupName(
  { directory, history }: ReadModels,
  device: Device,
  then: number,
  topId: string,
): string | null {
  let groupId = device.groupId
  // where another has its IMEI now, the history under it is of that one
  const entries =
    deviceByImei(directory, device.imei) === device ? history.devices.get(device.imei) : undefined
  for (const { at, changes } of (entries ?? []).toReversed()) {
    if (at <= then) break
    const move = changes.find(({ field }) => field === 'group')
    if (typeof move?.before === 'object') groupId = move.before?.groupId ?? null
  }
  if (groupId === null || !isWithin(directory, groupId, topId)) return null
  return directory.groups.get(groupId)?.name ?? null
}

/** The fact with this id, undefined where there is none. */
export function factById(log: Store['log'], id: string): Fact | undefined {
  const seq = /^f([1-9]\d{0,15})$/.exec(id)?.[1]
  return seq === undefined ? undefined : factAt(log, Number(seq))
}

import type { Clock } from '#machines/contracts/clock.ts'
import type { Delivery, NotificationWhy } from '#machines/contracts/entities/notifications.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { type ReadingColumns, toUnits } from '#machines/contracts/readings.ts'
import { type Device, isWithin } from '#machines/projections/directory.ts'
import { endOf } from '#machines/projections/violations.ts'
import { receivedLateAt } from '#machines/rules/late-spans.ts'
import { judgementOf, limitsOf, quantityOf } from '#machines/rules/limits.ts'
import { spellsOf } from '#machines/rules/spells.ts'
import {
  acknowledgedOf,
  beginningOf,
  type KnownBeginning,
  type ViolationFact,
} from '../../read-models/notification-of.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { Store } from '../../store/store.ts'
import { firstKept, type KeptHistory } from './kept-history.ts'
import { whoWasNotified } from './who-was-notified.ts'

type Violation = NotificationWhy['violation']
type Deps = {
  store: Pick<Store, 'log' | 'telemetry'>
  readModels: ReadModels
  clock: Clock
  keptHistory: KeptHistory
}

/** Readings of a violation in one answer at most, as with the fact that one opened. */
const EVIDENCE = 20
const iso = (at: number): string => new Date(at).toISOString()

/** Why there is a violation, for who sees the group `topId` and below. */
export async function whyOf(
  deps: Deps,
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
  const readings =
    fact.type === 'violation.opened' && !isRevised
      ? fact.data.readings.filter(({ at }) => at >= firstKept(deps, device))
      : await readingsOf(deps, known, type, device)
  const told: Delivery[] =
    fact.type === 'violation.found' ? [] : await whoWasNotified(store.log, readModels, fact, device)
  const ending = endingOf(deps, fact)
  return {
    violation: {
      type,
      since: iso(since),
      ...(isSinceBefore && { isSinceBefore }),
      openedAt: iso(openedAt),
      // what made it a violation is not kept of one that was told otherwise at first
      value: (isRevised ? readings.at(-1)?.value : undefined) ?? fact.data.value,
      threshold,
      delaySeconds,
      // while it lasts it ends by what is in force, which may be otherwise than when it began
      clearMargin:
        ending.clearedAt === null ? marginInForce(readModels, device, type, clearMargin) : clearMargin,
      readings: readings.map(({ at, value }) => ({ at: iso(at), value })),
      ...ending,
    },
    ...(await lateOf(deps, known, type, device, ending.clearedAt)),
    ...(isRevised && { toldAs: { since: iso(fact.data.since), openedAt: iso(fact.at) } }),
    doors: await doorsOf(deps, known, device, ending.clearedAt),
    groupName: groupName(readModels, device, fact, topId),
    acknowledged: acknowledgedOf(violations, violationId),
    repeats: repeatedBy(deps, violationId),
    told,
  }
}

function marginInForce(
  { directory }: ReadModels,
  { groupId, companyId }: Device,
  type: Violation['type'],
  atFirst: number,
): number {
  const company = directory.companies.get(companyId)
  if (company === undefined) return atFirst
  const own = groupId === null ? undefined : directory.groups.get(groupId)?.evaluation
  return limitsOf(quantityOf(type), undefined, judgementOf(company, own)).margin
}

function endingOf(
  { store, readModels }: Deps,
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

/** A violation of before the record began, or known by late readings, was found in readings that are still there. */
async function readingsOf(
  { keptHistory }: Deps,
  { since, openedAt }: KnownBeginning,
  type: Violation['type'],
  device: Device,
) {
  const columns = await keptHistory(device, since, openedAt + 1)
  return moments(columns, fieldOf(type)).slice(-EVIDENCE)
}

const fieldOf = (type: Violation['type']): 'temperature' | 'humidity' =>
  type.includes('TEMPERATURE') ? 'temperature' : 'humidity'

/** When the reading that made it a violation was received, and the first that came late, where that is not when it was measured. */
async function lateOf(
  { keptHistory }: Deps,
  { since, openedAt }: KnownBeginning,
  type: Violation['type'],
  device: Device,
  clearedAt: string | null,
): Promise<Pick<NotificationWhy, 'late'>> {
  const end = Math.min(clearedAt === null ? openedAt + LONGEST_MS : Date.parse(clearedAt), since + LONGEST_MS)
  const columns = await keptHistory(device, since, Math.max(end, openedAt) + 1)
  const field = fieldOf(type)
  const late = Array.from({ length: columns.length }, (_, row) => {
    const [received, value] = [receivedLateAt(columns, row), toUnits(field, columns[field][row] as number)]
    const at = columns.at[row] as number
    return received === undefined || value === undefined
      ? undefined
      : { at, reading: { at: iso(at), receivedAt: iso(received), value } }
  }).filter((one) => one !== undefined)
  const [first] = late
  if (first === undefined) return {}
  return {
    late: { opening: late.find(({ at }) => at === openedAt)?.reading ?? null, first: first.reading },
  }
}

/** A door that was opened so long before a violation began has to do with it, ms. */
const BEFORE_MS = 30 * 60_000
/** What lasts longer is looked at for so long. */
const LONGEST_MS = 24 * 3600_000
const MOST_DOORS = 10
/** A silence longer than this says nothing of the door. */
const DOOR_GAP_MS = 30 * 60_000

/** When the cargo's door was open about a violation. */
async function doorsOf(
  { keptHistory }: Deps,
  { since, openedAt: at }: KnownBeginning,
  device: Device,
  clearedAt: string | null,
): Promise<NonNullable<NotificationWhy['doors']>> {
  const end = Math.min(clearedAt === null ? at + LONGEST_MS : Date.parse(clearedAt), since + LONGEST_MS)
  const columns = await keptHistory(device, since - BEFORE_MS, Math.max(end, at) + 1)
  return spellsOf(columns, 'door', DOOR_GAP_MS)
    .slice(0, MOST_DOORS)
    .map(({ from, to }) => ({ from: iso(from), to: to === null ? null : iso(to) }))
}

function moments(columns: ReadingColumns, field: 'temperature' | 'humidity') {
  return Array.from({ length: columns.length }, (_, i) => ({
    at: columns.at[i] as number,
    value: toUnits(field, columns[field][i] as number),
  })).filter((moment): moment is { at: number; value: number } => moment.value !== undefined)
}

/** The acknowledged violation that this one repeats. */
function repeatedBy({ store, readModels }: Deps, violationId: string): NotificationWhy['repeats'] {
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

/** The group the device was in then, whose threshold it was; null where that is gone or out of scope. */
function groupName(
  { directory, history }: ReadModels,
  device: Device,
  fact: ViolationFact,
  topId: string,
): string | null {
  let groupId = device.groupId
  // what was before the record began is evaluated by how it began
  const then = fact.type === 'violation.found' ? 0 : fact.seq
  for (const { run, changes } of (history.devices.get(device.imei) ?? []).toReversed()) {
    if (run < then) break
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

function factAt(log: Store['log'], seq: number): Fact | undefined {
  const [fact] = log.readFacts(seq - 1, { limit: 1 })
  return fact?.seq === seq ? fact : undefined
}

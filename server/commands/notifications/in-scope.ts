import type { Incident } from '#machines/contracts/entities/incidents.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { type Device, type Directory, deviceOfFact, isWithin } from '#machines/projections/directory.ts'
import { type Incidents, lostBy } from '#machines/projections/incidents.ts'
import { notificationTypeOf } from '#machines/projections/notification-type.ts'
import { isViolationFact } from '../../read-models/notification-of.ts'

/** A notification in somebody's scope: its fact, and the device that is about. */
export type NotificationInScope = { fact: Fact; device: Device }

/** What people work on: a violation, also one that is over, or a device that is or was lost. */
export type Subject = Pick<Incident, 'violationId' | 'imei' | 'type'>

/** What a fact opened that people work on; undefined: nothing. */
export function subjectOf(fact: Fact, incidents: Incidents): Subject | undefined {
  return isViolationFact(fact) ? fact.data : lostBy(incidents, fact)
}

/** The notification or the loss of a device that a fact gives rise to, by the same rules. */
export function incidentInScope(
  directory: Directory,
  incidents: Incidents,
  fact: Fact | undefined,
  topId: string,
): NotificationInScope | undefined {
  const isOfLoss = fact !== undefined && lostBy(incidents, fact) !== undefined
  return isOfLoss ? inScope(directory, fact, topId) : notificationInScope(directory, fact, topId)
}

/**
 * The notification a fact gives rise to, for whoever sees `topId` and below; undefined for one they do not see, a fact that
 * is none, and no fact at all: the three must not differ.
 */
export function notificationInScope(
  directory: Directory,
  fact: Fact | undefined,
  topId: string,
): NotificationInScope | undefined {
  const isNone = fact === undefined || notificationTypeOf(fact) === undefined
  return isNone ? undefined : inScope(directory, fact, topId)
}

function inScope(directory: Directory, fact: Fact, topId: string): NotificationInScope | undefined {
  const device = deviceOfFact(directory, fact)
  if (device === undefined || !isWithin(directory, device.groupId, topId)) return undefined
  return { fact, device }
}

/** What somebody is called, as it stands beside what they write. */
export function authorName({ users }: Directory, userId: string | null): string {
  const user = userId === null ? undefined : users.get(userId)
  return user === undefined ? '' : `${user.firstName} ${user.lastName}`.trim()
}

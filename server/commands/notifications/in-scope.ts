import type { Fact } from '#machines/contracts/facts.ts'
import { type Device, type Directory, deviceByImei, isWithin } from '#machines/projections/directory.ts'
import { notificationTypeOf } from '#machines/projections/notification-type.ts'

/** A notification in somebody's scope: its fact, and the device that is about. */
export type NotificationInScope = { fact: Fact; device: Device }

/**
 * The notification a fact gives rise to, for whoever sees `topId` and below; undefined for one they do not see, a fact that
 * is none, and no fact at all: the three must not differ.
 */
export function notificationInScope(
  directory: Directory,
  fact: Fact | undefined,
  topId: string,
): NotificationInScope | undefined {
  if (fact === undefined || notificationTypeOf(fact) === undefined || !('imei' in fact.data)) return undefined
  const device = fact.data.imei === null ? undefined : deviceByImei(directory, fact.data.imei)
  if (device === undefined || !isWithin(directory, device.groupId, topId)) return undefined
  return { fact, device }
}

/** What somebody is called, as it stands beside what they write. */
export function authorName({ users }: Directory, userId: string | null): string {
  const user = userId === null ? undefined : users.get(userId)
  return user === undefined ? '' : `${user.firstName} ${user.lastName}`.trim()
}

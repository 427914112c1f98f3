import type { AlertKind } from '#machines/contracts/entities/violation-types.ts'
import type { FactOf } from '#machines/contracts/facts.ts'
import type { AlertChannel } from '#machines/contracts/messages.ts'
import { type Device, type Directory, isWithin } from '#machines/projections/directory.ts'
import { isSwitchedOn, userSettings } from '#machines/projections/settings.ts'
import type { EventLog } from '../../../store/store.ts'

export type Addressee = { userId: string; channel: AlertChannel }
/** What somebody may be alerted of: a violation by its type, or the exhausted budget of the load on a device. */
export type Alerting = { device: Device | undefined; type: AlertKind }

const CHANNELS: readonly AlertChannel[] = ['email', 'sms']

/** Whom it concerns, by each channel on which they want to hear of its kind. */
export function concernedBy(directory: Directory, alerting: Alerting): Addressee[] {
  const found: Addressee[] = []
  let groupId = alerting.device?.groupId ?? null
  // who sits in a group sees all below it: those who see the device are in its group and in those above
  while (groupId !== null) {
    const group = directory.groups.get(groupId)
    for (const userId of group?.users ?? [])
      for (const channel of CHANNELS)
        if (isConcerned(directory, { userId, channel }, alerting)) found.push({ userId, channel })
    groupId = group?.parentId ?? null
  }
  return found
}

/**
 * Whether somebody is to hear of it by this channel: they have chosen a password, their company is not
 * suspended, they see the device, and have the switch of its type on.
 */
export function isConcerned(
  directory: Directory,
  { userId, channel }: Addressee,
  { device, type }: Alerting,
): boolean {
  const user = directory.users.get(userId)
  if (user === undefined || user.passwordHash === null || device?.companyId !== user.companyId) return false
  if (directory.companies.get(user.companyId)?.suspended !== false) return false
  return (
    isSwitchedOn(userSettings(directory.settings, userId)[channel], type) &&
    isWithin(directory, device.groupId, user.groupId)
  )
}

/** What an alert is written from. `isLeftOut` says of what it is about, by the fact that published it, whether it is left out. */
export type AlertSource = {
  directory: Directory
  log: Pick<EventLog, 'readFacts'>
  isLeftOut?: (seq: number, alerting: Alerting) => boolean
}

/** The source of an alert that leaves now: what its addressee does not see any more, or has turned off since, is left out. */
export const stillConcerning = <S extends AlertSource>(source: S, { data }: FactOf<'alert.raised'>): S => ({
  ...source,
  isLeftOut: (_, alerting) => !isConcerned(source.directory, data, alerting),
})

/**
 * What is written of an alert. Where all of it is left out it is written as a whole, and `isNothingLeft`: the record says that it was
 * not sent. Undefined: nothing is left to be notified of.
 */
export function writtenOf<W extends object>(
  source: AlertSource,
  write: (source: AlertSource) => W | undefined,
): (W & { isNothingLeft: boolean }) | undefined {
  const current = write(source)
  const { isLeftOut: _, ...whole } = source
  const written = current ?? write(whole)
  return written && { ...written, isNothingLeft: current === undefined }
}

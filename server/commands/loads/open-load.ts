import type { CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { type Device, type Directory, deviceByImei, isWithin } from '#machines/projections/directory.ts'
import { type Loads, loadOn } from '#machines/projections/loads.ts'
import { profileNow } from '#machines/projections/profiles.ts'
import { withoutControls } from '#machines/rules/plain-text.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse } from '../decision.ts'
import { authorName } from '../notifications/in-scope.ts'
import { profileSet } from '../profiles/set-profile.ts'
import { originOf } from '../structure.ts'

export const NO_REFERENCE = 'Please say what the load is called'
export const NO_PROFILE = 'Say which profile: neither the device nor its group was given one'
export const UNKNOWN_PROFILE = 'There is no such profile'
export const STILL_TO_COME = 'This time is still to come'
export const TOO_LONG_AGO = 'A load can be opened since 31 days ago at most'
export const CARRIES_ONE = 'The device carries a load: close it first'
export const CARRIED_ANOTHER = 'Another load was on the device then'
const DAY = 86_400_000
const FARTHEST = 31 * DAY
/** Loads that were on a device and are over, within 24 hours: they are kept for good. */
export const LOADS_A_DAY = 50
export const MANY_A_DAY = `${LOADS_A_DAY} loads were taken off this device within 24 hours: open the next one later`
const MOST_REFERENCE = 200

type Opener = { companyId: string; topId: string }
type Wanted = { loadId: string; reference: string; profileId: string | null; since: number | null }
type Fault = { path: 'reference' | 'profileId' | 'since'; message: string }

/** Goods are on a device from now on, or have been since a time. */
export function openLoad(directory: Directory, command: CommandOf<'load.open'>, opener: Opener): Decision {
  const device = seenDevice(directory, command.data.imei, opener)
  if (device === undefined) return refuse(404, NOT_FOUND)
  if (loadOn(directory.loads, device.no) !== undefined) return refuse(409, CARRIES_ONE)
  if (hadMany(directory.loads, device.no, command.at)) return refuse(429, MANY_A_DAY)
  const opened = opening(directory, device, command.data, command)
  if ('path' in opened) return faulty([opened])
  return decided(...opened.facts)
}

/** Whether so many loads were on a device within 24 hours before an instant that it takes no other. */
export function hadMany({ byId, ofDevice }: Loads, deviceNo: number, at: number): boolean {
  const first = byId.get(ofDevice.get(deviceNo)?.at(-LOADS_A_DAY) ?? '')
  return (first?.closedAt ?? 0) > at - DAY
}

/** A device in use that somebody sees. */
export function seenDevice(directory: Directory, imei: string, { topId }: Opener): Device | undefined {
  const device = deviceByImei(directory, imei)
  if (device === undefined || device.retired !== null || !isWithin(directory, device.groupId, topId))
    return undefined
  return device
}

/** What a device’s loads have for a profile unless another is said: its own, else that of the nearest group above that was given one. */
export const profileOfDevice = (directory: Directory, { no, groupId }: Device): string | undefined =>
  directory.profiles.ofDevices.get(no) ?? profileOfGroup(directory, groupId)

/** The profile of the nearest group that was given one, from this one up. */
export function profileOfGroup({ profiles, groups }: Directory, from: string | null): string | undefined {
  for (let id = from; id !== null; id = groups.get(id)?.parentId ?? null) {
    const given = profiles.ofGroups.get(id)
    if (given !== undefined) return given
  }
  return undefined
}

/** A load’s reference as it is kept: one line of text, at most 200 characters. */
export const referenceOf = (typed: string): string => withoutControls(typed).trim().slice(0, MOST_REFERENCE)

/**
 * The facts of a load’s opening, with the company’s copy of its profile where there is none yet; or what is wrong with what is wanted.
 * @param freeSince when the load before it was over, epoch ms; undefined: as the record says
 */
export function opening(
  directory: Directory,
  device: Device,
  { loadId, reference, profileId: nameOrId, since }: Wanted,
  command: { at: number; by: string | null },
  freeSince?: number,
): { facts: NewFact[] } | Fault {
  const { companyId, imei, no } = device
  const name = referenceOf(reference)
  if (name === '') return { path: 'reference', message: NO_REFERENCE }
  const profileId = nameOrId ?? profileOfDevice(directory, device)
  if (profileId === undefined) return { path: 'profileId', message: NO_PROFILE }
  const profile = profileNow(directory.profiles, companyId, profileId)
  if (profile === undefined) return { path: 'profileId', message: UNKNOWN_PROFILE }
  const at = since ?? command.at
  if (at > command.at) return { path: 'since', message: STILL_TO_COME }
  if (at < command.at - FARTHEST) return { path: 'since', message: TOO_LONG_AGO }
  const last = directory.loads.byId.get(directory.loads.ofDevice.get(no)?.at(-1) ?? '')
  if (at < (freeSince ?? last?.closedAt ?? 0)) return { path: 'since', message: CARRIED_ANOTHER }
  const isCopied = profile.number > 0
  const copy = isCopied ? [] : [profileSet(command, companyId, profileId, profile)]
  const userName = authorName(directory, command.by)
  const version = isCopied ? profile.number : 1
  const data = { loadId, imei, profileId, version, reference: name, userName }
  return { facts: [...copy, { ...originOf(command, companyId), at, type: 'load.opened', data }] }
}

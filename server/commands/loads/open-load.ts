import type { CommandOf } from '#machines/contracts/commands.ts'
import type { LoadLineFault } from '#machines/contracts/entities/loads.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { type Device, type Directory, deviceByImei, isWithin } from '#machines/projections/directory.ts'
import { loadOn } from '#machines/projections/loads.ts'
import { profileIds, profileNow } from '#machines/projections/profiles.ts'
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
const FARTHEST = 31 * 86_400_000
const MOST_REFERENCE = 200

type Opener = { companyId: string; topId: string }
type Wanted = { loadId: string; reference: string; profileId: string | null; since: number | null }
type Fault = { path: string; message: string }

/** Goods are on a device from now on, or have been since a time. */
export function openLoad(directory: Directory, command: CommandOf<'load.open'>, opener: Opener): Decision {
  const device = seenDevice(directory, command.data.imei, opener)
  if (device === undefined) return refuse(404, NOT_FOUND)
  if (loadOn(directory.loads, device.no) !== undefined) return refuse(409, CARRIES_ONE)
  const opened = opening(directory, device, command.data, command)
  if ('path' in opened) return faulty([opened])
  return decided(...opened.facts)
}

/** A list of loads: all of them, or where it says so those that can be, and what is wrong with the others. */
export function openListed(
  directory: Directory,
  command: CommandOf<'load.open-listed'>,
  opener: Opener,
): Decision & { faults: LoadLineFault[] } {
  const faults: LoadLineFault[] = []
  const facts: NewFact[] = []
  const taken = new Set<number>()
  const copied = new Set<string>()
  for (const { line, imei, profile, ...wanted } of command.data.loads) {
    const fault = (reason: string) => faults.push({ line, imei, reason })
    const device = seenDevice(directory, imei, opener)
    const profileId = profile === '' ? null : profileNamed(directory, opener.companyId, profile)
    if (device === undefined) fault('There is no such device')
    else if (loadOn(directory.loads, device.no) !== undefined) fault(CARRIES_ONE)
    else if (taken.has(device.no)) fault('The device is in the list twice')
    else if (profileId === undefined) fault(UNKNOWN_PROFILE)
    else {
      taken.add(device.no)
      const opened = opening(directory, device, { ...wanted, profileId }, command)
      if ('path' in opened) fault(opened.message)
      else
        for (const fact of opened.facts) {
          // the company's copy of a profile is made once, however many loads take it
          if (fact.type === 'profile.set' && copied.has(fact.data.profileId)) continue
          if (fact.type === 'profile.set') copied.add(fact.data.profileId)
          facts.push(fact)
        }
    }
  }
  const isTaken = faults.length === 0 || command.data.goodOnly
  return { facts: isTaken ? facts : [], faults }
}

function seenDevice(directory: Directory, imei: string, { topId }: Opener): Device | undefined {
  const device = deviceByImei(directory, imei)
  if (device === undefined || device.retired !== null || !isWithin(directory, device.groupId, topId))
    return undefined
  return device
}

/** By its id or its name. */
function profileNamed({ profiles }: Directory, companyId: string, said: string): string | undefined {
  const wanted = said.trim().toLowerCase()
  return profileIds(profiles, companyId).find(
    (id) =>
      id.toLowerCase() === wanted || profileNow(profiles, companyId, id)?.form.name.toLowerCase() === wanted,
  )
}

/** What a device’s loads have for a profile unless another is said: its own, else that of the nearest group above that was given one. */
export function profileOfDevice({ profiles, groups }: Directory, device: Device): string | undefined {
  const own = profiles.ofDevices.get(device.no)
  if (own !== undefined) return own
  for (let id = device.groupId; id !== null; id = groups.get(id)?.parentId ?? null) {
    const given = profiles.ofGroups.get(id)
    if (given !== undefined) return given
  }
  return undefined
}

function opening(
  directory: Directory,
  device: Device,
  { loadId, reference, profileId: said, since }: Wanted,
  command: { at: number; by: string | null },
): { facts: NewFact[] } | Fault {
  const { companyId, imei, no } = device
  const name = withoutControls(reference).trim().slice(0, MOST_REFERENCE)
  if (name === '') return { path: 'reference', message: NO_REFERENCE }
  const profileId = said ?? profileOfDevice(directory, device)
  if (profileId === undefined) return { path: 'profileId', message: NO_PROFILE }
  const profile = profileNow(directory.profiles, companyId, profileId)
  if (profile === undefined) return { path: 'profileId', message: UNKNOWN_PROFILE }
  const at = since ?? command.at
  if (at > command.at) return { path: 'since', message: STILL_TO_COME }
  if (at < command.at - FARTHEST) return { path: 'since', message: TOO_LONG_AGO }
  const last = directory.loads.byId.get(directory.loads.ofDevice.get(no)?.at(-1) ?? '')
  if (last?.closedAt != null && at < last.closedAt) return { path: 'since', message: CARRIED_ANOTHER }
  const isCopied = profile.number > 0
  const copy = isCopied ? [] : [profileSet(command, companyId, profileId, profile)]
  const userName = authorName(directory, command.by)
  const version = isCopied ? profile.number : 1
  const data = { loadId, imei, profileId, version, reference: name, userName }
  return { facts: [...copy, { ...originOf(command, companyId), at, type: 'load.opened', data }] }
}

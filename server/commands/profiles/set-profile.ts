import type { CommandOf } from '#machines/contracts/commands.ts'
import { MOST_PROFILES, type ProfileForm } from '#machines/contracts/entities/profiles.ts'
import { SHIPPED_PROFILES } from '#machines/contracts/entities/shipped-profiles.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { type Directory, deviceByImei, isWithin } from '#machines/projections/directory.ts'
import { type ProfileVersion, profileIds, profileNow } from '#machines/projections/profiles.ts'
import { withoutControls } from '#machines/rules/plain-text.ts'
import { profileFaults } from '#machines/rules/profile-form.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse, stale } from '../decision.ts'
import { originOf } from '../structure.ts'
import { isManager } from '../views/views.ts'

export const MANAGERS_CHANGE = 'Profiles are kept by managers'
export const NAME_TAKEN = 'There is a profile of this name'
export const TOO_MANY_PROFILES = 'There are as many profiles as there may be'

type Keeper = Pick<Visitor, 'userId' | 'companyId' | 'groupId' | 'superAdmin'>

/** Where it is decided about profiles and loads of a company, one after the other: a load takes a version of a profile. */
export const loadStream = (companyId: string): string => `loads-${companyId}`

/** A new profile, or another version of one: loads there are keep theirs. The same again is nothing. */
export function setProfile(
  directory: Directory,
  command: CommandOf<'profile.set'>,
  keeper: Keeper,
): Decision {
  const { profileId, isNew, ifVersion, ...typed } = command.data
  const { companyId } = keeper
  const { profiles } = directory
  if (!isManager(directory, keeper)) return refuse(403, MANAGERS_CHANGE)
  const now = profileNow(profiles, companyId, profileId)
  if (!isNew && now === undefined) return refuse(404, NOT_FOUND)
  if (now !== undefined && ifVersion !== null && ifVersion !== String(now.number)) return stale()
  const form: ProfileForm = {
    ...typed,
    name: withoutControls(typed.name).trim(),
    source: withoutControls(typed.source).trim(),
  }
  const faults = profileFaults(form)
  if (isTaken(directory, companyId, profileId, form.name)) faults.push({ path: 'name', message: NAME_TAKEN })
  if (faults.length > 0) return faulty(faults)
  const ids = profileIds(profiles, companyId)
  if (now === undefined && ids.length - Object.keys(SHIPPED_PROFILES).length >= MOST_PROFILES)
    return refuse(409, TOO_MANY_PROFILES)
  if (now !== undefined && JSON.stringify(ordered(now.form)) === JSON.stringify(ordered(form)))
    return decided()
  return decided(profileSet(command, companyId, profileId, { number: now?.number ?? 0, form }))
}

const isTaken = ({ profiles }: Directory, companyId: string, profileId: string, name: string): boolean =>
  profileIds(profiles, companyId).some(
    (id) =>
      id !== profileId && profileNow(profiles, companyId, id)?.form.name.toLowerCase() === name.toLowerCase(),
  )

/** The same fields in one order, so that what was stored and what was sent compare. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, ordered(inner)]),
  )
}

/** The fact of the version after this one. */
export const profileSet = (
  command: { at: number; by: string | null },
  companyId: string,
  profileId: string,
  { number, form }: Pick<ProfileVersion, 'number' | 'form'>,
): NewFact => ({
  ...originOf(command, companyId),
  type: 'profile.set',
  data: {
    ...{ companyId, profileId, version: number + 1, ...form },
    ...(Object.hasOwn(SHIPPED_PROFILES, profileId) && { shippedAs: profileId }),
  },
})

/** A group with all below it, or a device, is given a profile, or none of its own. */
export function assignProfile(
  directory: Directory,
  command: CommandOf<'profile.assign'>,
  keeper: Keeper,
): Decision {
  const { profileId, groupId, imei } = command.data
  const { profiles } = directory
  const device = imei === null ? undefined : deviceByImei(directory, imei)
  const place = groupId ?? device?.groupId ?? null
  const isThere = groupId === null ? device?.retired === null : directory.groups.has(groupId)
  if (!isThere || !isWithin(directory, place, keeper.groupId)) return refuse(404, NOT_FOUND)
  if (!isManager(directory, keeper)) return refuse(403, MANAGERS_CHANGE)
  if (profileId !== null && profileNow(profiles, keeper.companyId, profileId) === undefined)
    return faulty([{ path: 'profileId', message: 'There is no such profile' }])
  const before = groupId === null ? profiles.ofDevices.get(device?.no ?? -1) : profiles.ofGroups.get(groupId)
  if ((before ?? null) === profileId) return decided()
  const { companyId } = keeper
  return decided({
    ...originOf(command, companyId),
    type: 'profile.assigned',
    data: { companyId, profileId, groupId, imei: groupId === null ? (device?.imei ?? null) : null },
  })
}

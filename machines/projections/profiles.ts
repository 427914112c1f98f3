import type { ProfileForm } from '../contracts/entities/profiles.ts'
import { SHIPPED_PROFILES } from '../contracts/entities/shipped-profiles.ts'
import type { Fact, FactData } from '../contracts/facts.ts'

/** One version of a profile: `by` is the user who set it, null: nobody. `number` 0: as it is shipped. */
export type ProfileVersion = { number: number; form: ProfileForm; at: number; by: string | null }

/**
 * What companies made of profiles: by company and profile its versions, oldest first, from 1 on. Those that are shipped and were never
 * taken are not in it. `ofGroups`: by group, `ofDevices`: by device number.
 */
export type Profiles = {
  versions: Map<string, Map<string, ProfileVersion[]>>
  ofGroups: Map<string, string>
  ofDevices: Map<number, string>
}

export const emptyProfiles = (): Profiles => ({
  versions: new Map(),
  ofGroups: new Map(),
  ofDevices: new Map(),
})

/** Adds a version; those before it stay. */
export function foldProfileSet(
  { versions }: Profiles,
  { companyId, profileId, version, shippedAs: _, ...form }: FactData<'profile.set'>,
  { at, by }: Pick<Fact, 'at' | 'by'>,
): void {
  const ofCompany = versions.get(companyId) ?? new Map<string, ProfileVersion[]>()
  versions.set(companyId, ofCompany)
  const all = ofCompany.get(profileId) ?? []
  ofCompany.set(profileId, all)
  all.push({ number: version, form, at, by: by ?? null })
}

/** @param deviceNo of the device it names; undefined: it names none, or none there is */
export function foldProfileAssigned(
  { ofGroups, ofDevices }: Profiles,
  { profileId, groupId }: FactData<'profile.assigned'>,
  deviceNo: number | undefined,
): void {
  if (groupId !== null) put(ofGroups, groupId, profileId)
  if (deviceNo !== undefined) put(ofDevices, deviceNo, profileId)
}

function put<K>(map: Map<K, string>, key: K, profileId: string | null): void {
  if (profileId === null) map.delete(key)
  else map.set(key, profileId)
}

/** Versions of a profile, newest first; one that is shipped ends with that. Empty where there is none of that id. */
export function profileVersions(
  { versions }: Profiles,
  companyId: string,
  profileId: string,
): ProfileVersion[] {
  const own = versions.get(companyId)?.get(profileId) ?? []
  const shipped = Object.hasOwn(SHIPPED_PROFILES, profileId) ? SHIPPED_PROFILES[profileId] : undefined
  const first = shipped === undefined ? [] : [{ number: 0, form: shipped, at: 0, by: null }]
  return [...own.toReversed(), ...first]
}

/** A profile as it is now; undefined: there is none of that id. */
export const profileNow = (
  profiles: Profiles,
  companyId: string,
  profileId: string,
): ProfileVersion | undefined => profileVersions(profiles, companyId, profileId)[0]

/** The version a load is evaluated by. */
export const profileAt = (
  profiles: Profiles,
  companyId: string,
  { profileId, version }: { profileId: string; version: number },
): ProfileForm | undefined =>
  profileVersions(profiles, companyId, profileId).find(({ number }) => number === version)?.form

/** Ids of all profiles a company has: those shipped, and its own. */
export const profileIds = ({ versions }: Profiles, companyId: string): string[] => [
  ...new Set([...Object.keys(SHIPPED_PROFILES), ...(versions.get(companyId)?.keys() ?? [])]),
]

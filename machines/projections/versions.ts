import type { Device, Directory, Group, User } from './directory.ts'
import { drivingScore, headAddress, userSettings } from './settings.ts'

/**
 * What stands for the state of something when somebody changes it: two parts where two screens change different halves,
 * so that neither is told of a conflict with the other. To everybody else a version is an opaque text.
 */
export const groupVersion = ({ version, devicesVersion }: Group): string => `${version}.${devicesVersion}`
export const userVersion = ({ settings }: Directory, { _id, version }: User): string =>
  `${version}.${userSettings(settings, _id).version}`
export const deviceVersion = ({ version }: Device): string => String(version)
export const drivingScoreVersion = ({ settings }: Directory, companyId: string): string =>
  String(drivingScore(settings, companyId).version)
export const headAddressVersion = ({ settings }: Directory, companyId: string): string =>
  String(headAddress(settings, companyId).version)

/** Whether what was seen is still so: `whole`, the first part (the fields), or the second (devices, settings). */
export function isStale(
  seen: string | null,
  now: string,
  part: 'whole' | 'first' | 'second' = 'whole',
): boolean {
  if (seen === null) return false
  if (part === 'whole') return seen !== now
  const index = part === 'first' ? 0 : 1
  return seen.split('.')[index] !== now.split('.')[index]
}

import type { Profile } from '#machines/contracts/entities/profiles.ts'
import { SHIPPED_PROFILES } from '#machines/contracts/entities/shipped-profiles.ts'
import type { Directory } from '#machines/projections/directory.ts'
import type { ProfileVersion } from '#machines/projections/profiles.ts'
import { authorName } from '../../commands/notifications/in-scope.ts'

/** One version of a profile, with who set it by the name they have now. */
export function profileAnswer(directory: Directory, profileId: string, version: ProfileVersion): Profile {
  const { number, form, at, by } = version
  const name = authorName(directory, by)
  return {
    ...{ profileId, number, version: String(number), ...form },
    isShipped: Object.hasOwn(SHIPPED_PROFILES, profileId),
    changedAt: number === 0 ? null : new Date(at).toISOString(),
    changedBy: by === null ? null : { _id: by, name: name === '' ? 'Somebody who left' : name },
  }
}

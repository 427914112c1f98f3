import { array, boolean, enums, type Infer, nullable, string, type } from 'superstruct'
import { Id, IsoInstant } from '../scalars.ts'

/** What a key of other systems is good for: sending readings, reading devices and observations, following events. */
export const KEY_SCOPES = ['ingest', 'read', 'events'] as const
export const KeyScope = enums(KEY_SCOPES)
export type KeyScope = Infer<typeof KeyScope>

/** How long the old key goes on beside the new one when it is rotated, hours. */
export const KEY_OVERLAP_HOURS = [1, 24, 168] as const
export const KeyOverlapHours = enums(KEY_OVERLAP_HOURS)

/** A key as it is listed; never the key itself. */
export const KeyInfo = type({
  _id: Id,
  name: string(),
  scopes: array(KeyScope),
  createdAt: IsoInstant,
  /** by name; null: it came with the company, or nobody knows any more */
  createdBy: nullable(string()),
  /** to the minute; null: never since this is noted */
  lastUsedAt: nullable(IsoInstant),
  /** null: until it is revoked */
  expiresAt: nullable(IsoInstant),
  isGood: boolean(),
})
export type KeyInfo = Infer<typeof KeyInfo>

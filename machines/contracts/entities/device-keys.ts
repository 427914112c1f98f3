import { enums, type Infer } from 'superstruct'

/** What a key of other systems is good for: sending readings, reading devices and observations, following events. */
export const KEY_SCOPES = ['ingest', 'read', 'events'] as const
export const KeyScope = enums(KEY_SCOPES)
export type KeyScope = Infer<typeof KeyScope>

/** How long the old key goes on beside the new one when it is rotated, hours. */
export const KEY_OVERLAP_HOURS = [1, 24, 168] as const
export const KeyOverlapHours = enums(KEY_OVERLAP_HOURS)

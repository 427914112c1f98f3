import type { Original } from './copy.ts'
import type { Fetched } from './fetching.ts'

export const LOST = 'the record has lost what it had'

/** What there is of the record on this node. */
type Here = {
  original: Original
  /** the last number that was here when it was asked for more, and is here now */
  requested: number
  head: number
  /** whether it catches up for the first time */
  isBeginning: boolean
}

/**
 * Why what was fetched can't be put behind what is here; undefined: it can.
 * @throws Error where numbers are missing that nobody deleted
 */
export function wrongWith(
  fetched: Fetched,
  { original, requested, head, isBeginning }: Here,
): string | undefined {
  const { rows, through, deletedThrough } = fetched
  if (fetched.database !== original.database || fetched.epoch !== original.epoch)
    return 'the record was begun anew'
  if (fetched.head < requested) return LOST
  let next = head + 1
  for (const { seq } of [...rows, { seq: through + 1 }]) {
    if (seq < next) continue
    if (seq > next && seq - 1 > deletedThrough)
      throw new Error(`numbers ${next} to ${seq - 1} are missing in the record`)
    if (seq > next && !isBeginning) return 'batches were deleted that this node had not seen'
    next = seq + 1
  }
  return undefined
}

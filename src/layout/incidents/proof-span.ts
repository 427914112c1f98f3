import { SHARE_MAX_MS } from '#machines/contracts/entities/shares.ts'
import type { Range } from '#machines/history-search/history-search.machine.ts'

const HOUR_MS = 3_600_000

/**
 * What the proof of something that began and ended shows, epoch ms: as much on both sides as it lasted, half an hour at least and
 * half a day at most; up to now, and no more than one link shows. `to` undefined: it lasts.
 */
export function proofSpan({ from, to }: { from: number; to: number | undefined }, now: number): Range {
  const end = to ?? now
  const room = Math.min(Math.max(end - from, HOUR_MS / 2), 12 * HOUR_MS)
  const until = Math.min(now, end + room)
  return { from: Math.max(from - room, until - SHARE_MAX_MS), to: until }
}

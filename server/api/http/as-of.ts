import type { AsOf } from '#machines/contracts/calls/as-of.ts'
import { NOTHING_KEPT, STILL_TO_COME } from '#machines/contracts/calls/as-of-calls.ts'
import { copyReading, createReadings } from '#machines/contracts/readings.ts'
import { type Device, type Directory, type Group, isWithin } from '#machines/projections/directory.ts'
import { receivedLateAt } from '#machines/rules/late-spans.ts'
import { keptFrom } from '#machines/rules/retention.ts'
import type { Visitor } from '../../auth/visitor.ts'
import type { Cut } from '../../read-models/cut.ts'
import type { HttpContext } from './context.ts'
import type { KeptHistory } from './kept-history.ts'
import { ApiError } from './refusals.ts'

/** So far back one looks, ms. */
const FARTHEST = 31 * 24 * 3_600_000

type Deps = Pick<HttpContext, 'readModels' | 'clock' | 'past'>

/** What of the record a call is asked of; undefined: all of it. */
export type CutOf = (asked: AsOf, visitor: Visitor) => Promise<Cut | undefined>

/** @throws ApiError for a time that has not come, and for one of which nothing is kept */
export function createCutOf({ readModels, clock, past }: Deps): CutOf {
  return async ({ asOf, view = 'then' }, visitor) => {
    if (asOf === undefined) return undefined
    const [now, at] = [clock.now(), Date.parse(asOf)]
    if (at > now) throw new ApiError(400, STILL_TO_COME)
    const cut = at < farthest(readModels.directory, visitor, now) ? undefined : await past.cut(at, view)
    if (cut === undefined) throw new ApiError(404, NOTHING_KEPT)
    return cut
  }
}

/** Since when a visitor may look at anything, epoch ms. */
export function farthest({ companies }: Directory, { companyId }: Visitor, now: number): number {
  const { retentionDays = null } = companies.get(companyId) ?? {}
  return Math.max(keptFrom(retentionDays, now), now - FARTHEST)
}

/** The readings of a device that are meant: none of what was still to come, `then` none of what had not come yet. */
export const historyAt =
  (history: KeptHistory, cut: Cut | undefined): KeptHistory =>
  async (device, from, to) => {
    if (cut === undefined) return history(device, from, to)
    const columns = await history(device, Math.min(from, cut.at + 1), Math.min(to, cut.at + 1))
    if (cut.view === 'now') return columns
    const kept = createReadings(columns.length)
    for (let row = 0; row < columns.length; row++)
      if ((receivedLateAt(columns, row) ?? 0) <= cut.at) copyReading(kept, columns, row)
    return kept
  }

/** A device as it was called; in the visitor's own group where it was in one that is not theirs today. */
export function deviceAt(cut: Cut | undefined, device: Device, today: Directory, visitor: Visitor): Device {
  const then = cut?.directory.devices[device.no]
  if (cut === undefined || then == null) return device
  return isSeenAt(cut, today, then.groupId, visitor.groupId) ? then : { ...then, groupId: visitor.groupId }
}

/** Whether a group of then is below another, and is so today, or is deleted. */
export const isSeenAt = (
  { directory }: Cut,
  today: Directory,
  groupId: string | null,
  topId: string,
): boolean =>
  groupId !== null &&
  (today.groups.has(groupId) ? isWithin(today, groupId, topId) : isWithin(directory, groupId, topId))

/**
 * Groups and users as they were called, of which the visitor may see something today: of the directory of then without what is not
 * theirs any more. Where the visitor's own group was not there yet, today's.
 */
export function visibleAt(cut: Cut, today: Directory, topId: string): Directory {
  const then = cut.directory
  if (then === today || !then.groups.has(topId)) return today
  const isSeen = (groupId: string | null): boolean => isSeenAt(cut, today, groupId, topId)
  const groups = new Map<string, Group>()
  for (const [id, group] of then.groups) {
    if (!isSeen(id)) continue
    const devices = new Set([...group.devices].filter((no) => isSeen(today.devices[no]?.groupId ?? null)))
    const users = new Set([...group.users].filter((user) => isSeenUser(today, user, topId)))
    groups.set(id, { ...group, child: group.child.filter(isSeen), devices, users })
  }
  return { ...then, groups }
}

/** Also who is deleted since: they were of a group that is seen. */
function isSeenUser(directory: Directory, id: string, topId: string): boolean {
  const user = directory.users.get(id)
  return user === undefined || isWithin(directory, user.groupId, topId)
}

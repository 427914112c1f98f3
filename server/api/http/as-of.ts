import type { AsOf } from '#machines/contracts/calls/as-of.ts'
import { NOTHING_KEPT, STILL_TO_COME } from '#machines/contracts/calls/as-of-calls.ts'
import { copyReading, createReadings } from '#machines/contracts/readings.ts'
import type { Device, Directory, Group } from '#machines/projections/directory.ts'
import { isOrWasWithin } from '#machines/projections/history.ts'
import { receivedLateAt } from '#machines/rules/late-spans.ts'
import { keptFrom } from '#machines/rules/retention.ts'
import type { Visitor } from '../../auth/visitor.ts'
import type { Cut } from '../../read-models/cut.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { HttpContext } from './context.ts'
import type { KeptHistory } from './kept-history.ts'
import { ApiError } from './refusals.ts'

/** So far back one looks, ms. */
const FARTHEST = 31 * 24 * 3_600_000

type Deps = Pick<HttpContext, 'readModels' | 'clock' | 'past'>
/** What there is today, and where what is gone was: by it is decided who may look. */
export type Today = Pick<ReadModels, 'directory' | 'history'>

/** What of the record a call is asked of; undefined: all of it. */
export type CutOf = (requested: AsOf, visitor: Visitor) => Promise<Cut | undefined>

/** @throws ApiError for a time that has not come, and for one of which nothing is kept */
export function createCutOf({ readModels, clock, past }: Deps): CutOf {
  return async ({ asOf, view = 'then' }, visitor) => {
    if (asOf === undefined) return undefined
    const [now, at] = [clock.now(), Date.parse(asOf)]
    if (at > now) throw new ApiError(400, STILL_TO_COME)
    const cut =
      at < farthest(readModels.directory, visitor, now)
        ? undefined
        : await past.lookedAtBy(visitor).cut(at, view)
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
export function deviceAt(cut: Cut | undefined, device: Device, today: Today, visitor: Visitor): Device {
  const then = cut?.directory.devices[device.no]
  if (then == null) return device
  return isOrWasWithin(today, then.groupId, visitor.groupId) ? then : { ...then, groupId: visitor.groupId }
}

/**
 * Groups and users as they were called, of which the visitor may see something today: of the directory of then without what is not
 * theirs any more. Where the visitor's own group was not there yet, today's.
 */
export function visibleAt({ directory: then }: Cut, today: Today, topId: string): Directory {
  const { devices, users } = today.directory
  if (then === today.directory || !then.groups.has(topId)) return today.directory
  const isTheirs = (id: string | null): boolean => isOrWasWithin(today, id, topId)
  const groups = new Map<string, Group>()
  for (const [id, group] of then.groups) {
    if (!isTheirs(id)) continue
    groups.set(id, {
      ...group,
      child: group.child.filter(isTheirs),
      devices: new Set([...group.devices].filter((no) => isTheirs(devices[no]?.groupId ?? null))),
      users: new Set([...group.users].filter((user) => isTheirs(users.get(user)?.groupId ?? user))),
    })
  }
  return { ...then, groups }
}

import { NOTHING_KEPT, STILL_TO_COME } from '#machines/contracts/calls/as-of-calls.ts'
import { FLEET_CONTENT_TYPE } from '#machines/contracts/fleet-snapshot.ts'
import { type Directory, type Group, groupsWithin, isWithin } from '#machines/projections/directory.ts'
import { keptFrom } from '#machines/rules/retention.ts'
import type { FleetAt, Past } from '../../read-models/fleet-at.ts'
import type { HttpContext } from './context.ts'
import { fleetBytes, named } from './fleet-columns.ts'
import { ApiError } from './refusals.ts'

const MINUTE = 60_000

type Deps = Pick<HttpContext, 'answerCall' | 'readModels' | 'clock'> & { past: Past }

/** What was at a time, to whoever may see it today. */
export function asOfRoutes({ answerCall, readModels: { directory }, clock, past }: Deps): void {
  answerCall('fleetAsOf', async ({ query: { at, view = 'then' }, visitor, reply }) => {
    const now = clock.now()
    if (at > now) throw new ApiError(400, STILL_TO_COME)
    const { retentionDays = null } = directory.companies.get(visitor.companyId) ?? {}
    const bytes =
      at < keptFrom(retentionDays, now)
        ? undefined
        : await past.at(Math.floor(at / MINUTE), view, (fleet) =>
            fleetThen(fleet, directory, visitor.groupId),
          )
    if (bytes === undefined) throw new ApiError(404, NOTHING_KEPT)
    reply.type(FLEET_CONTENT_TYPE).header('cache-control', 'private, no-store')
    return bytes
  })
}

/** The fleet as it was, of what is in and below a group today; a device that was in none of these groups stands in the first. */
export function fleetThen(
  { minute, seq, latest, directory }: FleetAt,
  today: Directory,
  groupId: string,
): Uint8Array {
  const groups = groupsThen(directory, today, groupId)
  const isSeen = (no: number): boolean => isWithin(today, today.devices[no]?.groupId ?? null, groupId)
  const device = Uint32Array.from(
    directory.devices.flatMap((each) => (each?.retired === null && isSeen(each.no) ? [each.no] : [])),
  )
  return fleetBytes(named(directory, groups, device), latest, seq, minute * MINUTE)
}

/** Groups of then that are below the visitor's, today or when they were deleted; the visitor's own is the first, as it is today where it was not yet. */
function groupsThen(then: Directory, today: Directory, topId: string): Group[] {
  const groups = groupsWithin(then, topId).filter(
    ({ _id }) => !today.groups.has(_id) || isWithin(today, _id, topId),
  )
  const own = today.groups.get(topId)
  return groups.length > 0 || own === undefined ? groups : [own]
}

import { NOTHING_KEPT, STILL_TO_COME } from '#machines/contracts/calls/as-of-calls.ts'
import { FLEET_CONTENT_TYPE } from '#machines/contracts/fleet-snapshot.ts'
import { type Directory, type Group, groupsWithin, isWithin } from '#machines/projections/directory.ts'
import { isOrWasWithin } from '#machines/projections/history.ts'
import type { Visitor } from '../../auth/visitor.ts'
import type { FleetAt, Past } from '../../read-models/fleet-at.ts'
import { farthest, type Today } from './as-of.ts'
import type { HttpContext } from './context.ts'
import { fleetBytes, type Named, named } from './fleet-columns.ts'
import { ApiError } from './refusals.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

type Deps = Pick<HttpContext, 'answerCall' | 'readModels' | 'clock' | 'notifications'> & { past: Past }

/** What was at a time, to whoever may see it today. */
export function asOfRoutes(deps: Deps): void {
  const { answerCall, readModels, clock, past } = deps
  const { directory } = readModels
  const names = createNamesThen()
  answerCall('fleetAsOf', async ({ query: { at: requested, view = 'then' }, visitor, reply }) => {
    const now = clock.now()
    const at = Date.parse(requested)
    if (at > now) throw new ApiError(400, STILL_TO_COME)
    const bytes =
      at < farthest(directory, visitor, now)
        ? undefined
        : await past.lookedAtBy(visitor).at(
            Math.floor(at / MINUTE),
            view,
            (fleet) => fleetThen(names, fleet, readModels, visitor.groupId),
            (no) => isSeen(directory, no, visitor.groupId),
          )
    if (bytes === undefined) throw new ApiError(404, NOTHING_KEPT)
    reply.type(FLEET_CONTENT_TYPE).header('cache-control', 'private, no-store')
    return bytes
  })

  answerCall('asOfOverview', async ({ visitor }) => {
    const now = clock.now()
    const { from: kept, framesFrom = now } = await past.span()
    const from = kept === undefined ? undefined : Math.max(kept, farthest(directory, visitor, now))
    return {
      from: from === undefined ? null : iso(from),
      framesFrom: iso(framesFrom),
      opened: from === undefined ? [] : await openedByHour(deps, visitor, from, now),
    }
  })

  answerCall('asOfEvent', async ({ query: { at, view = 'then', direction }, visitor }) => {
    const now = clock.now()
    const event = await past.event({
      ...{ at: Date.parse(at), view, direction },
      ...{ from: farthest(directory, visitor, now), to: now },
      isRequested: (no) => isSeen(directory, no, visitor.groupId),
    })
    return { at: event === undefined ? null : iso(event) }
  })
}

const iso = (at: number): string => new Date(at).toISOString()

async function openedByHour(
  { readModels: { directory }, notifications }: Deps,
  { groupId }: Visitor,
  from: number,
  to: number,
): Promise<number[]> {
  const opened = new Array<number>(Math.floor((to - from) / HOUR) + 1).fill(0)
  const isRequested = (no: number): boolean => isSeen(directory, no, groupId)
  for (const { openedAt } of await notifications.violationSpans({ from, to, isRequested })) {
    const hour = Math.floor((openedAt - from) / HOUR)
    if (hour in opened) opened[hour] = (opened[hour] as number) + 1
  }
  return opened
}

/** Names and groups of then that are seen today, while both stand. */
export type NamesThen = { of(directory: Directory, today: Today, groupId: string): Named }

/** So many are kept: while one plays each minute has those of the one before. */
const NAMES_KEPT = 4

/** Keeps the names of the last four times and groups asked for. It compares the directory of then by identity: hand in the same object. */
export function createNamesThen(): NamesThen {
  const kept: { directory: Directory; states: string; named: Named }[] = []
  return {
    of(directory, today, groupId) {
      const states = `${directory.version} ${today.directory.version} ${groupId}`
      const at = kept.findIndex((each) => each.directory === directory && each.states === states)
      const [known = { directory, states, named: namedThen(directory, today, groupId) }] =
        at < 0 ? [] : kept.splice(at, 1)
      kept.unshift(known)
      kept.splice(NAMES_KEPT)
      return known.named
    },
  }
}

/** The fleet as it was, of what is in and below a group today. */
export function fleetThen(
  names: NamesThen,
  { minute, seq, latest, directory }: FleetAt,
  today: Today,
  groupId: string,
): Uint8Array {
  return fleetBytes(names.of(directory, today, groupId), latest, seq, minute * MINUTE)
}

/** Whether a device is in or below a group today. */
const isSeen = (today: Directory, no: number, groupId: string): boolean =>
  isWithin(today, today.devices[no]?.groupId ?? null, groupId)

/** A device that was in none of the groups that are seen stands in the first. */
function namedThen(directory: Directory, today: Today, groupId: string): Named {
  const groups = groupsThen(directory, today, groupId)
  const device = Uint32Array.from(
    directory.devices.flatMap((each) =>
      each?.retired === null && isSeen(today.directory, each.no, groupId) ? [each.no] : [],
    ),
  )
  return named(directory, groups, device)
}

/** Groups of then that are below the visitor's, today or when they were deleted; the visitor's own is the first, as it is today where it was not yet. */
function groupsThen(then: Directory, today: Today, topId: string): Group[] {
  const groups = groupsWithin(then, topId).filter(({ _id }) => isOrWasWithin(today, _id, topId))
  const own = today.directory.groups.get(topId)
  return groups.length > 0 || own === undefined ? groups : [own]
}

import type { SnapshotFrom } from 'xstate'
import type { feedMachine } from '#machines/feed/feed.machine.ts'
import { isCrowded, type linkMachine } from '#machines/link/link.machine.ts'

/**
 * Why it is not live: `no-network`, the machine it runs on has none; `trying` to be let in; `waiting` before the next
 * try; `crowded`, the user has too many windows open; `no-answer`, the fleet or the notifications were asked for and did not
 * come; `outdated`, this window is older than the server.
 */
export type Hindrance = 'no-network' | 'trying' | 'waiting' | 'crowded' | 'no-answer' | 'outdated'

/**
 * How far what is shown can be trusted. `since`: offline since then. `dataAt`: everything up to this moment is shown.
 * Both epoch ms on the server's clock, null where that is not known. `hindrance`: where there is one.
 */
export type Liveness = {
  state: 'live' | 'catching-up' | 'offline'
  since: number | null
  dataAt: number | null
  hindrance?: Hindrance | undefined
  /** the fleet is live, and only notifications do not come */
  isUnnotified?: boolean
}

/** Why no notifications come; undefined: they do. */
export type Unnotified = Extract<Hindrance, 'no-answer' | 'crowded'> | undefined

/** What the two machines of a live feed say together, and its notifications. @param dataAt epoch ms up to which everything is shown */
export function livenessOf(
  link: SnapshotFrom<typeof linkMachine>,
  feed: SnapshotFrom<typeof feedMachine>,
  dataAt: number | null,
  unnotified: Unnotified,
): Liveness {
  const { failures, offlineSince } = link.context
  const isOffline = !link.matches('linking') || failures > 0
  const isFleetLive = !isOffline && feed.matches('live') && link.matches({ linking: 'online' })
  const isUnnotified = isFleetLive && unnotified !== undefined
  return {
    state: isOffline ? 'offline' : isFleetLive && !isUnnotified ? 'live' : 'catching-up',
    since: isOffline ? offlineSince : null,
    dataAt,
    hindrance: hindranceOf(link, feed, isOffline) ?? unnotified,
    ...(isUnnotified && { isUnnotified }),
  }
}

function hindranceOf(
  link: SnapshotFrom<typeof linkMachine>,
  feed: SnapshotFrom<typeof feedMachine>,
  isOffline: boolean,
): Hindrance | undefined {
  if (link.matches('outdated')) return 'outdated'
  if (link.matches('offline')) return 'no-network'
  if (link.matches('backingOff')) return isCrowded(link.context.ending) ? 'crowded' : 'waiting'
  if (isOffline) return 'trying'
  const hasFailed = feed.matches({ awaitingSnapshot: 'failed' }) || feed.matches({ resyncing: 'failed' })
  return hasFailed ? 'no-answer' : undefined
}

/** The same as far as anybody looks: the age of the data counts in seconds. */
export function isSameLiveness(a: Liveness, b: Liveness): boolean {
  const isAlike =
    a.state === b.state &&
    a.since === b.since &&
    a.hindrance === b.hindrance &&
    a.isUnnotified === b.isUnnotified
  return isAlike && seconds(a.dataAt) === seconds(b.dataAt)
}

const seconds = (at: number | null): number | null => (at === null ? null : Math.floor(at / 1000))

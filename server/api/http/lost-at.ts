import { statusOf } from '#machines/contracts/device-state.ts'
import { patienceOf } from '#machines/projections/directory.ts'
import { MOST_OVER } from '#machines/projections/incidents.ts'
import { lostIdBy, MOST_LOST } from '#machines/projections/lost-devices.ts'
import { OVER_FOR } from '#machines/projections/over-list.ts'
import { type Cut, isKnownAt } from '../../read-models/cut.ts'
import type { Past } from '../../read-models/fleet-at.ts'
import type { IsRequested } from '../../read-models/fleet-now.ts'
import type { KnownLoss } from '../../read-models/known-losses.ts'
import type { HeardAt } from '../../read-models/last-heard.ts'
import type { Loss } from '../../read-models/loss-spans.ts'
import type { NotificationIndex } from '../../read-models/notification-index.ts'
import { factsInBreaths } from '../../store/log-follower.ts'
import type { EventLog } from '../../store/store.ts'

type Deps = {
  store: { log: EventLog }
  heardAt: HeardAt
  notifications: Pick<NotificationIndex, 'losses' | 'knownLosses'>
  past: Past
}

/**
 * `seq` of the facts that devices were lost, and of those that ended it; `known`: when those are known now to have been, in that view alone;
 * `more`: so many more are lost than are listed.
 */
export type LostAt = { seqs: number[]; ends: number[]; known?: LostThen[]; more: number }

/** A loss as it is known now, `since` and `openedAt` only where that is not as it was published; epoch ms. */
export type LostThen = { loss: KnownLoss; since?: number; openedAt?: number }

const MINUTE = 60_000
/** By which somebody has a lost device in hand. */
const CARED = ['violation.acknowledged', 'violation.taken'] as const
/** One more than are listed says that there are more. */
const MOST_BACK = MOST_OVER + 1

/** Devices that were lost as of a time, or back for less than a day. Rejects with StoreUnavailable. */
export const lostAt = (deps: Deps, cut: Cut, isRequested: IsRequested): Promise<LostAt> =>
  cut.view === 'then' ? lostAsPublished(deps, cut, isRequested) : lostAsKnown(deps, cut, isRequested)

async function lostAsPublished(
  { store, notifications }: Deps,
  cut: Cut,
  isRequested: IsRequested,
): Promise<LostAt> {
  const isOver = ({ endSeq }: Loss): boolean => endSeq !== 0 && endSeq <= cut.seq
  const losses = await notifications.losses(
    (loss) =>
      loss.seq <= cut.seq && (!isOver(loss) || loss.endAt > cut.at - OVER_FOR) && isRequested(loss.no),
  )
  const open = losses.filter((loss) => !isOver(loss))
  const { listed, more } = await newestOf(store.log, cut, open)
  const back = losses.filter(isOver).sort(newestEndFirst).slice(0, MOST_BACK)
  return { seqs: [...listed, ...back].map(({ seq }) => seq), ends: endsOf(back), more }
}

async function lostAsKnown(deps: Deps, cut: Cut, isRequested: IsRequested): Promise<LostAt> {
  const range = { from: cut.at - OVER_FOR, to: cut.at }
  const losses = await deps.notifications.knownLosses({ ...range, isRequested })
  const isOver = ({ endAt }: Loss): boolean => endAt <= cut.at
  const open = await stillLost(
    deps.past,
    cut,
    losses.filter((loss) => !isOver(loss)),
  )
  const { listed, more } = await newestOf(deps.store.log, cut, open)
  const over = losses.filter(isOver).sort(newestEndFirst)
  const known = [...(await foundOf(deps, cut, over, MOST_BACK)), ...(await foundOf(deps, cut, listed))]
  const its = known.map(({ loss }) => loss)
  // what one is known to have been ends by what is known, and the next that was published begins after it
  return { seqs: [...new Set(its.map(({ seq }) => seq))], ends: endsOf(its), known, more }
}

const newestEndFirst = (a: Loss, b: Loss): number => b.endAt - a.endAt

const endsOf = (losses: readonly Loss[]): number[] =>
  losses.flatMap(({ endSeq }) => (endSeq === 0 ? [] : [endSeq]))

/** Of lost devices those that somebody has in hand, and the newest of the others; `more`: so many are left out. */
async function newestOf<L extends Loss>(
  log: EventLog,
  cut: Cut,
  lost: readonly L[],
): Promise<{ listed: readonly L[]; more: number }> {
  const [first] = lost
  if (first === undefined || lost.length <= MOST_LOST) return { listed: lost, more: 0 }
  const cared = await caredFor(log, cut, first.seq)
  const nobodys = lost.filter(({ seq }) => !cared.has(lostIdBy(`f${seq}`)))
  const left = new Set(nobodys.slice(0, Math.max(0, nobodys.length - MOST_LOST)))
  return { listed: lost.filter((loss) => !left.has(loss)), more: left.size }
}

/** Incidents that somebody acknowledged or took after a position. */
async function caredFor(log: EventLog, cut: Cut, after: number): Promise<Set<string>> {
  const ids = new Set<string>()
  for await (const fact of factsInBreaths(log, CARED, { after }))
    if (isKnownAt(cut, fact)) ids.add(fact.data.violationId)
  return ids
}

/** Of losses as they are known now the first so many that were; all, where that is not said. Rejects with StoreUnavailable. */
async function foundOf(
  deps: Pick<Deps, 'heardAt'>,
  cut: Cut,
  known: readonly KnownLoss[],
  most = Number.POSITIVE_INFINITY,
): Promise<LostThen[]> {
  const lost: LostThen[] = []
  for (const loss of known) {
    if (lost.length >= most) break
    const one = loss.isFound ? await foundLost(deps, cut, loss) : { loss }
    if (one !== undefined) lost.push(one)
  }
  return lost
}

/**
 * Since when a device was lost by what late readings say: from its last reading, after the patience of its company, or from when it
 * had no supply. Undefined: it was not for that long.
 */
async function foundLost(
  { heardAt }: Pick<Deps, 'heardAt'>,
  cut: Cut,
  loss: KnownLoss,
): Promise<LostThen | undefined> {
  const { no, at, endAt } = loss
  const patience = patienceOf(cut.directory, no)
  const heard = await heardAt(no, at)
  if (heard === 'nothing') return { loss, since: at - patience, openedAt: at }
  if (heard === 'unplugged') return { loss, since: at, openedAt: at }
  // records of earlier releases say that it was heard up to its last reading
  const openedAt = at + patience
  return openedAt < endAt && openedAt <= cut.at ? { loss, since: at, openedAt } : undefined
}

/** Of those published as lost the ones that were: late readings may show now that one was heard. */
async function stillLost<L extends Loss>(
  past: Past,
  { at, view }: Cut,
  losses: readonly L[],
): Promise<readonly L[]> {
  if (losses.length === 0) return losses
  const devices = new Set(losses.map(({ no }) => no))
  const lost = await past.at(
    Math.floor(at / MINUTE),
    view,
    ({ latest: { size, state } }) =>
      losses.filter(({ no }) => no >= size || statusOf(state[no] as number) !== 'online'),
    (no) => devices.has(no),
  )
  return lost ?? losses
}

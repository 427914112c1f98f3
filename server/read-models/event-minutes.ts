import type { AsOfView } from '#machines/contracts/calls/as-of.ts'
import type { FrameStore } from '../store/frames.ts'
import type { Store } from '../store/store.ts'
import type { NotificationIndex, ViolationQuery } from './notification-index.ts'

/** The event before or after `at` is asked for, none that is shown before `from` or after `to`; epoch ms. */
export type EventRequest = Pick<ViolationQuery, 'from' | 'to' | 'isRequested'> & {
  at: number
  direction: 'before' | 'after'
  view: AsOfView
}

type Known = {
  store: Pick<Store, 'log' | 'frames'>
  notifications: Pick<NotificationIndex, 'violationSpans' | 'violationNews'>
}

const MINUTE = 60_000

/**
 * The whole minute nearest to a time that is the first to show that a violation opened or was over, epoch ms: as known now when that
 * was, as known then when it was published. Before the first frame both views are what is known now. Undefined: there is none. Rejects with
 * StoreUnavailable.
 */
export async function eventMinute(known: Known, requested: EventRequest): Promise<number | undefined> {
  const kept = requested.view === 'then' ? await known.store.frames.span() : undefined
  if (kept === undefined) return knownMinute(known, requested)
  const beforeFrames = { ...requested, to: (kept.first - 1) * MINUTE }
  return requested.direction === 'after'
    ? ((await knownMinute(known, beforeFrames)) ?? publishedMinute(known, requested, kept.first))
    : ((await publishedMinute(known, requested, kept.first)) ?? knownMinute(known, beforeFrames))
}

async function knownMinute(
  { notifications }: Known,
  { at, direction, from, to, isRequested }: EventRequest,
): Promise<number | undefined> {
  const way = direction === 'after' ? 1 : -1
  let nearest = Number.POSITIVE_INFINITY
  for (const span of await notifications.violationSpans({ from, to, isRequested }))
    for (const when of [span.openedAt, span.to]) {
      if (when === null || when < from) continue
      const minute = Math.ceil(when / MINUTE) * MINUTE
      const away = way * (minute - at)
      if (minute <= to && away > 0) nearest = Math.min(nearest, away)
    }
  return nearest === Number.POSITIVE_INFINITY ? undefined : at + way * nearest
}

/** @param first the first minute that was kept: what it shows already is no event */
async function publishedMinute(
  { store, notifications }: Known,
  { at, direction, from, to, isRequested }: EventRequest,
  first: number,
): Promise<number | undefined> {
  const { frames } = store
  const isAfter = direction === 'after'
  const start = await seqAt(frames, first)
  const shown = await seqAt(
    frames,
    isAfter ? Math.max(first, Math.floor(at / MINUTE)) : Math.ceil(at / MINUTE) - 1,
  )
  if (start === undefined || shown === undefined) return undefined
  const news = await notifications.violationNews({ from, to, isRequested })
  const seq = isAfter ? news.find((one) => one > shown) : news.findLast((one) => one > start && one <= shown)
  const minute = seq === undefined ? undefined : await firstWith(store, seq)
  return minute === undefined || minute < from ? undefined : minute
}

/** Up to where in the record all is in the last frame up to a minute. */
async function seqAt(frames: FrameStore, minute: number): Promise<number | undefined> {
  const [own] = await frames.upTo(minute, minute)
  return (own ?? (await frames.upTo(minute)).at(-1))?.seq
}

/** The first minute that was kept with a fact in it, epoch ms. */
async function firstWith({ log, frames }: Known['store'], seq: number): Promise<number | undefined> {
  const [fact] = log.readFacts(seq - 1, { limit: 1 })
  // the clock of the node that stored it may be ahead
  const recorded = Math.floor((fact?.recordedAt ?? 0) / MINUTE) - 1
  let frame = await frames.next(recorded - 1)
  while (frame !== undefined && frame.seq < seq) frame = await frames.next(frame.minute)
  return frame && frame.minute * MINUTE
}

import { useSelector } from '@xstate/react'
import { useEffect, useRef, useState } from 'react'
import { auditTime, filter, merge, Observable, throttle } from 'rxjs'
import { waitFor } from 'xstate'
import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { Progress } from '#machines/rules/catching-up.ts'
import type { Fleet } from '../read-model/fleet.ts'
import type { LiveFeed } from '../streams/live-feed.ts'
import { loadHistory, type useHistorySearch } from './history-search.ts'
import { useStore } from './store.ts'
import { useRoot } from './use-root.ts'

/** While a device delivers its past it is asked for so often, ms: that may take hours. What was evaluated anew comes in a bunch. */
const EVERY = 5000
const BUNCH = 500

/** Emits when a device's past is known otherwise: some of it came late, or was evaluated anew. */
function lateNewsOf({ fleet, feed }: { fleet: Fleet; feed: LiveFeed }, imei: string): Observable<unknown> {
  const isOfIt = (fact: Fact): boolean =>
    (fact.type === 'violation.found-late' ||
      fact.type === 'violation.revised' ||
      fact.type === 'device-status.revised') &&
    fact.data.imei === imei
  return merge(
    progressOf(fleet, imei).pipe(auditTime(EVERY)),
    feed.facts$.pipe(filter(isOfIt), auditTime(BUNCH)),
  )
}

function progressOf(fleet: Fleet, imei: string): Observable<Progress | undefined> {
  const progress = () => {
    const row = fleet.names.rowOf(imei)
    return row < 0 ? undefined : fleet.progress.get(fleet.columns.device[row] as number)
  }
  return new Observable((subscriber) => {
    let before: Progress | undefined
    const look = () => {
      const now = progress()
      if (now !== before) subscriber.next(now)
      before = now
    }
    look()
    return fleet.subscribe(look)
  })
}

/** How far a device has come; undefined where it does not deliver its past. */
export function useProgress(imei: string): Progress | undefined {
  const fleet = useStore(useRoot().live)?.fleet
  const [progress, setProgress] = useState<Progress>()
  useEffect(() => {
    const followed = fleet && progressOf(fleet, imei).subscribe(setProgress)
    return () => {
      followed?.unsubscribe()
      setProgress(undefined)
    }
  }, [fleet, imei])
  return progress
}

/**
 * Calls back when what is known of a device's past became another; where that takes a while, once more afterwards, however much
 * came in between: an answer that is slower than the news comes too.
 */
export function useLateNews(imei: string, onNews: () => void | Promise<void>): void {
  const running = useStore(useRoot().live)
  const latest = useRef(onNews)
  useEffect(() => {
    latest.current = onNews
  })
  useEffect(() => {
    const called = throttle(async () => latest.current(), { leading: true, trailing: true })
    const news = running && lateNewsOf(running, imei).pipe(called).subscribe()
    return () => news?.unsubscribe()
  }, [running, imei])
}

const lateOf = ({ late = [] }: DeviceHistory): number => late.reduce((sum, { readings }) => sum + readings, 0)

/**
 * What came late for the history that is shown. One that reaches the present is fetched anew by itself; of an earlier span it
 * is only said how many readings came since it was read, so that nothing moves under whoever looks at it.
 */
export function useCameLater(actor: ReturnType<typeof useHistorySearch>, imei: string): number {
  const { http, clock } = useRoot()
  const history = useSelector(actor, (state) => state.context.history)
  const [came, setCame] = useState<{ since: DeviceHistory; readings: number }>()
  const leaving = useRef<AbortController>(undefined)
  useEffect(() => {
    const left = new AbortController()
    leaving.current = left
    return () => left.abort()
  }, [])
  const answered = () => waitFor(actor, (state) => !state.matches('loading'))
  async function look(): Promise<void> {
    // what is on its way may be of before
    const { reachesNow, range, history: since } = (await answered()).context
    if (reachesNow) {
      actor.send({ type: 'resumed', now: clock.now() })
      await answered()
    } else if (since !== null && leaving.current) {
      const now = await loadHistory(http, { imei, range, isBackground: true }, leaving.current.signal)
      setCame({ since, readings: lateOf(now) - lateOf(since) })
    }
  }
  // the next news asks again
  useLateNews(imei, () => look().catch(() => {}))
  return came !== undefined && came.since === history ? Math.max(0, came.readings) : 0
}

import { useActorRef } from '@xstate/react'
import { useEffect, useMemo } from 'react'
import { fromPromise } from 'xstate'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import type { DeviceHistory, HistoryPoint, KnownViolation } from '#machines/contracts/entities/devices.ts'
import { ON_TIME, toUnits } from '#machines/contracts/readings.ts'
import {
  type HistoryPreset,
  historySearchMachine,
  type Range,
} from '#machines/history-search/history-search.machine.ts'
import { historyPieces } from '#machines/rules/date-range.ts'
import { followVisibility } from '../effects/attention.ts'
import type { Http } from '../effects/http.ts'
import { zoneName } from '../format/time.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { inspect } from './inspection.ts'
import { isLinked } from './link-status.ts'
import { useStore } from './store.ts'
import { unlessStopped } from './unless-stopped.ts'
import { useRoot } from './use-root.ts'
import { useThen } from './use-then.ts'

/** More points than a chart has pixels tell nothing more. */
const MAX_POINTS = 2000
/**
 * What reaches the present is asked for so often while one can see it, ms: a live frame tells of a device its newest reading
 * alone, and of one that is silent nothing.
 */
const RENEW_MS = 60_000

/**
 * The history of one device: asked for over HTTP, extended by what the live link brings, each minute up to now. @param first the range at first, the same
 * object always, and which of those offered it is
 */
export function useHistorySearch(imei: string, first: { range: Range; preset: HistoryPreset | null }) {
  const { http, clock, live, link } = useRoot()
  const then = useThen()
  const machine = useMemo(
    () =>
      historySearchMachine.provide({
        actors: {
          loadHistory: fromPromise<DeviceHistory, { imei: string; range: Range; isBackground: boolean }>(
            ({ input, signal }) => unlessStopped(signal, loadHistory(http, input, signal)),
          ),
        },
      }),
    [http],
  )
  const input = useMemo(() => ({ imei, ...first, zone: zoneName, now: clock.now() }), [imei, first, clock])
  const actor = useActorRef(machine, { input, inspect })

  const running = useStore(live)
  const fleet = running?.fleet
  useEffect(() => {
    if (fleet === undefined) return
    return followReadings(fleet, imei, (point) =>
      actor.send({ type: 'readings', points: [receivedAt(clock.now(), point)] }),
    )
  }, [fleet, imei, clock, actor])
  useEffect(() => {
    if (then !== undefined) return
    let minutes = 0
    let isVisible = false
    const renew = (): void => {
      const state = actor.getSnapshot()
      const { reachesNow, range } = state.context
      // each day of a longer span is a request
      const isDue = isVisible && reachesNow && minutes >= historyPieces(range).length
      if (!isDue || state.matches('loading')) return
      minutes = 0
      actor.send({ type: 'resumed', now: clock.now() })
    }
    const unfollow = followVisibility(document, (visible) => {
      isVisible = visible
      renew()
    })
    const renewing = setInterval(() => {
      minutes++
      renew()
    }, RENEW_MS)
    return () => {
      unfollow()
      clearInterval(renewing)
    }
  }, [then, clock, actor])
  // its group may have other limits now, or it may be in another group
  useEffect(() => {
    const changes = running?.feed.changes$.subscribe(({ subject, ids }) => {
      const isMine = ids.length === 0 || ids.includes(groupOf(running.fleet, imei) ?? '')
      if (subject === 'groups' && isMine) actor.send({ type: 'resumed', now: clock.now() })
    })
    return () => changes?.unsubscribe()
  }, [running, imei, clock, actor])
  useEffect(() => {
    let wasCut = false
    return link.subscribe(() => {
      const isCut = !isLinked(link.get())
      if (wasCut && !isCut) actor.send({ type: 'resumed', now: clock.now() })
      wasCut = isCut
    })
  }, [link, clock, actor])
  return actor
}

/** A span longer than the server answers at once is asked for in pieces, the oldest first in what comes out. */
export async function loadHistory(
  http: Http,
  { imei, range, isBackground }: { imei: string; range: Range; isBackground: boolean },
  signal: AbortSignal,
): Promise<DeviceHistory> {
  const pieces = historyPieces(range)
  const maxPoints = Math.ceil(MAX_POINTS / pieces.length)
  const answers = await Promise.all(
    pieces.map(({ from, to }) =>
      http.ask(
        DEVICE_CALLS.observations,
        { params: { imei }, query: { data: { startDate: from, endDate: to }, maxPoints } },
        { signal, isBackground },
      ),
    ),
  )
  return {
    ...(answers.at(-1) as DeviceHistory),
    points: answers.flatMap(({ points }) => points),
    damaged: answers.flatMap(({ damaged = [] }) => damaged),
    late: answers.flatMap(({ late = [] }) => late),
    violations: withoutRepeats(answers.flatMap(({ violations = [] }) => violations)),
  }
}

/** One that reaches over several pieces is in the answer of each. */
const withoutRepeats = (violations: KnownViolation[]): KnownViolation[] => [
  ...new Map(violations.map((one) => [`${one.type} ${one.since}`, one])).values(),
]

/** Each newer reading of one device as a point; starts when the fleet knows the device. */
function followReadings(fleet: Fleet, imei: string, notify: (point: HistoryPoint) => void): () => void {
  let stopWatching: (() => void) | undefined
  const watch = () => {
    const row = fleet.names.rowOf(imei)
    if (stopWatching !== undefined || row < 0) return
    stopWatching = fleet.watch(fleet.columns.device[row] as number, (r) => notify(pointOf(fleet, r)))
  }
  watch()
  const stopWaiting = fleet.subscribe(watch)
  return () => {
    stopWaiting()
    stopWatching?.()
  }
}

/** A point that comes more than two minutes after its time says so, as in an answer of the server. */
function receivedAt(now: number, point: HistoryPoint): HistoryPoint {
  return now - Date.parse(point.dateTime) > ON_TIME
    ? { ...point, receivedAt: new Date(now).toISOString() }
    : point
}

function groupOf({ names, columns, groups }: Fleet, imei: string): string | undefined {
  const row = names.rowOf(imei)
  return row < 0 ? undefined : groups.list[columns.group[row] as number]?._id
}

/** What a row of the fleet shows, as a point of a history. */
export function pointOf({ columns }: Fleet, row: number): HistoryPoint {
  return {
    dateTime: new Date(columns.at[row] as number).toISOString(),
    temperature: toUnits('temperature', columns.temperature[row] as number) ?? null,
    humidity: toUnits('humidity', columns.humidity[row] as number) ?? null,
    lat: toUnits('lat', columns.lat[row] as number) ?? null,
    lng: toUnits('lng', columns.lng[row] as number) ?? null,
  }
}

import type { DeviceHistory, HistoryPoint } from '../contracts/entities/devices.ts'
import { historySearchMachine } from './history-search.machine.ts'

const HOUR = 3_600_000
export const NOW = Date.UTC(2026, 10, 1, 12)
export const LAST_DAY = { from: NOW - 24 * HOUR, to: NOW }

export const pointAt = (at: number, temperature: number | null = 4): HistoryPoint => ({
  dateTime: new Date(at).toISOString(),
  temperature,
  humidity: 55,
  lat: 31.5,
  lng: 74.3,
})

export const historyOf = (...points: HistoryPoint[]): DeviceHistory => ({
  points,
  latest: points.at(-1) ?? null,
  thresholds: {
    lowTemperatureThreshold: 2,
    highTemperatureThreshold: 8,
    lowHumidityThreshold: 20,
    highHumidityThreshold: 80,
    tmin: -30,
    tmax: 70,
    hmin: -40,
    hmax: 100,
  },
})

export const model = {
  name: 'history-search',
  kind: 'screen' as const,
  machine: historySearchMachine,
  input: { imei: '350000000000001', range: LAST_DAY, preset: 'day' as const, zone: 'Asia/Karachi', now: NOW },
  events: [
    { type: 'search', range: LAST_DAY, now: NOW },
    { type: 'search', range: { from: NOW - 72 * HOUR, to: NOW - 60 * HOUR }, now: NOW },
    { type: 'search', range: { from: NOW - 25 * HOUR, to: NOW }, now: NOW },
    { type: 'look', range: { from: NOW - HOUR, to: NOW }, preset: 'hour', now: NOW },
    { type: 'readings', points: [pointAt(NOW + 1000)] },
    { type: 'resumed', now: NOW + HOUR },
    { type: 'retry', now: NOW + HOUR },
    { type: 'xstate.done.actor.loadHistory', output: historyOf(pointAt(NOW - HOUR)) },
    { type: 'xstate.done.actor.loadHistory', output: historyOf() },
    { type: 'xstate.error.actor.loadHistory', error: new Error('The server did not answer') },
  ],
  serializeState: (snapshot: {
    value: unknown
    context: {
      reachesNow: boolean
      isOfRange: boolean
      message: string | null
      history: DeviceHistory | null
    }
  }) =>
    JSON.stringify([
      snapshot.value,
      snapshot.context.reachesNow,
      snapshot.context.isOfRange,
      snapshot.context.message,
      Math.min(snapshot.context.history?.points.length ?? 0, 2),
    ]),
  describe: (event: {
    type: string
    range?: { from: number; to: number }
    output?: DeviceHistory
    points?: HistoryPoint[]
  }) => {
    if (event.type === 'search' && event.range !== undefined) {
      const hours = (event.range.to - event.range.from) / HOUR
      return `search of ${hours} hours ${event.range.to === NOW ? 'until now' : 'two days ago'}`
    }
    if (event.type === 'look') return 'a look at the last hour'
    if (event.output !== undefined)
      return event.output.points.length === 0 ? 'an answer without readings' : 'an answer with readings'
    if (event.points !== undefined) return 'a new reading'
    if (event.type.startsWith('xstate.error')) return 'an answer that fails'
    if (event.type === 'retry') return event.type
    if (event.type === 'resumed') return 'the link being back'
    return undefined
  },
}

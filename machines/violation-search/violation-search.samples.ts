import type { Fault } from '../rules/plain-text.ts'
import { type ValidFilter, violationSearchMachine } from './violation-search.machine.ts'

const DAY = 86_400_000
export const NOW = Date.UTC(2026, 10, 21, 12)
export const LAST_DAY: ValidFilter = {
  groupId: 'top',
  devices: 'all',
  violations: ['HIGH_TEMPERATURE_DETECTED', 'LOW_TEMPERATURE_DETECTED'],
  range: { from: NOW - DAY, to: NOW },
}
export const EARLIER: ValidFilter = { ...LAST_DAY, range: { from: NOW - 9 * DAY, to: NOW - 8 * DAY } }
const NO_DEVICES: ValidFilter = { ...LAST_DAY, devices: [] }

/** The answer is whatever the portal asks for: the chart, or the summary. */
export const model = {
  name: 'violation-search',
  kind: 'screen' as const,
  machine: violationSearchMachine<number>(),
  input: { filter: LAST_DAY, now: NOW, timeZone: 'Asia/Karachi' },
  events: [
    { type: 'search', filter: LAST_DAY, now: NOW },
    { type: 'search', filter: EARLIER, now: NOW },
    { type: 'search', filter: NO_DEVICES, now: NOW },
    { type: 'violation' },
    { type: 'refresh', now: NOW + DAY },
    { type: 'xstate.done.actor.load', output: 12 },
    { type: 'xstate.error.actor.load', error: new Error('The server did not answer') },
  ],
  serializeState: (snapshot: {
    value: unknown
    context: { reachesNow: boolean; shown: unknown; news: number; faults: readonly Fault[] }
  }) => {
    const { reachesNow, shown, news, faults } = snapshot.context
    return JSON.stringify([snapshot.value, reachesNow, shown !== null, Math.min(news, 1), faults.length])
  },
  describe: (event: { type: string; filter?: ValidFilter }) => {
    if (event.type === 'violation') return 'a violation that happens meanwhile'
    if (event.type === 'refresh') return 'the same asked for a day later'
    if (event.filter === LAST_DAY) return 'search of the last day'
    if (event.filter === EARLIER) return 'search of a day last week'
    if (event.filter === NO_DEVICES) return 'search of no devices'
    if (event.type.startsWith('xstate.done')) return 'an answer'
    if (event.type.startsWith('xstate.error')) return 'an answer that fails'
    return undefined
  },
}

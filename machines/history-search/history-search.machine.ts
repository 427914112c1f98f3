import { assign, fromPromise, setup } from 'xstate'
import type { DeviceHistory, HistoryPoint } from '../contracts/entities/devices.ts'
import { historyRangeFault, type Preset, presetRange } from '../rules/date-range.ts'
import { messageOf } from '../rules/message-of.ts'

/** Epoch ms, both ends included. */
export type Range = { from: number; to: number }

/** Longer spans are asked for in days. */
export type HistoryPreset = Exclude<Preset, 'month'>

/** `zone`: of the nights */
type Input = { imei: string; range: Range; preset: HistoryPreset | null; zone: string; now: number }
type Context = {
  imei: string
  zone: string
  range: Range
  /** the range is this offered one, and goes on with the present; null: it was typed or pressed, and stays what it is */
  preset: HistoryPreset | null
  /** the range reaches the present: new readings belong to it */
  reachesNow: boolean
  history: DeviceHistory | null
  /** that history is of the range asked for, and stays where asking for it again fails */
  isOfRange: boolean
  /** readings that came while the history was on its way: it may have been read before them */
  early: HistoryPoint[]
  /** why the last search was refused, in the documents' words */
  message: string | null
  error: string | null
}
type Event =
  | { type: 'search'; range: Range; now: number }
  /** a span that is offered, or pressed, of any length: nothing was typed that could be refused */
  | { type: 'look'; range: Range; preset: HistoryPreset | null; now: number }
  /** newest last; what is older than the last point shown is passed over */
  | { type: 'readings'; points: HistoryPoint[] }
  /** time has passed, or the live link was cut and is back: what came in between has to be fetched */
  | { type: 'resumed'; now: number }
  /** what came since it failed is asked for too */
  | { type: 'retry'; now: number }

/** A device's history: asked for by range, with what comes live of it while the range reaches the present. */
export const historySearchMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as Input },
  actors: {
    /** `isBackground`: nobody asked for it, the page goes on with what it shows */
    loadHistory: fromPromise<DeviceHistory, { imei: string; range: Range; isBackground: boolean }>(
      notProvided,
    ),
  },
  guards: { isRefused, reachesNow, isEmpty, isNews },
  actions: {
    refuse: assign(refuse),
    take: assign(take),
    goOn: assign(goOn),
    show: assign(show),
    forgetEarly: assign({ early: [] }),
    keepEarly: assign(keepEarly),
    fail: assign(fail),
    append: assign(append),
  },
}).createMachine({
  id: 'history-search',
  context: ({ input }) => ({
    imei: input.imei,
    zone: input.zone,
    range: input.range,
    preset: input.preset,
    reachesNow: reaches(input.range, input.now),
    history: null,
    isOfRange: false,
    early: [],
    message: null,
    error: null,
  }),
  initial: 'loading',
  on: {
    search: [
      {
        guard: { type: 'isRefused', params: ({ event }) => event },
        actions: { type: 'refuse', params: ({ event }) => event },
      },
      { target: '.loading', actions: { type: 'take', params: ({ event }) => event } },
    ],
    look: { target: '.loading', actions: { type: 'take', params: ({ event }) => event } },
  },
  states: {
    loading: {
      entry: 'forgetEarly',
      on: {
        readings: { actions: { type: 'keepEarly', params: ({ event }) => event } },
        /** the answer may be of before the cut, and what came during it was sent to nobody */
        resumed: {
          guard: 'reachesNow',
          target: 'loading',
          reenter: true,
          actions: { type: 'goOn', params: ({ event }) => event },
        },
      },
      invoke: {
        id: 'loadHistory',
        src: 'loadHistory',
        input: ({ context: { imei, range }, event }) => ({
          imei,
          range,
          isBackground: event.type === 'resumed',
        }),
        onDone: [
          {
            guard: { type: 'isEmpty', params: ({ event }) => ({ history: event.output }) },
            target: 'empty',
            actions: { type: 'show', params: ({ event }) => ({ history: event.output }) },
          },
          { target: 'shown', actions: { type: 'show', params: ({ event }) => ({ history: event.output }) } },
        ],
        onError: { target: 'failed', actions: { type: 'fail', params: ({ event }) => event } },
      },
    },
    shown: {
      initial: 'deciding',
      states: {
        deciding: { always: [{ guard: 'reachesNow', target: 'live' }, { target: 'past' }] },
        live: {
          on: {
            readings: {
              guard: { type: 'isNews', params: ({ event }) => event },
              actions: { type: 'append', params: ({ event }) => event },
            },
            resumed: {
              target: '#history-search.loading',
              actions: { type: 'goOn', params: ({ event }) => event },
            },
          },
        },
        past: {},
      },
    },
    empty: {
      on: {
        readings: {
          guard: { type: 'isNews', params: ({ event }) => event },
          target: 'shown',
          actions: { type: 'append', params: ({ event }) => event },
        },
        resumed: {
          guard: 'reachesNow',
          target: 'loading',
          actions: { type: 'goOn', params: ({ event }) => event },
        },
      },
    },
    failed: {
      on: {
        retry: { target: 'loading', actions: { type: 'goOn', params: ({ event }) => event } },
        resumed: { target: 'loading', actions: { type: 'goOn', params: ({ event }) => event } },
      },
    },
  },
})

/** A range that ends this close to now means "until now": the form has no seconds. */
const PRESENT_MS = 120_000
const reaches = ({ to }: Range, now: number): boolean => to >= now - PRESENT_MS

/** Those that belong to the range: what was typed or pressed ends where it ends. */
function within({ reachesNow, preset, range }: Context, points: HistoryPoint[]): HistoryPoint[] {
  if (!reachesNow) return []
  return preset === null ? points.filter(({ dateTime }) => Date.parse(dateTime) <= range.to) : points
}

/** Those that come after all before them: a reading that comes twice counts once. */
function newer(history: DeviceHistory | null, points: HistoryPoint[]): HistoryPoint[] {
  const last = history?.points.at(-1)
  let newest = last === undefined ? Number.NEGATIVE_INFINITY : Date.parse(last.dateTime)
  return points.filter(({ dateTime }) => {
    const isNewer = Date.parse(dateTime) > newest
    if (isNewer) newest = Date.parse(dateTime)
    return isNewer
  })
}

function appended<H extends DeviceHistory | null>(history: H, points: HistoryPoint[]): H {
  if (history === null) return history
  const added = newer(history, points)
  return { ...history, points: [...history.points, ...added], latest: added.at(-1) ?? history.latest }
}

function notProvided(): Promise<never> {
  return Promise.reject(new Error('loadHistory is provided by the portal'))
}

type Args = { context: Context }

function isRefused(_: unknown, { range }: { range: Range }): boolean {
  return historyRangeFault(range.from, range.to) !== undefined
}

function reachesNow({ context }: Args): boolean {
  return context.reachesNow
}

function isEmpty({ context }: Args, { history }: { history: DeviceHistory }): boolean {
  return history.points.length === 0 && within(context, context.early).length === 0
}

function isNews({ context }: Args, { points }: { points: HistoryPoint[] }): boolean {
  return newer(context.history, within(context, points)).length > 0
}

function refuse(_: unknown, { range }: { range: Range }): Partial<Context> {
  return { message: historyRangeFault(range.from, range.to) ?? null }
}

function take(
  _: unknown,
  { range, preset = null, now }: { range: Range; preset?: HistoryPreset | null; now: number },
): Partial<Context> {
  return { range, preset, reachesNow: reaches(range, now), isOfRange: false, message: null }
}

function goOn({ context: { range, preset, zone } }: Args, { now }: { now: number }): Partial<Context> {
  const next = preset === null ? range : presetRange(preset, now, zone)
  return { range: next, reachesNow: reaches(next, now) }
}

function show({ context }: Args, { history }: { history: DeviceHistory }): Partial<Context> {
  return { history: appended(history, within(context, context.early)), isOfRange: true, error: null }
}

function keepEarly({ context: { early } }: Args, { points }: { points: HistoryPoint[] }): Partial<Context> {
  return { early: [...early, ...points] }
}

function append({ context }: Args, { points }: { points: HistoryPoint[] }): Partial<Context> {
  return { history: appended(context.history, within(context, points)) }
}

function fail(_: unknown, { error }: { error: unknown }): Partial<Context> {
  return { error: messageOf(error) }
}

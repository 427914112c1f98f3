import { assign, type EventObject, fromCallback, fromPromise, setup } from 'xstate'
import type { ObservationRow } from '../contracts/entities/devices.ts'
import { messageOf } from '../rules/message-of.ts'
import {
  type NoDevice,
  type ObservationField,
  type ObservationFilter,
  observationFaults,
} from '../rules/observation-filter.ts'
import type { Fault } from '../rules/plain-text.ts'

/** A filter nothing is wrong with. `start`: epoch ms. */
export type ObservationQuery = { imei: string; start: number; hours: number }

type Context = {
  noDevice: NoDevice
  requested: ObservationQuery | null
  /** what is shown, oldest first, and what it was asked for with */
  shown: { rows: readonly ObservationRow[]; requested: ObservationQuery } | null
  faults: readonly Fault<ObservationField>[]
  error: string | null
  /** rows already in the file that is being made */
  written: number
}
type Event =
  | { type: 'search'; filter: ObservationFilter }
  | { type: 'retry' }
  | { type: 'download' }
  | { type: 'cancel' }
  | { type: 'file.grew'; rows: number }
  | { type: 'file.saved' }
  | { type: 'file.failed'; message: string }

/** Readings of one device as a table: asked for when Search is pressed, made into a file when it is wanted. */
export const observationSearchMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as { noDevice: NoDevice } },
  actors: {
    loadRows: fromPromise<readonly ObservationRow[], ObservationQuery>(notProvided),
    /** tells how it goes with the events `file.…`; stopped, it leaves off */
    makeFile: fromCallback<EventObject, NonNullable<Context['shown']>>(() => {
      throw new Error('makeFile is provided by the portal')
    }),
  },
  guards: { isWrong, isEmpty },
  actions: {
    refuse: assign(refuse),
    take: assign(take),
    show: assign(show),
    fail: assign(fail),
    begin: assign({ written: 0, error: null }),
    grow: assign(grow),
  },
}).createMachine({
  id: 'observation-search',
  context: ({ input: { noDevice } }) => ({
    noDevice,
    requested: null,
    shown: null,
    faults: [],
    error: null,
    written: 0,
  }),
  initial: 'idle',
  on: {
    search: [
      {
        guard: { type: 'isWrong', params: ({ event }) => event },
        actions: { type: 'refuse', params: ({ event }) => event },
      },
      { target: '.loading', actions: { type: 'take', params: ({ event }) => event } },
    ],
  },
  states: {
    idle: {},
    loading: {
      invoke: {
        id: 'loadRows',
        src: 'loadRows',
        input: ({ context }) => context.requested as ObservationQuery,
        onDone: [
          {
            guard: { type: 'isEmpty', params: ({ event }) => ({ rows: event.output }) },
            target: 'empty',
            actions: { type: 'show', params: ({ event }) => ({ rows: event.output }) },
          },
          { target: 'shown', actions: { type: 'show', params: ({ event }) => ({ rows: event.output }) } },
        ],
        onError: { target: 'failed', actions: { type: 'fail', params: ({ event }) => event } },
      },
    },
    shown: {
      initial: 'ready',
      states: {
        ready: { on: { download: 'making' } },
        making: {
          entry: 'begin',
          invoke: {
            id: 'makeFile',
            src: 'makeFile',
            input: ({ context }) => context.shown as NonNullable<Context['shown']>,
          },
          on: {
            'file.grew': { actions: { type: 'grow', params: ({ event }) => event } },
            'file.saved': 'ready',
            'file.failed': {
              target: 'unmade',
              actions: { type: 'fail', params: ({ event }) => ({ error: event.message }) },
            },
            cancel: 'ready',
          },
        },
        unmade: { on: { download: 'making' } },
      },
    },
    empty: {},
    failed: { on: { retry: 'loading' } },
  },
})

function notProvided(): Promise<never> {
  return Promise.reject(new Error('it is provided by the portal'))
}

type Args = { context: Context }

function isWrong({ context }: Args, { filter }: { filter: ObservationFilter }): boolean {
  return observationFaults(filter, context.noDevice).length > 0
}

function isEmpty(_: unknown, { rows }: { rows: readonly ObservationRow[] }): boolean {
  return rows.length === 0
}

function refuse({ context }: Args, { filter }: { filter: ObservationFilter }): Partial<Context> {
  return { faults: observationFaults(filter, context.noDevice) }
}

function take(_: unknown, { filter }: { filter: ObservationFilter }): Partial<Context> {
  return { requested: filter as ObservationQuery, faults: [] }
}

function show(
  { context: { requested } }: Args,
  { rows }: { rows: readonly ObservationRow[] },
): Partial<Context> {
  return { shown: requested && { rows, requested }, error: null }
}

function grow(_: unknown, { rows }: { rows: number }): Partial<Context> {
  return { written: rows }
}

function fail(_: unknown, { error }: { error: unknown }): Partial<Context> {
  return { error: messageOf(error) }
}

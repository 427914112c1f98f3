import { assign, fromPromise, setup } from 'xstate'
import type { DateRange } from '../rules/date-range.ts'
import { messageOf } from '../rules/message-of.ts'
import type { Fault } from '../rules/plain-text.ts'
import { type FilterField, type ViolationFilter, violationFilterFaults } from '../rules/violation-filter.ts'

/** A filter nothing is wrong with. */
export type ValidFilter = Omit<ViolationFilter, 'range'> & { range: DateRange }
/** `isBackground`: what is shown goes on being shown meanwhile. */
export type Load = { filter: ValidFilter; isBackground: boolean }

type Input = { filter: ValidFilter; now: number; timeZone: string }
type Context<Answer> = {
  timeZone: string
  /** what is asked for, or was last */
  filter: ValidFilter
  /** the range reaches the present: what happens now belongs to it */
  reachesNow: boolean
  /** what is shown, what it was asked for with, and when it was */
  shown: { answer: Answer; filter: ValidFilter; at: number } | null
  askedAt: number
  /** violations that came since it was requested, which it may lack */
  news: number
  faults: readonly Fault<FilterField>[]
  error: string | null
}
type Event =
  | { type: 'search'; filter: ViolationFilter; now: number }
  /** a violation came that belongs to what is shown */
  | { type: 'violation' }
  /** the same again; what reached the present then reaches it now */
  | { type: 'refresh'; now: number }

/**
 * Violations by a filter, asked for at once and again when a filter is right. What is shown stays until the next answer is
 * there; it does not follow what happens, it counts what it may lack.
 */
export const violationSearchMachine = <Answer>() =>
  setup({
    types: { context: {} as Context<Answer>, events: {} as Event, input: {} as Input },
    actors: {
      load: fromPromise<Answer, Load>(notProvided),
    },
    guards: { isWrong: isWrong<Answer>, reachesNow: reachesNow<Answer> },
    actions: {
      refuse: assign(refuse<Answer>),
      take: assign(take),
      takeAgain: assign(takeAgain<Answer>),
      count: assign(count<Answer>),
      show: assign(show<Answer>),
      fail: assign(fail),
    },
  }).createMachine({
    id: 'violation-search',
    context: ({ input: { filter, now, timeZone } }) => ({
      ...requestOf(filter, now),
      timeZone,
      shown: null,
      error: null,
    }),
    initial: 'loading',
    on: {
      search: [
        {
          guard: { type: 'isWrong', params: ({ event }) => event },
          actions: { type: 'refuse', params: ({ event }) => event },
        },
        { target: '.loading', actions: { type: 'take', params: ({ event }) => event } },
      ],
      violation: { guard: 'reachesNow', actions: 'count' },
    },
    states: {
      loading: {
        invoke: {
          id: 'load',
          src: 'load',
          input: ({ context: { filter, shown }, event }) => ({
            filter,
            isBackground: event.type === 'refresh' && shown !== null,
          }),
          onDone: {
            target: 'shown',
            actions: { type: 'show', params: ({ event }) => ({ answer: event.output }) },
          },
          onError: { target: 'failed', actions: { type: 'fail', params: ({ event }) => event } },
        },
      },
      shown: {
        on: { refresh: { target: 'loading', actions: { type: 'takeAgain', params: ({ event }) => event } } },
      },
      failed: {
        on: { refresh: { target: 'loading', actions: { type: 'takeAgain', params: ({ event }) => event } } },
      },
    },
  })

type Search = { filter: ViolationFilter; now: number }

/** A range that ends this close to now means "until now": the form has no seconds. */
const PRESENT_MS = 120_000

function requestOf(filter: ValidFilter, now: number) {
  return { filter, askedAt: now, reachesNow: filter.range.to >= now - PRESENT_MS, news: 0, faults: [] }
}

/** As long as before, up to now; an end beyond now, such as that of today, stays where it is. */
function movedTo(now: number, { from, to }: DateRange): DateRange {
  return to >= now ? { from, to } : { from: now - (to - from), to: now }
}

type Args<Answer> = { context: Context<Answer> }

function isWrong<Answer>({ context }: Args<Answer>, { filter, now }: Search): boolean {
  return violationFilterFaults(filter, now, context.timeZone).length > 0
}

function reachesNow<Answer>({ context }: Args<Answer>): boolean {
  return context.reachesNow
}

function refuse<Answer>({ context }: Args<Answer>, { filter, now }: Search) {
  return { faults: violationFilterFaults(filter, now, context.timeZone) }
}

function take(_: unknown, { filter, now }: Search) {
  return requestOf(filter as ValidFilter, now)
}

function takeAgain<Answer>({ context: { filter, reachesNow } }: Args<Answer>, { now }: { now: number }) {
  return requestOf(reachesNow ? { ...filter, range: movedTo(now, filter.range) } : filter, now)
}

function count<Answer>({ context }: Args<Answer>) {
  return { news: context.news + 1 }
}

function show<Answer>({ context: { filter, askedAt } }: Args<Answer>, { answer }: { answer: Answer }) {
  return { shown: { answer, filter, at: askedAt }, error: null }
}

function fail(_: unknown, { error }: { error: unknown }) {
  return { error: messageOf(error) }
}

function notProvided(): Promise<never> {
  return Promise.reject(new Error('load is provided by the portal'))
}

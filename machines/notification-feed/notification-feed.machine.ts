import { assign, fromPromise, setup } from 'xstate'
import type { Notification } from '../contracts/entities/notifications.ts'
import type { DateRange } from '../rules/date-range.ts'
import {
  type Answered,
  type ChangingFact,
  EMPTY,
  type Filters,
  type Listed,
  seqOf,
  withAnswer,
  withChange,
  withChanges,
  withEntry,
  withTold,
} from './entries.ts'
import { NOTHING_UNREAD, type Unread, withCount, withHeard, withSeen, withToldFrom } from './unread.ts'

type Input = { filters: Filters; pageSize: number }
type Context = {
  filters: Filters
  pageSize: number
  listed: Listed
  unread: Unread
  /** entries to ask for at once: a list that is loaded again keeps its length */
  wanted: number
  /** `seq` of the last notification that came live: each counts once */
  heardTo: number
  /** what came live, the last of it: an answer on its way may be of before */
  news: readonly Notification[]
  changes: readonly ChangingFact[]
  error: string | null
}
type Event =
  | { type: 'told'; notification: Notification }
  | { type: 'changed'; fact: ChangingFact }
  /** the server answered one entry, e.g. to a comment */
  | { type: 'answered'; entry: Notification }
  /** all up to a position is seen, as it is known since `seq` */
  | { type: 'seen'; upTo: number; seq: number }
  /** what happened after `seq` comes live; what was before may not have */
  | { type: 'toldFrom'; seq: number }
  /** the server has begun a new log: nothing known counts there */
  | { type: 'begunAnew' }
  | { type: 'filter'; things: Filters['things']; types: Filters['types'] }
  | { type: 'dates'; range: DateRange }
  | { type: 'view' }
  | { type: 'loadMore' }
  /** `isBackground`: nobody pressed anything, there is a link again */
  | { type: 'retry'; isBackground?: true }
/** `isBackground`: nobody waits for it, what is listed goes on being listed meanwhile. */
export type Asked = { filters: Filters; skip: number; limit: number; isBackground: boolean }

/** A list of notifications: loaded by pages, extended and changed by what comes live, each shown once and none left out. */
export const notificationFeedMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as Input },
  actors: {
    loadPage: fromPromise<Answered, Asked>(() => Promise.reject(NOT_PROVIDED)),
  },
  delays: {
    /** the documents' pauses: before the first load, and after the date range was changed */
    firstLoad: 2000,
    dateSettle: 3000,
  },
  guards: {
    isNew: ({ context }, { notification }: { notification: Notification }) =>
      seqOf(notification) > context.heardTo,
    hasMore: ({ context }) => context.listed.hasMore,
    /** the answer is of before what comes live: what lies between is missing */
    isTooOld: ({ context }, { seq }: { seq: number }) => seq < context.unread.toldFrom,
    isBehind: ({ context: { listed } }, { seq }: { seq: number }) => listed.asOf >= 0 && listed.asOf < seq,
    /** how many are left unseen follows from what came live */
    canCount: ({ context: { unread } }, { upTo }: { upTo: number }) => upTo >= unread.toldFrom,
  },
  actions: {
    take: assign(({ context }, { notification }: { notification: Notification }) => {
      const told = withChanges(notification, context.changes)
      return {
        listed: withTold(context.listed, told, context.filters),
        unread: withHeard(context.unread, seqOf(told)),
        heardTo: seqOf(told),
        news: [...context.news, told].slice(-KEPT),
      }
    }),
    change: assign(({ context }, { fact }: { fact: ChangingFact }) => ({
      listed: withChange(context.listed, fact),
      news: context.news.map((one) => withChanges(one, [fact])),
      changes: [...context.changes, fact].slice(-KEPT),
    })),
    replace: assign({
      listed: ({ context: { listed, changes } }, { entry }: { entry: Notification }) =>
        withEntry(listed, entry, changes),
    }),
    noteSeen: assign({
      unread: ({ context }, { upTo }: { upTo: number }) => withSeen(context.unread, upTo),
    }),
    noteFrom: assign({
      unread: ({ context }, { seq }: { seq: number }) => withToldFrom(context.unread, seq),
    }),
    forget: assign({ listed: EMPTY, unread: NOTHING_UNREAD, heardTo: -1, news: [], changes: [] }),
    narrow: assign({
      filters: ({ context }, { things, types }: Pick<Filters, 'things' | 'types'>) => ({
        ...context.filters,
        things,
        types,
      }),
    }),
    setRange: assign({
      filters: ({ context }, { range }: { range: DateRange }) => ({ ...context.filters, range }),
    }),
    startOver: assign({ wanted: ({ context }) => context.pageSize }),
    keepLength: assign({
      wanted: ({ context: { pageSize, listed } }) =>
        Math.max(pageSize, Math.min(listed.entries.length, MOST_AT_ONCE)),
    }),
    show: assign(({ context }, { answer }: { answer: Answered }) => ({
      listed: withAnswer({ ...EMPTY }, answer, context),
      unread: withCount(context.unread, answer.unread, answer.seq),
    })),
    append: assign(({ context }, { answer }: { answer: Answered }) => ({
      listed: withAnswer(context.listed, answer, context),
      unread: withCount(context.unread, answer.unread, answer.seq),
    })),
    fail: assign({
      error: (_, { error }: { error: unknown }) => (error instanceof Error ? error.message : String(error)),
    }),
    forgetError: assign({ error: null }),
  },
}).createMachine({
  id: 'notification-feed',
  context: ({ input: { filters, pageSize } }) => ({
    filters,
    pageSize,
    listed: EMPTY,
    unread: NOTHING_UNREAD,
    wanted: pageSize,
    heardTo: -1,
    news: [],
    changes: [],
    error: null,
  }),
  initial: 'waiting',
  on: {
    told: {
      guard: { type: 'isNew', params: ({ event }) => event },
      actions: { type: 'take', params: ({ event }) => event },
    },
    changed: { actions: { type: 'change', params: ({ event }) => event } },
    answered: { actions: { type: 'replace', params: ({ event }) => event } },
    seen: [
      {
        guard: { type: 'canCount', params: ({ event }) => event },
        actions: { type: 'noteSeen', params: ({ event }) => event },
      },
      {
        guard: { type: 'isBehind', params: ({ event }) => event },
        target: '.loading',
        actions: 'keepLength',
      },
    ],
    toldFrom: [
      {
        guard: { type: 'isBehind', params: ({ event }) => event },
        target: '.loading',
        actions: [{ type: 'noteFrom', params: ({ event }) => event }, 'keepLength'],
      },
      { actions: { type: 'noteFrom', params: ({ event }) => event } },
    ],
    begunAnew: { target: '.loading', actions: ['forget', 'startOver'] },
    filter: {
      target: '.loading',
      actions: [{ type: 'narrow', params: ({ event }) => event }, 'startOver'],
    },
    dates: {
      target: '.settling',
      actions: [{ type: 'setRange', params: ({ event }) => event }, 'startOver'],
    },
  },
  states: {
    waiting: { after: { firstLoad: 'loading' }, on: { view: 'loading' } },
    /** another date range was chosen, and may be changed further */
    settling: { after: { dateSettle: 'loading' } },
    loading: {
      entry: 'forgetError',
      invoke: {
        id: 'loadPage',
        src: 'loadPage',
        input: ({ context: { filters, wanted }, event }) => ({
          filters,
          skip: 0,
          limit: wanted,
          isBackground: isQuiet(event as Event),
        }),
        onDone: [
          {
            guard: { type: 'isTooOld', params: ({ event }) => event.output },
            target: 'loading',
            reenter: true,
          },
          { target: 'ready', actions: { type: 'show', params: ({ event }) => ({ answer: event.output }) } },
        ],
        onError: { target: 'failed', actions: { type: 'fail', params: ({ event }) => event } },
      },
    },
    ready: { on: { loadMore: { guard: 'hasMore', target: 'loadingMore' } } },
    loadingMore: {
      entry: 'forgetError',
      invoke: {
        id: 'loadMore',
        src: 'loadPage',
        /** the offset grows by what is loaded and by what came live */
        input: ({ context: { filters, listed, pageSize } }) => ({
          filters,
          skip: listed.entries.length,
          limit: pageSize,
          isBackground: false,
        }),
        onDone: {
          target: 'ready',
          actions: { type: 'append', params: ({ event }) => ({ answer: event.output }) },
        },
        onError: { target: 'ready', actions: { type: 'fail', params: ({ event }) => event } },
      },
    },
    failed: { on: { retry: 'loading' } },
  },
})

/** What comes from the link rather than from the visitor. */
const isQuiet = (event: Event): boolean =>
  event.type === 'retry'
    ? event.isBackground === true
    : event.type === 'seen' || event.type === 'toldFrom' || event.type === 'begunAnew'

const NOT_PROVIDED = new Error('loadPage is provided by the portal')
/** Facts the server tells one by one after a cut, at most: more than these an answer cannot be behind. */
const KEPT = 2000
/** A server answers no more at once. */
const MOST_AT_ONCE = 500

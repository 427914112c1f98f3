import { assign, fromPromise, setup } from 'xstate'
import type { Notification } from '../contracts/entities/notifications.ts'
import type { DateRange } from '../rules/date-range.ts'
import { messageOf } from '../rules/message-of.ts'
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
  withLive,
} from './entries.ts'
import { NOTHING_UNREAD, type Unread, withCount, withHeard, withLiveFrom, withSeen } from './unread.ts'

type Input = { filters: Filters; pageSize: number }
type Context = {
  filters: Filters
  pageSize: number
  listed: Listed
  unread: Unread
  /** entries to ask for at once: a list that is loaded again keeps its length */
  wanted: number
  /** nobody waits for what is asked for: the link or the clock asked for it */
  isBackground: boolean
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
  /** the day is over that the list reached to: it goes on into the next */
  | { type: 'dayOver'; range: DateRange }
  | { type: 'view' }
  | { type: 'loadMore' }
  /** `isBackground`: nobody pressed anything, there is a link again */
  | { type: 'retry'; isBackground?: true }
/** `isBackground`: nobody waits for it, what is listed goes on being listed meanwhile. */
export type PageRequest = { filters: Filters; skip: number; limit: number; isBackground: boolean }

/** A list of notifications: loaded by pages, extended and changed by what comes live, each shown once and none left out. */
export const notificationFeedMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as Input },
  actors: {
    loadPage: fromPromise<Answered, PageRequest>(notProvided),
  },
  delays: {
    /** the documents' pauses: before the first load, and after the date range was changed */
    firstLoad: 2000,
    dateSettle: 3000,
  },
  guards: { isNew, hasMore, isTooOld, isBehind, canCount },
  actions: {
    take: assign(take),
    change: assign(change),
    replace: assign(replace),
    noteSeen: assign(noteSeen),
    noteFrom: assign(noteFrom),
    forget: assign({ listed: EMPTY, unread: NOTHING_UNREAD, heardTo: -1, news: [], changes: [] }),
    narrow: assign(narrow),
    setRange: assign(setRange),
    startOver: assign(startOver),
    keepLength: assign(keepLength),
    show: assign(show),
    append: assign(append),
    fail: assign(fail),
    forgetError: assign({ error: null }),
    noteWaiting: assign(noteWaiting),
  },
}).createMachine({
  id: 'notification-feed',
  context: ({ input: { filters, pageSize } }) => ({
    filters,
    pageSize,
    listed: EMPTY,
    unread: NOTHING_UNREAD,
    wanted: pageSize,
    isBackground: false,
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
    dayOver: {
      target: '.loading',
      actions: [{ type: 'setRange', params: ({ event }) => event }, 'keepLength'],
    },
  },
  states: {
    waiting: { after: { firstLoad: 'loading' }, on: { view: 'loading' } },
    /** another date range was chosen, and may be changed further */
    settling: { entry: 'noteWaiting', after: { dateSettle: 'loading' } },
    loading: {
      entry: ['forgetError', 'noteWaiting'],
      invoke: {
        id: 'loadPage',
        src: 'loadPage',
        input: ({ context: { filters, wanted, isBackground } }) => ({
          filters,
          skip: 0,
          limit: wanted,
          isBackground,
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

/** What comes from the link or the clock rather than from the visitor. */
const QUIET = new Set<string>(['seen', 'toldFrom', 'begunAnew', 'dayOver'])

/** Facts the server tells one by one after a cut, at most: more than these an answer cannot be behind. */
const KEPT = 2000
/** A server answers no more at once. */
const MOST_AT_ONCE = 500

function notProvided(): Promise<never> {
  return Promise.reject(new Error('loadPage is provided by the portal'))
}

type Args = { context: Context }

function isNew({ context }: Args, { notification }: { notification: Notification }): boolean {
  return seqOf(notification) > context.heardTo
}

function hasMore({ context }: Args): boolean {
  return context.listed.hasMore
}

/** The answer is older than what comes live: what lies between is missing. */
function isTooOld({ context }: Args, { seq }: { seq: number }): boolean {
  return seq < context.unread.toldFrom
}

function isBehind({ context: { listed } }: Args, { seq }: { seq: number }): boolean {
  return listed.asOf >= 0 && listed.asOf < seq
}

/** How many are left unseen follows from what came live. */
function canCount({ context: { unread } }: Args, { upTo }: { upTo: number }): boolean {
  return upTo >= unread.toldFrom
}

function take({ context }: Args, { notification }: { notification: Notification }): Partial<Context> {
  const live = withChanges(notification, context.changes)
  return {
    listed: withLive(context.listed, live, context.filters),
    unread: withHeard(context.unread, seqOf(live)),
    heardTo: seqOf(live),
    news: [...context.news, live].slice(-KEPT),
  }
}

function change({ context }: Args, { fact }: { fact: ChangingFact }): Partial<Context> {
  return {
    listed: withChange(context.listed, fact),
    news: context.news.map((one) => withChanges(one, [fact])),
    changes: [...context.changes, fact].slice(-KEPT),
  }
}

function replace(
  { context: { listed, changes } }: Args,
  { entry }: { entry: Notification },
): Partial<Context> {
  return { listed: withEntry(listed, entry, changes) }
}

function noteSeen({ context }: Args, { upTo }: { upTo: number }): Partial<Context> {
  return { unread: withSeen(context.unread, upTo) }
}

function noteFrom({ context }: Args, { seq }: { seq: number }): Partial<Context> {
  return { unread: withLiveFrom(context.unread, seq) }
}

function narrow(
  { context: { filters } }: Args,
  { things, types }: Pick<Filters, 'things' | 'types'>,
): Partial<Context> {
  return { filters: { ...filters, things, types } }
}

function setRange({ context: { filters } }: Args, { range }: { range: DateRange }): Partial<Context> {
  return { filters: { ...filters, range } }
}

function startOver({ context }: Args): Partial<Context> {
  return { wanted: context.pageSize }
}

function keepLength({ context: { pageSize, listed } }: Args): Partial<Context> {
  return { wanted: Math.max(pageSize, Math.min(listed.entries.length, MOST_AT_ONCE)) }
}

function show({ context }: Args, { answer }: { answer: Answered }): Partial<Context> {
  return joined(EMPTY, answer, context)
}

function append({ context }: Args, { answer }: { answer: Answered }): Partial<Context> {
  return joined(context.listed, answer, context)
}

function joined(listed: Listed, answer: Answered, context: Context): Partial<Context> {
  return {
    listed: withAnswer(listed, answer, context),
    unread: withCount(context.unread, answer.unread, answer.seq),
  }
}

/** What the machine goes on with by itself is as it was begun. */
function noteWaiting({ event }: { event: { type: string; isBackground?: true } }): Partial<Context> {
  const { type, isBackground = QUIET.has(type) } = event
  return type.startsWith('xstate.') ? {} : { isBackground }
}

function fail(_: unknown, { error }: { error: unknown }): Partial<Context> {
  return { error: messageOf(error) }
}

import { assign, fromCallback, fromPromise, setup } from 'xstate'
import type { SimStatus } from '../contracts/calls/sim-calls.ts'
import { messageOf } from '../rules/message-of.ts'
import { type Doing, isJourney, type Outcome, type Part, partOf, type World } from './doings.ts'

type Context = {
  /** as it was last looked at; null before */
  world: World | null
  /** a journey began since: what was done in the world, and which it is, is not known until it is looked at again */
  isLookDue: boolean
  /** what is being done, or was last; null before, and on a journey that somebody else began */
  doing: Doing | null
  /** what was pressed meanwhile: done after it, in this order */
  waiting: Doing[]
  outcome: Outcome
  /** why it was not done, and in which part of the panel to say so */
  refusal: { part: Part; message: string } | null
  /** why the world cannot be looked at */
  error: string | null
}
type Event =
  | { type: 'open' }
  | { type: 'close' }
  | { type: 'retry' }
  /** what `/sim` asks of other machines has been typed in */
  | { type: 'token.given' }
  | { type: 'act'; doing: Doing }
  /** the journey is to end where the world is */
  | { type: 'stop' }
  | { type: 'status.told'; status: SimStatus }

/**
 * The director's panel: it looks at the simulated world while it is open, and does one thing to it at a time. What is pressed
 * meanwhile comes next.
 */
export const directorMachine = setup({
  types: { context: {} as Context, events: {} as Event },
  actors: {
    look: fromPromise<World>(notProvided),
    act: fromPromise<Outcome, { doing: Doing | null }>(notProvided),
    /** done when the world has arrived; with nothing to do it comes along on somebody else's journey */
    travel: fromPromise<Outcome, { doing: Doing | null }>(notProvided),
    stopJourney: fromPromise<void>(notProvided),
    /** sends the status again and again */
    watchProgress: fromCallback<Event>(() => {}),
  },
  delays: { untilNextLook: 3000 },
  guards: { isUnderWay, isTokenNeeded, isJourney: isForJourney, isJourneyNext, isNext },
  actions: {
    show: assign(show),
    showStatus: assign(showStatus),
    begin: assign(begin),
    keepForLater: assign(keepForLater),
    beginNext: assign(beginNext),
    forget: assign({ waiting: [] }),
    comeAlong: assign({ doing: null, outcome: {} }),
    doubt: assign({ isLookDue: true }),
    keepOutcome: assign(keepOutcome),
    refuse: assign(refuse),
    fail: assign(fail),
  },
}).createMachine({
  id: 'director',
  context: {
    world: null,
    isLookDue: false,
    doing: null,
    waiting: [],
    outcome: {},
    refusal: null,
    error: null,
  },
  initial: 'closed',
  on: { close: { target: '.closed', actions: 'forget' } },
  states: {
    closed: { on: { open: 'watching' } },
    watching: {
      initial: 'asking',
      on: {
        act: [
          {
            guard: { type: 'isJourney', params: ({ event }) => event },
            target: 'travelling',
            actions: { type: 'begin', params: ({ event }) => event },
          },
          { target: 'acting', actions: { type: 'begin', params: ({ event }) => event } },
        ],
      },
      states: {
        asking: {
          invoke: {
            id: 'look',
            src: 'look',
            onDone: [
              {
                guard: { type: 'isUnderWay', params: ({ event }) => ({ world: event.output }) },
                target: '#director.travelling',
                actions: [{ type: 'show', params: ({ event }) => ({ world: event.output }) }, 'comeAlong'],
              },
              {
                target: 'resting',
                actions: { type: 'show', params: ({ event }) => ({ world: event.output }) },
              },
            ],
            onError: [
              {
                guard: { type: 'isTokenNeeded', params: ({ event }) => event },
                target: '#director.locked',
                actions: { type: 'fail', params: ({ event }) => event },
              },
              { target: 'failed', actions: { type: 'fail', params: ({ event }) => event } },
            ],
          },
        },
        resting: { after: { untilNextLook: 'asking' } },
        /** what is known of the world stands, and can be acted on */
        failed: { on: { retry: 'asking' }, after: { untilNextLook: 'asking' } },
      },
    },
    locked: { on: { 'token.given': 'watching' } },
    acting: {
      invoke: {
        id: 'act',
        src: 'act',
        input: ({ context: { doing } }) => ({ doing }),
        onDone: {
          target: 'done',
          actions: { type: 'keepOutcome', params: ({ event }) => ({ outcome: event.output }) },
        },
        onError: { target: 'done', actions: { type: 'refuse', params: ({ event }) => event } },
      },
      on: { act: { actions: { type: 'keepForLater', params: ({ event }) => event } } },
    },
    done: {
      always: [
        { guard: 'isJourneyNext', target: 'travelling', actions: 'beginNext' },
        { guard: 'isNext', target: 'acting', actions: 'beginNext' },
        { target: 'watching' },
      ],
    },
    travelling: {
      entry: 'doubt',
      invoke: [
        {
          id: 'travel',
          src: 'travel',
          input: ({ context: { doing } }) => ({ doing }),
          onDone: {
            target: 'done',
            actions: { type: 'keepOutcome', params: ({ event }) => ({ outcome: event.output }) },
          },
          onError: { target: 'done', actions: { type: 'refuse', params: ({ event }) => event } },
        },
        { id: 'watchProgress', src: 'watchProgress' },
      ],
      on: {
        act: { actions: { type: 'keepForLater', params: ({ event }) => event } },
        'status.told': { actions: { type: 'showStatus', params: ({ event }) => event } },
      },
      initial: 'going',
      states: {
        going: { on: { stop: 'stopping' } },
        stopping: {
          invoke: {
            id: 'stopJourney',
            src: 'stopJourney',
            onDone: 'stopped',
            onError: { target: 'going', actions: { type: 'refuse', params: ({ event }) => event } },
          },
        },
        stopped: { description: 'what sent the world on its way is about to be answered' },
      },
    },
  },
})

function notProvided(): Promise<never> {
  return Promise.reject(new Error('the portal provides it'))
}

type Args = { context: Context }

function isUnderWay(_: unknown, { world }: { world: World }): boolean {
  return world.status.journey !== null
}

function isTokenNeeded(_: unknown, { error }: { error: unknown }): boolean {
  return error instanceof Error && error.name === 'TokenNeeded'
}

function isForJourney(_: unknown, { doing }: { doing: Doing }): boolean {
  return isJourney(doing)
}

function isJourneyNext({ context: { waiting } }: Args): boolean {
  return waiting[0] !== undefined && isJourney(waiting[0])
}

function isNext({ context: { waiting } }: Args): boolean {
  return waiting.length > 0
}

function show(_: unknown, { world }: { world: World }): Partial<Context> {
  return { world, isLookDue: false, error: null }
}

function showStatus({ context: { world } }: Args, { status }: { status: SimStatus }): Partial<Context> {
  return { world: world && { ...world, status } }
}

function begin(_: unknown, { doing }: { doing: Doing }): Partial<Context> {
  return { doing, outcome: {}, refusal: null }
}

function keepForLater({ context: { waiting } }: Args, { doing }: { doing: Doing }): Partial<Context> {
  return { waiting: [...waiting, doing] }
}

/** Why what was before was not done is still said: nobody has seen it. */
function beginNext({ context: { waiting } }: Args): Partial<Context> {
  const [doing = null, ...rest] = waiting
  return { doing, waiting: rest, outcome: {} }
}

function keepOutcome(_: unknown, { outcome }: { outcome: Outcome }): Partial<Context> {
  return { outcome }
}

function refuse({ context: { doing } }: Args, { error }: { error: unknown }): Partial<Context> {
  return { refusal: { part: doing === null ? 'clock' : partOf(doing), message: messageOf(error) } }
}

function fail(_: unknown, { error }: { error: unknown }): Partial<Context> {
  return { error: messageOf(error) }
}

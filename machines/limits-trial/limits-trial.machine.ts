import { assign, fromPromise, setup } from 'xstate'
import type { Candidate, LimitsTrialWithResult } from '../contracts/entities/limits-trials.ts'
import { messageOf } from '../rules/message-of.ts'

/** What is to be tried. Dates are ISO 8601. */
export type Draft = {
  quantity: 'temperature' | 'humidity'
  startDate: string
  endDate: string
  candidates: Candidate[]
}
type Trial = LimitsTrialWithResult

/** It is no longer kept: asking once more would bring nothing either. */
export class TrialGone extends Error {
  override readonly name = 'TrialGone'
}

type Context = {
  /** which one is under way or shown */
  trialId: string | null
  /** what was tried last, for whoever goes on from there */
  draft: Draft | null
  /** devices that are through, of how many */
  done: number
  of: number
  /** how long the others take about, s; null: nobody knows yet */
  left: number | null
  /** what came of it */
  shown: Trial | null
  /** which candidate is to be made the group's */
  candidate: number
  /** why the last step came to nothing */
  error: string | null
}
type Event =
  | { type: 'try'; draft: Draft }
  /** one that was begun before: by a link, or from those of lately */
  | { type: 'open'; id: string }
  | { type: 'progress'; done: number; of: number; left: number | null }
  | { type: 'cancel' }
  | { type: 'apply'; candidate: number }
  | { type: 'confirm' }
  | { type: 'back' }
  | { type: 'again' }
  | { type: 'retry' }

/** Limits are tried on what was measured, and a candidate is made the group's once somebody said so twice. */
export const limitsTrialMachine = setup({
  types: { context: {} as Context, events: {} as Event },
  actors: {
    startTrial: fromPromise<{ id: string }, { draft: Draft | null }>(notProvided),
    /** resolves when it is no longer under way; meanwhile `progress` is sent. Rejects with `TrialGone` where none is kept */
    followTrial: fromPromise<Trial, { trialId: string | null }>(notProvided),
    cancelTrial: fromPromise<void, { trialId: string | null }>(notProvided),
    applyCandidate: fromPromise<void, { trialId: string | null; candidate: number }>(notProvided),
  },
  actions: {
    takeDraft: assign(takeDraft),
    takeId: assign(takeId),
    takeProgress: assign(takeProgress),
    show: assign(show),
    pick: assign(pick),
    keepError: assign(keepError),
    forgetError: assign({ error: null }),
    forget: assign({ trialId: null, shown: null, done: 0, of: 0, left: null, error: null }),
    /** its address is the page's from now on, or no longer */
    noteAddress: () => {},
    announce: () => {},
  },
  guards: {
    isDone: (_, params: { trial: Trial }) => params.trial.state === 'done',
    isGone: (_, params: { error: unknown }) => params.error instanceof TrialGone,
  },
}).createMachine({
  id: 'limits-trial',
  context: { trialId: null, draft: null, done: 0, of: 0, left: null, shown: null, candidate: 0, error: null },
  initial: 'choosing',
  states: {
    choosing: {
      on: {
        try: { target: 'starting', actions: { type: 'takeDraft', params: ({ event }) => event } },
        open: {
          target: 'running',
          actions: [{ type: 'takeId', params: ({ event }) => event }, 'forgetError', 'noteAddress'],
        },
      },
    },
    starting: {
      invoke: {
        id: 'startTrial',
        src: 'startTrial',
        input: ({ context: { draft } }) => ({ draft }),
        onDone: {
          target: 'running',
          actions: [{ type: 'takeId', params: ({ event }) => event.output }, 'noteAddress'],
        },
        onError: { target: 'choosing', actions: { type: 'keepError', params: ({ event }) => event } },
      },
    },
    running: {
      on: {
        progress: { actions: { type: 'takeProgress', params: ({ event }) => event } },
        cancel: 'cancelling',
      },
      invoke: {
        id: 'followTrial',
        src: 'followTrial',
        input: ({ context: { trialId } }) => ({ trialId }),
        onDone: [
          {
            guard: { type: 'isDone', params: ({ event }) => ({ trial: event.output }) },
            target: 'shown',
            actions: { type: 'show', params: ({ event }) => ({ trial: event.output }) },
          },
          {
            target: 'choosing',
            actions: [
              'forget',
              { type: 'takeDraft', params: ({ event }) => ({ draft: draftOf(event.output) }) },
              { type: 'keepError', params: ({ event }) => ({ error: new Error(whyNone(event.output)) }) },
              'noteAddress',
            ],
          },
        ],
        onError: [
          {
            guard: { type: 'isGone', params: ({ event }) => event },
            target: 'choosing',
            actions: ['forget', { type: 'keepError', params: ({ event }) => event }, 'noteAddress'],
          },
          { target: 'lost', actions: { type: 'keepError', params: ({ event }) => event } },
        ],
      },
    },
    /** how far it is could not be asked for: it may go on all the same */
    lost: {
      on: {
        retry: { target: 'running', actions: 'forgetError' },
        again: { target: 'choosing', actions: ['forget', 'noteAddress'] },
      },
    },
    cancelling: {
      invoke: {
        id: 'cancelTrial',
        src: 'cancelTrial',
        input: ({ context: { trialId } }) => ({ trialId }),
        onDone: { target: 'choosing', actions: ['forget', 'noteAddress'] },
        onError: { target: 'lost', actions: { type: 'keepError', params: ({ event }) => event } },
      },
    },
    shown: {
      on: {
        apply: {
          target: 'confirming',
          actions: [{ type: 'pick', params: ({ event }) => event }, 'forgetError'],
        },
        again: { target: 'choosing', actions: ['forget', 'noteAddress'] },
      },
    },
    confirming: { on: { confirm: 'applying', back: 'shown' } },
    applying: {
      invoke: {
        id: 'applyCandidate',
        src: 'applyCandidate',
        input: ({ context: { trialId, candidate } }) => ({ trialId, candidate }),
        onDone: { target: 'applied', actions: 'announce' },
        onError: { target: 'shown', actions: { type: 'keepError', params: ({ event }) => event } },
      },
    },
    applied: { on: { again: { target: 'choosing', actions: ['forget', 'noteAddress'] } } },
  },
})

function notProvided(): Promise<never> {
  return Promise.reject(new Error('provided by the portal'))
}

const whyNone = ({ state, reason }: Trial): string =>
  reason ?? (state === 'cancelled' ? 'It was cancelled' : 'Nothing came of it')

const draftOf = ({ quantity, from, to, candidates }: Trial): Draft => ({
  quantity,
  candidates,
  startDate: from,
  endDate: to,
})

function takeDraft(_: unknown, { draft }: { draft: Draft }): Partial<Context> {
  return { draft, error: null }
}

function takeId(_: unknown, { id }: { id: string }): Partial<Context> {
  return { trialId: id }
}

function takeProgress(
  _: unknown,
  { done, of, left }: Pick<Context, 'done' | 'of' | 'left'>,
): Partial<Context> {
  return { done, of, left }
}

function show(_: unknown, { trial }: { trial: Trial }): Partial<Context> {
  return { shown: trial, done: trial.done, of: trial.of, draft: draftOf(trial) }
}

function pick(_: unknown, { candidate }: { candidate: number }): Partial<Context> {
  return { candidate }
}

function keepError(_: unknown, { error }: { error: unknown }): Partial<Context> {
  return { error: messageOf(error) }
}

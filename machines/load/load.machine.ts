import { assign, emit, setup } from 'xstate'
import type { SignOff } from '../contracts/entities/sign-off.ts'
import type { FactData } from '../contracts/facts.ts'

/**
 * `at`: epoch ms, the device's clock where readings say it. `measured`: what the budget is now, and whether it is at risk or exhausted.
 * `revise`: late readings say that it is exhausted since another time, or (null) that it is not.
 */
export type LoadEvent =
  | { type: 'measured'; at: number; state: 'within' | 'at-risk' }
  | { type: 'exhaust'; at: number; data: Exhaustion; receivedAt?: number }
  | { type: 'revise'; at: number; after: (Exhaustion & { exhaustedAt: number }) | null; isAtRisk: boolean }
  | { type: 'begin review'; at: number; userName: string }
  | { type: 'release'; at: number; userName: string; reason: string; signOff?: SignOff | undefined }
  | { type: 'reject'; at: number; userName: string; reason: string; signOff?: SignOff | undefined }
  | { type: 'close'; at: number; userName: string }

/** Which rule of the profile, and how much was used and allowed. */
export type Exhaustion = { rule: number; used: number; allowed: number }

type About = 'loadId' | 'imei'
/** Facts without the load they are about: whoever drives the machine knows that. */
export type LoadEmitted = {
  [T in LoadFact]: { type: T; at: number; data: Omit<FactData<T>, About> }
}[LoadFact]
type LoadFact =
  | 'load.exhausted'
  | 'load.revised'
  | 'load.review-begun'
  | 'load.released'
  | 'load.rejected'
  | 'load.closed'

type Context = {
  /** null: it is not */
  exhaustedAt: number | null
  /** off its device since then; null: it is on it */
  closedAt: number | null
  /** who decided, and why; null: nobody did yet */
  decision: { userName: string; at: number; reason: string } | null
}

const chart = setup({
  types: { context: {} as Context, events: {} as LoadEvent, emitted: {} as LoadEmitted },
  guards: {
    isAtRisk: ({ event }) => event.type === 'measured' && event.state === 'at-risk',
    wasNever: ({ event }) => event.type === 'revise' && event.after === null,
    wasNeverButAtRisk: ({ event }) => event.type === 'revise' && event.after === null && event.isAtRisk,
    isOff: ({ context }) => context.closedAt !== null,
    isOffAndWasNever: ({ context, event }) =>
      context.closedAt !== null && event.type === 'revise' && event.after === null,
  },
  actions: {
    noteExhausted: assign(noteExhausted),
    noteClosed: assign(({ event }) => (event.type === 'close' ? { closedAt: event.at } : {})),
    noteDecision: assign(noteDecision),
    emitExhausted: emit(exhausted),
    emitRevised: emit(revised),
    emitReviewBegun: emit(reviewBegun),
    emitReleased: emit(released),
    emitRejected: emit(rejected),
    emitClosed: emit(closed),
  },
})

const exhaust = { target: 'exhausted', actions: ['emitExhausted', 'noteExhausted'] } as const
/** Published once, whatever people do meanwhile: what they decided stays. */
const revise = { actions: ['emitRevised', 'noteExhausted'] } as const

/**
 * A load from its opening to what people decided about it. Readings say how much of its budget is used; that it is exhausted stays so
 * until somebody reviewed it, unless late readings show that it never was. It may be taken off its device at any time, once: within its
 * budget it is closed then, and late readings may still show that it was exhausted.
 */
export const loadMachine = chart.createMachine({
  id: 'load',
  context: { exhaustedAt: null, closedAt: null, decision: null },
  initial: 'within',
  states: {
    within: {
      on: {
        measured: { guard: 'isAtRisk', target: 'atRisk' },
        exhaust,
        close: { target: 'closed', actions: ['emitClosed', 'noteClosed'] },
      },
    },
    atRisk: {
      on: {
        measured: [{ guard: 'isAtRisk' }, { target: 'within' }],
        exhaust,
        close: { target: 'closed', actions: ['emitClosed', 'noteClosed'] },
      },
    },
    closed: {
      on: {
        exhaust,
        'begin review': { target: 'inReview', actions: 'emitReviewBegun' },
      },
    },
    exhausted: {
      on: {
        revise: [
          { guard: 'isOffAndWasNever', target: 'closed', ...revise },
          { guard: 'wasNeverButAtRisk', target: 'atRisk', ...revise },
          { guard: 'wasNever', target: 'within', ...revise },
          revise,
        ],
        'begin review': { target: 'inReview', actions: 'emitReviewBegun' },
        close: [{ guard: 'isOff' }, { actions: ['emitClosed', 'noteClosed'] }],
      },
    },
    inReview: {
      on: {
        exhaust: { actions: ['emitExhausted', 'noteExhausted'] },
        revise,
        release: { target: 'released', actions: ['emitReleased', 'noteDecision'] },
        reject: { target: 'rejected', actions: ['emitRejected', 'noteDecision'] },
        close: [{ guard: 'isOff' }, { actions: ['emitClosed', 'noteClosed'] }],
      },
    },
    released: {
      on: {
        // what was released may still spoil: that is published, and reviewed again
        exhaust,
        revise,
        close: [{ guard: 'isOff' }, { actions: ['emitClosed', 'noteClosed'] }],
      },
    },
    rejected: {
      on: { close: [{ guard: 'isOff' }, { actions: ['emitClosed', 'noteClosed'] }] },
    },
  },
})

type Args = { context: Context; event: LoadEvent }

function noteExhausted({ event }: Args): Partial<Context> {
  if (event.type === 'exhaust') return { exhaustedAt: event.at }
  return event.type === 'revise' ? { exhaustedAt: event.after?.exhaustedAt ?? null } : {}
}

function noteDecision({ event }: Args): Partial<Context> {
  if (event.type !== 'release' && event.type !== 'reject') return {}
  const { userName, at, reason } = event
  return { decision: { userName, at, reason } }
}

function exhausted({ event }: Args): LoadEmitted {
  if (event.type !== 'exhaust') throw new TypeError(event.type)
  const { at, data, receivedAt } = event
  return { type: 'load.exhausted', at, data: { ...data, ...(receivedAt !== undefined && { receivedAt }) } }
}

function revised({ context, event }: Args): LoadEmitted {
  if (event.type !== 'revise') throw new TypeError(event.type)
  return { type: 'load.revised', at: event.at, data: { before: context.exhaustedAt, after: event.after } }
}

function reviewBegun({ event }: Args): LoadEmitted {
  if (event.type !== 'begin review') throw new TypeError(event.type)
  return { type: 'load.review-begun', at: event.at, data: { userName: event.userName } }
}

function released({ event }: Args): LoadEmitted {
  if (event.type !== 'release') throw new TypeError(event.type)
  const { at, userName, reason, signOff } = event
  return { type: 'load.released', at, data: { userName, reason, ...(signOff && { signOff }) } }
}

function rejected({ event }: Args): LoadEmitted {
  if (event.type !== 'reject') throw new TypeError(event.type)
  const { at, userName, reason, signOff } = event
  return { type: 'load.rejected', at, data: { userName, reason, ...(signOff && { signOff }) } }
}

function closed({ event }: Args): LoadEmitted {
  if (event.type !== 'close') throw new TypeError(event.type)
  return { type: 'load.closed', at: event.at, data: { userName: event.userName } }
}

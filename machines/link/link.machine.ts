import { assign, fromCallback, setup } from 'xstate'
import { LIVE_CLOSE } from '../contracts/live-messages.ts'

/** Why a link ended: the code of the socket (live-messages.ts has the server's), and in words. */
export type Ending = { code: number; reason: string }

type Context = {
  /** tries that failed since it was last online */
  failures: number
  /** since when it is not online, epoch ms on the server's clock; null while it is */
  offlineSince: number | null
  /** how the last link ended, null while it is online */
  ending: Ending | null
}
export type LinkEvent =
  /** the server let us in */
  | { type: 'opened' }
  | ({ type: 'closed'; at: number } & Ending)
  | { type: 'networkLost'; at: number }
  | { type: 'networkBack' }
  /** the server does not speak with a portal of this version any more */
  | { type: 'outdated' }
  /** somebody does not want to wait, or has a new token */
  | { type: 'retry' }

/** The link to the server: there, being made, or waiting to be tried again. What travels over it is not its business. */
export const linkMachine = setup({
  types: {
    context: {} as Context,
    events: {} as LinkEvent,
    input: {} as { at: number },
  },
  actors: {
    /** opens a socket, sends `opened` and `closed`, and closes it when the state is left */
    connection: fromCallback<LinkEvent>(() => {}),
  },
  delays: {
    backOff: untilNextTry,
    patience: 10_000,
  },
  guards: { isTokenGone, isRefused },
  actions: {
    forget: assign({ failures: 0, offlineSince: null, ending: null }),
    countFailure: assign(countFailure),
    /** whoever does not answer says nothing of why */
    forgetEnding: assign({ ending: null }),
    expectNoBetter: assign(expectNoBetter),
    noteWhen: assign(noteWhen),
    noteEnding: assign(noteEnding),
  },
}).createMachine({
  id: 'link',
  context: ({ input }) => ({ failures: 0, offlineSince: input.at, ending: null }),
  initial: 'linking',
  states: {
    /** the machine it runs on has no network: trying would be in vain */
    offline: {
      on: { networkBack: 'linking' },
    },
    linking: {
      invoke: { id: 'connection', src: 'connection' },
      initial: 'connecting',
      states: {
        connecting: {
          on: {
            opened: 'online',
            closed: {
              guard: { type: 'isRefused', params: ({ event }) => event },
              target: '#link.backingOff',
              actions: [
                'expectNoBetter',
                { type: 'noteWhen', params: ({ event }) => event },
                { type: 'noteEnding', params: ({ event }) => event },
              ],
            },
          },
          after: { patience: { target: '#link.backingOff', actions: ['countFailure', 'forgetEnding'] } },
        },
        online: {
          entry: 'forget',
          on: {
            // Tokens run out every hour and there is a new one by now: that is no reason to seem offline.
            closed: {
              guard: { type: 'isTokenGone', params: ({ event }) => event },
              target: '#link.linking',
              reenter: true,
              actions: { type: 'noteWhen', params: ({ event }) => event },
            },
          },
        },
      },
      on: {
        retry: { target: 'linking', reenter: true },
        closed: {
          target: 'backingOff',
          actions: [
            'countFailure',
            { type: 'noteWhen', params: ({ event }) => event },
            { type: 'noteEnding', params: ({ event }) => event },
          ],
        },
      },
    },
    backingOff: {
      after: { backOff: 'linking' },
      on: { retry: 'linking', networkBack: 'linking' },
    },
    /** trying again would end the same way: the portal has to be loaded anew */
    outdated: {
      on: { networkLost: {}, outdated: {} },
    },
  },
  on: {
    outdated: '.outdated',
    networkLost: { target: '.offline', actions: { type: 'noteWhen', params: ({ event }) => event } },
  },
})

/** ms before the next try, by tries that failed: quick at first, because most cuts are short. */
export const BACK_OFF = [250, 500, 1000, 2000, 5000, 10_000] as const

/** Codes with which a server says that this token will not be let in: trying again soon would not help. */
const FIRST_REFUSAL = 4401
const LAST_REFUSAL = 4403

/** The last number of the list for all that come after. */
export function backOff(failures: number): number {
  return BACK_OFF[Math.min(Math.max(failures, 1), BACK_OFF.length) - 1] ?? 10_000
}

/** ms before a user with too many windows is tried again: somebody has to close some. */
const CROWDED_MS = 300_000

/** Whether the server let this window not in because the user has too many open. */
export function isCrowded(ending: Ending | null): boolean {
  return ending?.code === LIVE_CLOSE.crowded
}

type Args = { context: Context }

function untilNextTry({ context }: Args): number {
  if (isCrowded(context.ending)) return CROWDED_MS
  return backOff(context.failures)
}

function isTokenGone(_: unknown, { code }: Ending): boolean {
  return code === LIVE_CLOSE.refused
}

function isRefused(_: unknown, { code }: Ending): boolean {
  return code >= FIRST_REFUSAL && code <= LAST_REFUSAL
}

function countFailure({ context }: Args): Partial<Context> {
  return { failures: context.failures + 1 }
}

function expectNoBetter(): Partial<Context> {
  return { failures: BACK_OFF.length }
}

function noteWhen({ context }: Args, { at }: { at: number }): Partial<Context> {
  return { offlineSince: context.offlineSince ?? at }
}

function noteEnding(_: unknown, { code, reason }: Ending): Partial<Context> {
  return { ending: { code, reason } }
}

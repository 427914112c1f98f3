import { assign, emit, not, raise, setup } from 'xstate'
import type { ThingStatus } from '../contracts/scalars.ts'

/**
 * `at`: the device's clock; `recordedAt`: when the reading was stored; `unplug`: what the tracker says of its supply,
 * null where it says nothing. `time.passed` is how silence is noticed when nobody speaks. All times epoch ms.
 */
export type DeviceStatusEvent =
  | { type: 'reading'; at: number; recordedAt: number; unplug: boolean | null }
  | { type: 'time.passed'; now: number }
  | { type: 'patience.changed'; patience: number }

export type DeviceStatusTold = {
  type: 'device-status.changed'
  at: number
  data: { from: ThingStatus; to: ThingStatus; isFirst?: true }
}

type Context = {
  /** how long a silent device still counts as online, ms */
  patience: number
  /** time of the newest reading; older ones change nothing. A device clock that runs ahead buys no patience */
  heardAt: number
}

/**
 * Whether a device speaks, by event time and its company's patience. Disconnected is one that says it lost its supply,
 * or that was never heard. A silence that nobody noticed is told by the reading that ends it, at the time it began to
 * count.
 */
export const deviceStatusMachine = setup({
  types: {
    context: {} as Context,
    events: {} as DeviceStatusEvent,
    emitted: {} as DeviceStatusTold,
    input: {} as { patience: number },
  },
  guards: {
    isLate: ({ context, event }) => event.type === 'reading' && !(heard(event) > context.heardAt),
    isUnplugged: ({ event }) => event.type === 'reading' && event.unplug === true,
    isPluggedIn: ({ event }) => event.type === 'reading' && event.unplug === false,
    isCurrent: ({ context, event }) =>
      event.type === 'reading' && event.recordedAt - heard(event) <= context.patience,
    wasSilent: ({ context, event }) =>
      event.type === 'reading' && heard(event) - context.heardAt > context.patience,
    isSilent: ({ context, event }) =>
      event.type === 'time.passed' && event.now - context.heardAt > context.patience,
  },
  actions: {
    notice: assign(({ event }) => (event.type === 'reading' ? { heardAt: heard(event) } : {})),
    takePatience: assign(({ event }) =>
      event.type === 'patience.changed' ? { patience: event.patience } : {},
    ),
    judgeAgain: raise(({ event }) => event),
    tellSilent: emit(({ context }) => told(context.heardAt + context.patience, 'online', 'offline')),
    tellBack: emit(({ context }) => told(context.heardAt, 'offline', 'online')),
    tellFirstHeard: emit(({ context }) => told(context.heardAt, 'disconnected', 'online', true)),
    tellFirstHeardLongAgo: emit(({ context }) => told(context.heardAt, 'disconnected', 'offline', true)),
    tellConnected: emit(({ context }) => told(context.heardAt, 'disconnected', 'online')),
    tellHeardLongAgo: emit(({ context }) => told(context.heardAt, 'disconnected', 'offline')),
    tellUnplugged: emit(({ context }) => told(context.heardAt, 'online', 'disconnected')),
    tellUnpluggedMeanwhile: emit(({ context }) => told(context.heardAt, 'offline', 'disconnected')),
  },
}).createMachine({
  id: 'device-status',
  context: ({ input }) => ({
    patience: input.patience,
    heardAt: Number.NEGATIVE_INFINITY,
  }),
  initial: 'disconnected',
  on: { 'patience.changed': { actions: 'takePatience' } },
  states: {
    disconnected: {
      initial: 'neverHeard',
      states: {
        neverHeard: {
          on: {
            reading: [
              { guard: 'isUnplugged', target: 'unplugged', actions: 'notice' },
              { guard: 'isCurrent', target: '#online', actions: ['notice', 'tellFirstHeard'] },
              { target: '#offline', actions: ['notice', 'tellFirstHeardLongAgo'] },
            ],
          },
        },
        unplugged: {
          on: {
            reading: [
              { guard: 'isLate' },
              { guard: not('isPluggedIn'), actions: 'notice' },
              { guard: 'isCurrent', target: '#online', actions: ['notice', 'tellConnected'] },
              { target: '#offline', actions: ['notice', 'tellHeardLongAgo'] },
            ],
          },
        },
      },
    },
    online: {
      id: 'online',
      on: {
        reading: [
          { guard: 'isLate' },
          { guard: 'wasSilent', target: 'offline', actions: ['tellSilent', 'judgeAgain'] },
          { guard: 'isUnplugged', target: 'disconnected.unplugged', actions: ['notice', 'tellUnplugged'] },
          { actions: 'notice' },
        ],
        'time.passed': { guard: 'isSilent', target: 'offline', actions: 'tellSilent' },
      },
    },
    offline: {
      id: 'offline',
      on: {
        reading: [
          { guard: 'isLate' },
          {
            guard: 'isUnplugged',
            target: 'disconnected.unplugged',
            actions: ['notice', 'tellUnpluggedMeanwhile'],
          },
          { guard: 'isCurrent', target: 'online', actions: ['notice', 'tellBack'] },
          { actions: 'notice' },
        ],
      },
    },
  },
})

function heard(event: { at: number; recordedAt: number }): number {
  return Math.min(event.at, event.recordedAt)
}

function told(at: number, from: ThingStatus, to: ThingStatus, isFirst = false): DeviceStatusTold {
  return {
    type: 'device-status.changed',
    at,
    data: { from, to, ...(isFirst && { isFirst: true as const }) },
  }
}

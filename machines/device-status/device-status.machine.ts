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

export type DeviceStatusEmitted = {
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
 * or that was never heard. A silence that nobody noticed is emitted by the reading that ends it, at the time it began to
 * count.
 */
export const deviceStatusMachine = setup({
  types: {
    context: {} as Context,
    events: {} as DeviceStatusEvent,
    emitted: {} as DeviceStatusEmitted,
    input: {} as { patience: number },
  },
  guards: { isLate, isUnplugged, isPluggedIn, isCurrent, wasSilent, isSilent },
  actions: {
    notice: assign(notice),
    takePatience: assign(takePatience),
    decideAgain: raise(same),
    emitSilent: emit(silent),
    emitBack: emit(changed('offline', 'online')),
    emitFirstHeard: emit(changed('disconnected', 'online', true)),
    emitFirstHeardLongAgo: emit(changed('disconnected', 'offline', true)),
    emitConnected: emit(changed('disconnected', 'online')),
    emitHeardLongAgo: emit(changed('disconnected', 'offline')),
    emitUnplugged: emit(changed('online', 'disconnected')),
    emitUnpluggedMeanwhile: emit(changed('offline', 'disconnected')),
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
              { guard: 'isCurrent', target: '#online', actions: ['notice', 'emitFirstHeard'] },
              { target: '#offline', actions: ['notice', 'emitFirstHeardLongAgo'] },
            ],
          },
        },
        unplugged: {
          on: {
            reading: [
              { guard: 'isLate' },
              { guard: not('isPluggedIn'), actions: 'notice' },
              { guard: 'isCurrent', target: '#online', actions: ['notice', 'emitConnected'] },
              { target: '#offline', actions: ['notice', 'emitHeardLongAgo'] },
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
          { guard: 'wasSilent', target: 'offline', actions: ['emitSilent', 'decideAgain'] },
          { guard: 'isUnplugged', target: 'disconnected.unplugged', actions: ['notice', 'emitUnplugged'] },
          { actions: 'notice' },
        ],
        'time.passed': { guard: 'isSilent', target: 'offline', actions: 'emitSilent' },
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
            actions: ['notice', 'emitUnpluggedMeanwhile'],
          },
          { guard: 'isCurrent', target: 'online', actions: ['notice', 'emitBack'] },
          { actions: 'notice' },
        ],
      },
    },
  },
})

type Args = { context: Context; event: DeviceStatusEvent }

function isLate({ context, event }: Args): boolean {
  return event.type === 'reading' && !(heard(event) > context.heardAt)
}

function isUnplugged({ event }: Args): boolean {
  return event.type === 'reading' && event.unplug === true
}

function isPluggedIn({ event }: Args): boolean {
  return event.type === 'reading' && event.unplug === false
}

function isCurrent({ context, event }: Args): boolean {
  return event.type === 'reading' && event.recordedAt - heard(event) <= context.patience
}

function wasSilent({ context, event }: Args): boolean {
  return event.type === 'reading' && heard(event) - context.heardAt > context.patience
}

function isSilent({ context, event }: Args): boolean {
  return event.type === 'time.passed' && event.now - context.heardAt > context.patience
}

function notice({ event }: Args): Partial<Context> {
  return event.type === 'reading' ? { heardAt: heard(event) } : {}
}

function takePatience({ event }: Args): Partial<Context> {
  return event.type === 'patience.changed' ? { patience: event.patience } : {}
}

function same({ event }: Args): DeviceStatusEvent {
  return event
}

/** The silence that nobody noticed, at the time it began to count. */
function silent({ context: { heardAt, patience } }: Args): DeviceStatusEmitted {
  return { type: 'device-status.changed', at: heardAt + patience, data: { from: 'online', to: 'offline' } }
}

/** The change that the reading just taken makes, at its time. */
function changed(from: ThingStatus, to: ThingStatus, isFirst = false) {
  return ({ context }: Args): DeviceStatusEmitted => ({
    type: 'device-status.changed',
    at: context.heardAt,
    data: { from, to, ...(isFirst && { isFirst }) },
  })
}

/** A device's clock ahead of ours counts as now. */
function heard(event: { at: number; recordedAt: number }): number {
  return Math.min(event.at, event.recordedAt)
}

import { assign, emit, setup } from 'xstate'

/** So many readings in a row without a value, from a sensor that had given some, and it is taken for unplugged. */
export const MISSED = 3

/** `at`: the device's clock, epoch ms. `measured`: whether the reading carries a value of this sensor. */
export type SensorEvent = { type: 'reading'; at: number; measured: boolean }

export type SensorTold = { type: 'sensor.unplugged' | 'sensor.plugged-in'; at: number }

type Context = {
  /** time of the newest reading; older ones change nothing */
  lastAt: number
  /** readings without a value since the last that had one */
  missed: number
}

/** Whether a sensor of a device gives values. One that never gave any is not fitted, and is not missed. */
export const sensorMachine = setup({
  types: { context: {} as Context, events: {} as SensorEvent, emitted: {} as SensorTold },
  guards: {
    isLate: ({ context, event }) => !(event.at > context.lastAt),
    isMeasured: ({ event }) => event.measured,
    isOneTooMany: ({ context }) => context.missed + 1 >= MISSED,
  },
  actions: {
    notice: assign({ lastAt: ({ event }) => event.at, missed: 0 }),
    miss: assign({ lastAt: ({ event }) => event.at, missed: ({ context }) => context.missed + 1 }),
    tellUnplugged: emit(({ event }) => ({ type: 'sensor.unplugged' as const, at: event.at })),
    tellPluggedIn: emit(({ event }) => ({ type: 'sensor.plugged-in' as const, at: event.at })),
  },
}).createMachine({
  id: 'sensor',
  context: { lastAt: Number.NEGATIVE_INFINITY, missed: 0 },
  initial: 'unknown',
  states: {
    unknown: {
      on: {
        reading: [
          { guard: 'isLate' },
          { guard: 'isMeasured', target: 'plugged', actions: 'notice' },
          { actions: 'notice' },
        ],
      },
    },
    plugged: {
      on: {
        reading: [
          { guard: 'isLate' },
          { guard: 'isMeasured', actions: 'notice' },
          { guard: 'isOneTooMany', target: 'unplugged', actions: ['notice', 'tellUnplugged'] },
          { actions: 'miss' },
        ],
      },
    },
    unplugged: {
      on: {
        reading: [
          { guard: 'isLate' },
          { guard: 'isMeasured', target: 'plugged', actions: ['notice', 'tellPluggedIn'] },
          { actions: 'notice' },
        ],
      },
    },
  },
})

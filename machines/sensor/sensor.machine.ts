import { assign, emit, setup } from 'xstate'

/** So many readings in a row without a value, from a sensor that had given some, and it is taken for unplugged. */
export const MISSED = 3

/** `at`: the device's clock, epoch ms. `measured`: whether the reading carries a value of this sensor. */
export type SensorEvent = { type: 'reading'; at: number; measured: boolean }

export type SensorEmitted = { type: 'sensor.unplugged' | 'sensor.plugged-in'; at: number }

type Context = {
  /** time of the newest reading; older ones change nothing */
  lastAt: number
  /** readings without a value since the last that had one */
  missed: number
}

/** Whether a sensor of a device gives values. One that never gave any is not fitted, and is not missed. */
export const sensorMachine = setup({
  types: { context: {} as Context, events: {} as SensorEvent, emitted: {} as SensorEmitted },
  guards: { isLate, isMeasured, isOneTooMany },
  actions: {
    notice: assign(notice),
    miss: assign(miss),
    emitUnplugged: emit(unplugged),
    emitPluggedIn: emit(pluggedIn),
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
          { guard: 'isOneTooMany', target: 'unplugged', actions: ['notice', 'emitUnplugged'] },
          { actions: 'miss' },
        ],
      },
    },
    unplugged: {
      on: {
        reading: [
          { guard: 'isLate' },
          { guard: 'isMeasured', target: 'plugged', actions: ['notice', 'emitPluggedIn'] },
          { actions: 'notice' },
        ],
      },
    },
  },
})

type Args = { context: Context; event: SensorEvent }

function isLate({ context, event }: Args): boolean {
  return !(event.at > context.lastAt)
}

function isMeasured({ event }: Args): boolean {
  return event.measured
}

function isOneTooMany({ context }: Args): boolean {
  return context.missed + 1 >= MISSED
}

function notice({ event }: Args): Partial<Context> {
  return { lastAt: event.at, missed: 0 }
}

function miss({ context, event }: Args): Partial<Context> {
  return { lastAt: event.at, missed: context.missed + 1 }
}

function unplugged({ event }: Args): SensorEmitted {
  return { type: 'sensor.unplugged', at: event.at }
}

function pluggedIn({ event }: Args): SensorEmitted {
  return { type: 'sensor.plugged-in', at: event.at }
}

import { assign, emit, setup } from 'xstate'
import { isOverdue } from '../rules/overdue.ts'

/** So many readings in a row without a value, from a sensor that had given some, and it is unplugged once one is overdue. */
export const MISSED = 3

/**
 * `at`: the device's clock, epoch ms. `measured`: whether the reading carries a value of this sensor. `gap`: when its last value is
 * so old, ms, the sensor is unplugged however rarely it gave any.
 */
export type SensorEvent = { type: 'reading'; at: number; measured: boolean; gap: number }

export type SensorEmitted = { type: 'sensor.unplugged' | 'sensor.plugged-in'; at: number }

type Context = {
  /** time of the newest reading; older ones change nothing */
  lastAt: number
  /** readings without a value since the last that had one, as many as matter */
  missed: number
  /** time of its last value, and how far that was from the one before, ms; ±Infinity where there is none */
  measuredAt: number
  apart: number
}

/** Whether a sensor of a device gives values. One that never gave any is not fitted, and is not missed. */
export const sensorMachine = setup({
  types: { context: {} as Context, events: {} as SensorEvent, emitted: {} as SensorEmitted },
  guards: { isLate, isMeasured, isOneTooMany },
  actions: {
    notice: assign(notice),
    measure: assign(measure),
    miss: assign(miss),
    emitUnplugged: emit(unplugged),
    emitPluggedIn: emit(pluggedIn),
  },
}).createMachine({
  id: 'sensor',
  context: {
    lastAt: Number.NEGATIVE_INFINITY,
    missed: 0,
    measuredAt: Number.NEGATIVE_INFINITY,
    apart: Number.POSITIVE_INFINITY,
  },
  initial: 'unknown',
  states: {
    unknown: {
      on: {
        reading: [
          { guard: 'isLate' },
          { guard: 'isMeasured', target: 'plugged', actions: 'measure' },
          { actions: 'notice' },
        ],
      },
    },
    plugged: {
      on: {
        reading: [
          { guard: 'isLate' },
          { guard: 'isMeasured', actions: 'measure' },
          { guard: 'isOneTooMany', target: 'unplugged', actions: ['notice', 'emitUnplugged'] },
          { actions: 'miss' },
        ],
      },
    },
    unplugged: {
      on: {
        reading: [
          { guard: 'isLate' },
          { guard: 'isMeasured', target: 'plugged', actions: ['measure', 'emitPluggedIn'] },
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

function isOneTooMany({ context, event }: Args): boolean {
  const age = event.at - context.measuredAt
  return context.missed + 1 >= MISSED && isOverdue(age, context.apart, event.gap)
}

function notice({ event }: Args): Partial<Context> {
  return { lastAt: event.at, missed: 0 }
}

function measure({ context: { measuredAt }, event: { at } }: Args): Partial<Context> {
  return { lastAt: at, missed: 0, measuredAt: at, apart: at - measuredAt }
}

function miss({ context, event }: Args): Partial<Context> {
  return { lastAt: event.at, missed: Math.min(context.missed + 1, MISSED - 1) }
}

function unplugged({ event }: Args): SensorEmitted {
  return { type: 'sensor.unplugged', at: event.at }
}

function pluggedIn({ event }: Args): SensorEmitted {
  return { type: 'sensor.plugged-in', at: event.at }
}

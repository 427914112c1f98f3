import { assign, emit, not, setup } from 'xstate'
import type { FactData } from '../contracts/facts.ts'
import {
  isAbove,
  isBack,
  isBelow,
  isOver,
  type Limits,
  type Quantity,
  type Side,
  violationOf,
  worse,
} from '../rules/limits.ts'

/** At most this many readings go with the fact that a violation opened. */
export const EVIDENCE = 20

export type Moment = { at: number; value: number }

/** `at`: the device's clock, epoch ms. A value that was not measured is NaN and says nothing. */
export type ViolationEvent =
  | { type: 'reading'; at: number; value: number; lat: number | null; lng: number | null }
  | { type: 'limits.changed'; limits: Limits }
  | { type: 'sensor.unplugged'; at: number }

type Unnamed<T> = Omit<T, 'violationId' | 'imei'>

/** Facts without the device they are about: whoever folds the machine knows that. `since` names the violation. */
export type ViolationTold =
  | { type: 'violation.opened'; at: number; data: Unnamed<FactData<'violation.opened'>> }
  | { type: 'violation.cleared'; at: number; since: number; data: Unnamed<FactData<'violation.cleared'>> }

type Context = {
  quantity: Quantity
  limits: Limits
  /** the newest value taken; what is not newer is late and changes nothing */
  lastAt: number
  value: number
  /** the spell beyond a limit: on which side, of which limit last, since when, how far out, and its readings */
  side: Side
  limit: number
  since: number
  worst: number
  readings: Moment[]
}

const chart = setup({
  types: {
    context: {} as Context,
    events: {} as ViolationEvent,
    emitted: {} as ViolationTold,
    input: {} as { quantity: Quantity; limits: Limits },
  },
  guards: {
    saysNothing: ({ context, event }) =>
      event.type === 'reading' && (!(event.at > context.lastAt) || Number.isNaN(event.value)),
    isLate: ({ context, event }) => event.type === 'sensor.unplugged' && !(event.at > context.lastAt),
    isAbove: ({ context, event }) => event.type === 'reading' && isAbove(event.value, context.limits),
    isBelow: ({ context, event }) => event.type === 'reading' && isBelow(event.value, context.limits),
    isOver: ({ context: { side, limit, limits }, event }) =>
      event.type === 'reading' && isOver(event.value, side, limit, limits),
    wasSilent: ({ context, event }) =>
      event.type === 'reading' && event.at - context.lastAt > context.limits.gap,
    hasLasted: ({ context }) => context.lastAt - context.since >= context.limits.delay,
  },
  actions: {
    takeLimits: assign(({ event }) => (event.type === 'limits.changed' ? { limits: event.limits } : {})),
    notice: assign(({ event }) => {
      if (event.type === 'limits.changed') return {}
      return event.type === 'reading' ? { lastAt: event.at, value: event.value } : { lastAt: event.at }
    }),
    beginSpell: assign(({ context: { limits }, event }) => {
      if (event.type !== 'reading') return {}
      const { at, value } = event
      const side: Side = isAbove(value, limits) ? 'high' : 'low'
      return {
        lastAt: at,
        value,
        side,
        limit: limits[side],
        since: at,
        worst: value,
        readings: [{ at, value }],
      }
    }),
    follow: assign(({ context: { side, limits, worst }, event }) => {
      if (event.type !== 'reading') return {}
      const { at, value } = event
      return { lastAt: at, value, limit: limits[side], worst: worse(side, worst, value) }
    }),
    continueSpell: assign(({ context, event }) => {
      if (event.type !== 'reading') return {}
      const { at, value } = event
      const readings = [...context.readings, { at, value }].slice(-EVIDENCE)
      return { lastAt: at, value, worst: worse(context.side, context.worst, value), readings }
    }),
    forgetReadings: assign({ readings: [] }),
    tellOpened: emit(({ context, event }) => ({
      type: 'violation.opened' as const,
      at: context.lastAt,
      data: {
        type: violationOf(context.quantity, context.side),
        threshold: context.limit,
        delaySeconds: Math.round(context.limits.delay / 1000),
        clearMargin: context.limits.margin,
        since: context.since,
        value: context.value,
        lat: event.type === 'reading' ? event.lat : null,
        lng: event.type === 'reading' ? event.lng : null,
        readings: context.readings,
      },
    })),
    tellCleared: emit(({ context, event }) => {
      const { side, limit, limits, since, worst, quantity } = context
      const at = event.type === 'limits.changed' ? context.lastAt : event.at
      const value = event.type === 'reading' ? event.value : context.value
      const isKept = isBack(value, side, limit, limits.margin)
      return {
        type: 'violation.cleared' as const,
        at,
        since,
        data: {
          type: violationOf(quantity, side),
          value,
          worst,
          durationSeconds: Math.round((at - since) / 1000),
          reason:
            event.type === 'sensor.unplugged'
              ? ('sensor-unplugged' as const)
              : isKept
                ? ('back-inside' as const)
                : ('threshold-changed' as const),
        },
      }
    }),
  },
})

/** Beyond the limit on one side: what is beyond the other side's is another spell. */
const beyond = (here: 'above' | 'below', isHere: 'isAbove' | 'isBelow', isThere: 'isAbove' | 'isBelow') => {
  const there = here === 'above' ? '#below' : '#above'
  return chart.createStateConfig({
    id: here,
    initial: 'briefly',
    states: {
      briefly: {
        always: { guard: 'hasLasted', target: 'violated', actions: 'tellOpened' },
        on: {
          reading: [
            { guard: 'saysNothing' },
            { guard: isThere, target: there, actions: 'beginSpell' },
            { guard: not(isHere), target: '#inside', actions: 'notice' },
            { guard: 'wasSilent', actions: 'beginSpell' },
            { actions: 'continueSpell' },
          ],
          'limits.changed': { target: '#inside', actions: 'takeLimits' },
          'sensor.unplugged': [{ guard: 'isLate' }, { target: '#inside', actions: 'notice' }],
        },
      },
      violated: {
        entry: 'forgetReadings',
        on: {
          reading: [
            { guard: 'saysNothing' },
            { guard: isThere, target: there, actions: ['tellCleared', 'beginSpell'] },
            { guard: 'isOver', target: '#inside', actions: ['tellCleared', 'notice'] },
            { actions: 'follow' },
          ],
          'limits.changed': { actions: 'takeLimits' },
          'sensor.unplugged': [
            { guard: 'isLate' },
            { target: '#inside', actions: ['tellCleared', 'notice'] },
          ],
        },
      },
    },
  })
}

/**
 * One quantity of one device against its band, by event time. Beyond a limit for the delay, it is violated; that is
 * over when the value is back inside by the margin, or its sensor is unplugged. Changed limits hold for readings from
 * then on: a spell not yet violated begins anew; an open violation is over at the next reading unless that is beyond
 * them too, and then it is theirs.
 */
export const violationMachine = chart.createMachine({
  id: 'violation',
  context: ({ input }) => ({
    ...input,
    lastAt: Number.NEGATIVE_INFINITY,
    value: Number.NaN,
    side: 'high',
    limit: Number.NaN,
    since: 0,
    worst: Number.NaN,
    readings: [],
  }),
  initial: 'inside',
  states: {
    inside: {
      id: 'inside',
      on: {
        reading: [
          { guard: 'saysNothing' },
          { guard: 'isAbove', target: 'above', actions: 'beginSpell' },
          { guard: 'isBelow', target: 'below', actions: 'beginSpell' },
          { actions: 'notice' },
        ],
        'limits.changed': { actions: 'takeLimits' },
        'sensor.unplugged': [{ guard: 'isLate' }, { actions: 'notice' }],
      },
    },
    above: beyond('above', 'isAbove', 'isBelow'),
    below: beyond('below', 'isBelow', 'isAbove'),
  },
})

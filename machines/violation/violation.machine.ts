import { assign, emit, not, setup } from 'xstate'
import type { FactData } from '../contracts/facts.ts'
import {
  isAbove as isAboveLimit,
  isBack,
  isOver as isBackOver,
  isBelow as isBelowLimit,
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
export type ViolationEmitted =
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
    emitted: {} as ViolationEmitted,
    input: {} as { quantity: Quantity; limits: Limits },
  },
  guards: { saysNothing, isLate, isAbove, isBelow, isOver, wasSilent, hasLasted },
  actions: {
    takeLimits: assign(takeLimits),
    notice: assign(notice),
    beginSpell: assign(beginSpell),
    follow: assign(follow),
    continueSpell: assign(continueSpell),
    forgetReadings: assign({ readings: [] }),
    emitOpened: emit(opened),
    emitCleared: emit(cleared),
  },
})

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

/** Beyond the limit on one side: what is beyond the other side's is another spell. */
function beyond(here: 'above' | 'below', isHere: 'isAbove' | 'isBelow', isThere: 'isAbove' | 'isBelow') {
  const there = here === 'above' ? '#below' : '#above'
  return chart.createStateConfig({
    id: here,
    initial: 'briefly',
    states: {
      briefly: {
        always: { guard: 'hasLasted', target: 'violated', actions: 'emitOpened' },
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
            { guard: isThere, target: there, actions: ['emitCleared', 'beginSpell'] },
            { guard: 'isOver', target: '#inside', actions: ['emitCleared', 'notice'] },
            { actions: 'follow' },
          ],
          'limits.changed': { actions: 'takeLimits' },
          'sensor.unplugged': [
            { guard: 'isLate' },
            { target: '#inside', actions: ['emitCleared', 'notice'] },
          ],
        },
      },
    },
  })
}

type Args = { context: Context; event: ViolationEvent }

function saysNothing({ context, event }: Args): boolean {
  return event.type === 'reading' && (!(event.at > context.lastAt) || Number.isNaN(event.value))
}

function isLate({ context, event }: Args): boolean {
  return event.type === 'sensor.unplugged' && !(event.at > context.lastAt)
}

function isAbove({ context, event }: Args): boolean {
  return event.type === 'reading' && isAboveLimit(event.value, context.limits)
}

function isBelow({ context, event }: Args): boolean {
  return event.type === 'reading' && isBelowLimit(event.value, context.limits)
}

function isOver({ context: { side, limit, limits }, event }: Args): boolean {
  return event.type === 'reading' && isBackOver(event.value, side, limit, limits)
}

function wasSilent({ context, event }: Args): boolean {
  return event.type === 'reading' && event.at - context.lastAt > context.limits.gap
}

function hasLasted({ context }: Args): boolean {
  return context.lastAt - context.since >= context.limits.delay
}

function takeLimits({ event }: Args): Partial<Context> {
  return event.type === 'limits.changed' ? { limits: event.limits } : {}
}

function notice({ event }: Args): Partial<Context> {
  if (event.type === 'limits.changed') return {}
  return event.type === 'reading' ? { lastAt: event.at, value: event.value } : { lastAt: event.at }
}

function beginSpell({ context: { limits }, event }: Args): Partial<Context> {
  if (event.type !== 'reading') return {}
  const { at, value } = event
  const side = isAboveLimit(value, limits) ? 'high' : 'low'
  return { lastAt: at, value, side, limit: limits[side], since: at, worst: value, readings: [{ at, value }] }
}

function follow({ context: { side, limits, worst }, event }: Args): Partial<Context> {
  if (event.type !== 'reading') return {}
  const { at, value } = event
  return { lastAt: at, value, limit: limits[side], worst: worse(side, worst, value) }
}

function continueSpell({ context, event }: Args): Partial<Context> {
  if (event.type !== 'reading') return {}
  const { at, value } = event
  const readings = [...context.readings, { at, value }].slice(-EVIDENCE)
  return { lastAt: at, value, worst: worse(context.side, context.worst, value), readings }
}

function opened({ context, event }: Args): ViolationEmitted {
  const { quantity, side, limit, limits, since, readings } = context
  return {
    type: 'violation.opened',
    at: context.lastAt,
    data: {
      type: violationOf(quantity, side),
      threshold: limit,
      delaySeconds: Math.round(limits.delay / 1000),
      clearMargin: limits.margin,
      since,
      value: context.value,
      lat: event.type === 'reading' ? event.lat : null,
      lng: event.type === 'reading' ? event.lng : null,
      readings,
    },
  }
}

function cleared({ context, event }: Args): ViolationEmitted {
  const { quantity, side, since, worst } = context
  const at = event.type === 'limits.changed' ? context.lastAt : event.at
  const value = event.type === 'reading' ? event.value : context.value
  return {
    type: 'violation.cleared',
    at,
    since,
    data: {
      type: violationOf(quantity, side),
      value,
      worst,
      durationSeconds: Math.max(0, Math.round((at - since) / 1000)),
      reason: reasonFor(event, value, context),
    },
  }
}

function reasonFor(
  event: ViolationEvent,
  value: number,
  { side, limit, limits }: Context,
): FactData<'violation.cleared'>['reason'] {
  if (event.type === 'sensor.unplugged') return 'sensor-unplugged'
  return isBack(value, side, limit, limits.margin) ? 'back-inside' : 'threshold-changed'
}

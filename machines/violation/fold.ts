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
import { EVIDENCE, type Moment, type ViolationEmitted } from './violation.machine.ts'

/** Where a device is in the chart of violation.machine.ts. */
export const PLACE = {
  inside: 0,
  aboveBriefly: 1,
  aboveViolated: 2,
  belowBriefly: 3,
  belowViolated: 4,
} as const

/**
 * violation.machine.ts for every device at once: the same chart with its context as columns, row = device number.
 * 100,000 devices send 10,000 readings a second; almost all of them are inside, and that way makes no object.
 */
export type ViolationColumns = {
  readonly quantity: Quantity
  place: Uint8Array
  lastAt: Float64Array
  value: Float64Array
  limit: Float64Array
  since: Float64Array
  worst: Float64Array
  /** the readings of spells not yet violated, by device */
  readings: Map<number, Moment[]>
}

/** Called by whoever folds, at once and in order. */
export type Emit = (device: number, fact: ViolationEmitted) => void

/** Columns of devices that are inside their limits and of which nothing was heard: no time is `-Infinity`, no value NaN. */
export function createViolationColumns(quantity: Quantity, devices: number): ViolationColumns {
  return {
    quantity,
    place: new Uint8Array(devices),
    lastAt: new Float64Array(devices).fill(Number.NEGATIVE_INFINITY),
    value: new Float64Array(devices).fill(Number.NaN),
    limit: new Float64Array(devices).fill(Number.NaN),
    since: new Float64Array(devices),
    worst: new Float64Array(devices).fill(Number.NaN),
    readings: new Map(),
  }
}

/** `at` in epoch ms; `value` in °C or %, NaN where not measured; `lat`, `lng` in degrees, NaN where unknown. */
export function foldReading(
  columns: ViolationColumns,
  device: number,
  at: number,
  value: number,
  lat: number,
  lng: number,
  limits: Limits,
  emit: Emit,
): void {
  if (!(at > (columns.lastAt[device] as number)) || Number.isNaN(value)) return
  const place = columns.place[device] as number
  if (place === PLACE.inside && !isAbove(value, limits) && !isBelow(value, limits)) {
    columns.lastAt[device] = at
    columns.value[device] = value
    return
  }
  outside(columns, device, place, { at, value }, limits, emit)
  if (hasLasted(columns, device, limits)) open(columns, device, lat, lng, limits, emit)
}

/** Limits of a device became others: a spell that is no violation yet begins anew with the next reading. */
export function foldLimitsChanged(columns: ViolationColumns, device: number): void {
  if (isBriefly(columns.place[device] as number)) enter(columns, device, PLACE.inside)
}

/** The sensor of a device was found unplugged at `at`: nothing more is known of it. */
export function foldUnplugged(columns: ViolationColumns, device: number, at: number, emit: Emit): void {
  if (!(at > (columns.lastAt[device] as number))) return
  if (isViolated(columns.place[device] as number))
    clear(columns, device, at, columns.value[device] as number, 'sensor-unplugged', emit)
  columns.lastAt[device] = at
  enter(columns, device, PLACE.inside)
}

/** A reading that does not simply stay inside. */
function outside(
  columns: ViolationColumns,
  device: number,
  place: number,
  moment: Moment,
  limits: Limits,
  emit: Emit,
): void {
  const { at, value } = moment
  const side: Side = place === PLACE.belowBriefly || place === PLACE.belowViolated ? 'low' : 'high'
  const isOther = side === 'high' ? isBelow(value, limits) : isAbove(value, limits)
  if (place === PLACE.inside) begin(columns, device, moment, limits)
  else if (isViolated(place)) {
    const limit = columns.limit[device] as number
    if (isOther || isOver(value, side, limit, limits)) {
      const isKept = isBack(value, side, limit, limits.margin)
      clear(columns, device, at, value, isKept ? 'back-inside' : 'threshold-changed', emit)
      if (isOther) begin(columns, device, moment, limits)
      else leave(columns, device, moment)
    } else {
      follow(columns, device, side, moment)
      columns.limit[device] = limits[side]
    }
  } else if (isOther) begin(columns, device, moment, limits)
  else if (!(side === 'high' ? isAbove(value, limits) : isBelow(value, limits)))
    leave(columns, device, moment)
  else if (at - (columns.lastAt[device] as number) > limits.gap) begin(columns, device, moment, limits)
  else {
    follow(columns, device, side, moment)
    const readings = columns.readings.get(device) ?? []
    readings.push(moment)
    if (readings.length > EVIDENCE) readings.shift()
  }
}

function begin(columns: ViolationColumns, device: number, moment: Moment, limits: Limits): void {
  const side: Side = isAbove(moment.value, limits) ? 'high' : 'low'
  columns.lastAt[device] = moment.at
  columns.value[device] = moment.value
  columns.limit[device] = limits[side]
  columns.since[device] = moment.at
  columns.worst[device] = moment.value
  columns.place[device] = side === 'high' ? PLACE.aboveBriefly : PLACE.belowBriefly
  columns.readings.set(device, [moment])
}

function follow(columns: ViolationColumns, device: number, side: Side, { at, value }: Moment): void {
  columns.lastAt[device] = at
  columns.value[device] = value
  columns.worst[device] = worse(side, columns.worst[device] as number, value)
}

function leave(columns: ViolationColumns, device: number, { at, value }: Moment): void {
  columns.lastAt[device] = at
  columns.value[device] = value
  enter(columns, device, PLACE.inside)
}

function enter(columns: ViolationColumns, device: number, place: number): void {
  columns.place[device] = place
  columns.readings.delete(device)
}

function hasLasted(columns: ViolationColumns, device: number, limits: Limits): boolean {
  const spell = (columns.lastAt[device] as number) - (columns.since[device] as number)
  return isBriefly(columns.place[device] as number) && spell >= limits.delay
}

function open(
  columns: ViolationColumns,
  device: number,
  lat: number,
  lng: number,
  limits: Limits,
  emit: Emit,
): void {
  const isHigh = columns.place[device] === PLACE.aboveBriefly
  emit(device, {
    type: 'violation.opened',
    at: columns.lastAt[device] as number,
    data: {
      type: violationOf(columns.quantity, isHigh ? 'high' : 'low'),
      threshold: columns.limit[device] as number,
      delaySeconds: Math.round(limits.delay / 1000),
      clearMargin: limits.margin,
      since: columns.since[device] as number,
      value: columns.value[device] as number,
      lat: Number.isNaN(lat) ? null : lat,
      lng: Number.isNaN(lng) ? null : lng,
      readings: columns.readings.get(device) ?? [],
    },
  })
  enter(columns, device, isHigh ? PLACE.aboveViolated : PLACE.belowViolated)
}

function clear(
  columns: ViolationColumns,
  device: number,
  at: number,
  value: number,
  reason: 'back-inside' | 'threshold-changed' | 'sensor-unplugged',
  emit: Emit,
): void {
  const since = columns.since[device] as number
  const side = columns.place[device] === PLACE.aboveViolated ? 'high' : 'low'
  emit(device, {
    type: 'violation.cleared',
    at,
    since,
    data: {
      type: violationOf(columns.quantity, side),
      value,
      worst: columns.worst[device] as number,
      // of a clock that was set back meanwhile it is nothing
      durationSeconds: Math.max(0, Math.round((at - since) / 1000)),
      reason,
    },
  })
}

const isBriefly = (place: number): boolean => place === PLACE.aboveBriefly || place === PLACE.belowBriefly
const isViolated = (place: number): boolean => place === PLACE.aboveViolated || place === PLACE.belowViolated

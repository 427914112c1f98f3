import { READING_FIELDS, type ReadingColumns } from '#machines/contracts/readings.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import type { Limits, Quantity } from '#machines/rules/limits.ts'
import type { LimitsSince } from '#machines/rules/temperature-tally.ts'
import * as sensor from '#machines/sensor/fold.ts'
import * as violation from '#machines/violation/fold.ts'

/**
 * A time beyond a limit that lasted. `from`: first reading beyond it; `isFirst`: that is the first of all that measured;
 * `row`: the reading that made it one; `to`: null where it had not ended by the last reading; `worst`: farthest out, °C or %; `lastAt`: how far it was followed.
 */
export type Excursion = {
  type: ViolationType
  limit: number
  from: number
  isFirst: boolean
  row: number
  to: number | null
  worst: number
  lastAt: number
}

/** How long an excursion lasted, or has so far, ms. */
export const lasted = ({ from, to, lastAt }: Pick<Excursion, 'from' | 'to' | 'lastAt'>): number =>
  (to ?? lastAt) - from

/** Above the limit of temperature; humidity is neither warm nor cold. */
export const isWarm = ({ type }: Excursion): boolean => type === 'HIGH_TEMPERATURE_DETECTED'

const DEVICE = 0
const NOWHERE = Number.NaN
const NO_LIMITS: Limits = { low: Number.NaN, high: Number.NaN, delay: 0, margin: 0, gap: 0 }

/**
 * The excursions of one quantity of one device, in order: what the machines that evaluate readings as they come in say of
 * them in order of the device's clock, with the limits in force when each was taken. A sensor found unplugged ends one.
 * One that was under way before the first reading begins with that.
 */
export function excursionsOf(
  quantity: Quantity,
  columns: ReadingColumns,
  limits: readonly LimitsSince[],
): Excursion[] {
  const { scale, missing } = READING_FIELDS[quantity]
  const values = columns[quantity]
  const state = violation.createViolationColumns(quantity, 1)
  const fitted = sensor.createSensorColumns(1)
  const found: Excursion[] = []
  let row = 0
  let first: number | undefined
  const emit: violation.Emit = (_, fact) => {
    if (fact.type === 'violation.opened') {
      const { type, threshold, since, value } = fact.data
      const isFirst = since === first
      found.push({
        type,
        limit: threshold,
        from: since,
        isFirst,
        row,
        to: null,
        worst: value,
        lastAt: fact.at,
      })
      return
    }
    const open = found.at(-1)
    if (open !== undefined) Object.assign(open, { to: fact.at, worst: fact.data.worst, lastAt: fact.at })
  }
  let now = 0
  let current = limits[0]?.limits ?? NO_LIMITS
  for (; row < columns.length; row++) {
    const at = columns.at[row] as number
    while (now < limits.length - 1 && at >= (limits[now + 1] as LimitsSince).from) {
      current = (limits[++now] as LimitsSince).limits
      violation.foldLimitsChanged(state, DEVICE)
    }
    const stored = values[row] as number
    const isMeasured = stored !== missing
    if (isMeasured) first ??= at
    const before = fitted.place[DEVICE]
    sensor.foldReading(fitted, DEVICE, at, isMeasured, current.gap, nobody)
    if (isMeasured) violation.foldReading(state, DEVICE, at, stored / scale, NOWHERE, NOWHERE, current, emit)
    else if (fitted.place[DEVICE] === sensor.PLACE.unplugged && before !== sensor.PLACE.unplugged)
      violation.foldUnplugged(state, DEVICE, at, emit)
  }
  const open = found.at(-1)
  if (open?.to === null)
    Object.assign(open, { worst: state.worst[DEVICE] as number, lastAt: state.lastAt[DEVICE] as number })
  return found
}

const nobody = (): void => {}

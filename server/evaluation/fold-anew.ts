import { LATE_UNKNOWN, type ReadingColumns, toUnits } from '#machines/contracts/readings.ts'
import type { ThingStatus } from '#machines/contracts/scalars.ts'
import * as status from '#machines/device-status/fold.ts'
import { isWellInside, type Quantity } from '#machines/rules/limits.ts'
import * as sensor from '#machines/sensor/fold.ts'
import * as violation from '#machines/violation/fold.ts'
import type { ViolationEmitted } from '#machines/violation/violation.machine.ts'
import type { DeviceLimits } from './limits.ts'

type Opened = Extract<ViolationEmitted, { type: 'violation.opened' }>

/** A violation as the readings of a device have it. `lates`: how many of its readings came late. */
export type KnownEpisode = Omit<Opened['data'], 'readings'> & {
  openedAt: number
  clearedAt: number | null
  worst: number
  lates: number
  /** its first reading is the first there is: it may have begun earlier */
  isSinceBefore?: boolean | undefined
}

/** A violation that began before all readings there are, and its place in the fold. */
export type Lasting = { episode: KnownEpisode; place: number }

/** What the readings between `from` and `to` (included, epoch ms) say of a quantity of one device. */
export type Course = {
  quantity: Quantity
  from: number
  to: number
  episodes: KnownEpisode[]
  /** whether that goes on to the last reading there is: then these are where the device is now, in row 0 */
  isPresent: boolean
  violations: violation.ViolationColumns
  sensors: sensor.SensorColumns
}

/** What a device was from `from` on, until the next one. */
export type StatusSpan = { from: number; to: ThingStatus }

export type FoldAnew = {
  /** readings of one device, ascending, from well before the first late one to the last that is evaluated */
  readings: ReadingColumns
  /** times of the first and the last late reading, epoch ms */
  first: number
  last: number
  /** what the device is evaluated by at a time */
  limits: (at: number) => DeviceLimits
  /** whether those became others after the one time and not after the other */
  isChanged: (from: number, to: number) => boolean
}

/**
 * Evaluates a quantity of a device anew, from the last reading well inside its limits before the first late one to the first
 * after the last late one: whatever was before the one, and whatever was published after the other, is the same.
 * @param lasting the violation that is known to last where this begins (`beginOf`): no reading well inside is left before it
 */
export function foldCourse(
  quantity: Quantity,
  { readings, first, last, limits, isChanged }: FoldAnew,
  lasting?: Lasting,
): Course {
  const violations = violation.createViolationColumns(quantity, 1)
  const sensors = sensor.createSensorColumns(1)
  const episodes: KnownEpisode[] = []
  const emit = (_: number, fact: ViolationEmitted): void => {
    if (fact.type === 'violation.opened') episodes.push(known(fact, violations))
    else Object.assign(episodes.at(-1) ?? {}, { clearedAt: fact.at, worst: fact.data.worst })
  }
  const start = startOf(quantity, readings, first, limits)
  // how often it measures is known from the value before
  for (let row = lastMeasured(quantity, readings, start) ?? start; row < start; row++) {
    const at = timeOf(readings, row)
    const isMeasured = toUnits(quantity, readings[quantity][row] as number) !== undefined
    sensor.foldReading(sensors, 0, at, isMeasured, limits(at).patience, nothing)
  }
  if (lasting !== undefined && readings.length > start) {
    violations.place[0] = lasting.place
    // the first reading may be what ends it
    violations.lastAt[0] = timeOf(readings, start) - 1
    violations.limit[0] = lasting.episode.threshold
    violations.since[0] = lasting.episode.since
    violations.worst[0] = lasting.episode.worst
    episodes.push(lasting.episode)
  }
  let from = Number.NEGATIVE_INFINITY
  let to = Number.NEGATIVE_INFINITY
  let isPresent = true
  let isCut = false
  for (let row = start; row < readings.length; row++) {
    const at = timeOf(readings, row)
    const { [quantity]: deviceLimits, patience } = limits(at)
    if (isChanged(violations.lastAt[0] as number, at)) violation.foldLimitsChanged(violations, 0)
    const value = toUnits(quantity, readings[quantity][row] as number)
    const before = sensors.place[0]
    sensor.foldReading(sensors, 0, at, value !== undefined, patience, nothing)
    if (value !== undefined) {
      const lat = toUnits('lat', readings.lat[row] as number) ?? Number.NaN
      const lng = toUnits('lng', readings.lng[row] as number) ?? Number.NaN
      violation.foldReading(violations, 0, at, value, lat, lng, deviceLimits, emit)
    } else if (before !== sensor.PLACE.unplugged && sensors.place[0] === sensor.PLACE.unplugged)
      violation.foldUnplugged(violations, 0, at, emit)
    if (row === start) {
      from = at
      isCut = !isCalmAt(quantity, readings, start, limits) && lasting === undefined
    }
    to = at
    if (value === undefined || at <= last || !isWellInside(value, deviceLimits)) continue
    isPresent = row === readings.length - 1
    break
  }
  const open = episodes.at(-1)
  if (open?.clearedAt === null) open.worst = violations.worst[0] as number
  for (const episode of episodes) episode.lates = latesWithin(readings, episode)
  const [oldest] = episodes
  if (isCut && oldest?.since === from) oldest.isSinceBefore = true
  return { quantity, from, to, episodes, isPresent, violations, sensors }
}

/** What a device was by its readings, as if each had been received at its time. @param before what was published of it before */
export function foldStatus({ readings, limits }: FoldAnew, before: ThingStatus): StatusSpan[] {
  const columns = status.createDeviceStatusColumns(1)
  const spans: StatusSpan[] = []
  if (before === 'disconnected') columns.place[0] = status.PLACE.unplugged
  for (let row = 0; row < readings.length; row++) {
    const at = timeOf(readings, row)
    // before the first reading it is what was published
    const unplug = readings.unplug[row] as number
    status.foldReading(columns, 0, at, at, unplug, limits(at).patience, (_, fact) =>
      spans.push({ from: fact.at, to: fact.data.to }),
    )
  }
  return spans
}

/** When the first reading is that a quantity is evaluated anew from, epoch ms; undefined where there is none. */
export function beginOf(quantity: Quantity, { readings, first, limits }: FoldAnew): number | undefined {
  return readings.length > 0 ? timeOf(readings, startOf(quantity, readings, first, limits)) : undefined
}

/** The last reading well inside its limits before the first late one; the first of all where there is none. */
function startOf(
  quantity: Quantity,
  readings: ReadingColumns,
  first: number,
  limits: FoldAnew['limits'],
): number {
  for (let row = readings.length - 1; row >= 0; row--) {
    const at = timeOf(readings, row)
    if (at >= first) continue
    if (isCalmAt(quantity, readings, row, limits)) return row
  }
  return 0
}

/** The last reading before a row that measured a quantity. */
function lastMeasured(quantity: Quantity, readings: ReadingColumns, before: number): number | undefined {
  for (let row = before - 1; row >= 0; row--)
    if (toUnits(quantity, readings[quantity][row] as number) !== undefined) return row
  return undefined
}

/** Whether a reading is well inside its limits: it leaves a device inside, whatever was before it. */
export function isCalmAt(
  quantity: Quantity,
  readings: ReadingColumns,
  row: number,
  limits: FoldAnew['limits'],
): boolean {
  const value = toUnits(quantity, readings[quantity][row] as number)
  return value !== undefined && isWellInside(value, limits(timeOf(readings, row))[quantity])
}

/** The time a reading is evaluated at: one whose clock was ahead counts as received then. */
function timeOf({ at, lateBy }: ReadingColumns, row: number): number {
  const late = lateBy[row] as number
  return late < 0 && late !== LATE_UNKNOWN ? (at[row] as number) + late * 1000 : (at[row] as number)
}

function known({ at, data }: Opened, { worst }: violation.ViolationColumns): KnownEpisode {
  const { readings: _, ...opening } = data
  return { ...opening, openedAt: at, clearedAt: null, worst: worst[0] as number, lates: 0 }
}

function latesWithin({ at, lateBy, length }: ReadingColumns, { since, clearedAt }: KnownEpisode): number {
  let lates = 0
  for (let row = length - 1; row >= 0 && (at[row] as number) >= since; row--)
    if ((at[row] as number) <= (clearedAt ?? Number.POSITIVE_INFINITY) && (lateBy[row] as number) > 0) lates++
  return lates
}

const nothing = (): void => {}

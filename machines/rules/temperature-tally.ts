import { READING_FIELDS, type ReadingColumns } from '../contracts/readings.ts'
import type { Limits } from './limits.ts'
import { kineticTerm, meanKinetic } from './mean-kinetic.ts'

/**
 * What was measured of one device over some time. Sums are over the time each reading stands for, ms: half of the way
 * to each neighbour. Times in epoch ms, temperatures in °C; extremes NaN where nothing was measured.
 */
export type TemperatureTally = {
  count: number
  min: number
  minAt: number
  max: number
  maxAt: number
  /** measured; of this above the upper and below the lower limit */
  measured: number
  above: number
  below: number
  /** readings above the upper and below the lower limit, also those that stand for no time */
  countAbove: number
  countBelow: number
  /** readings beyond a limit that stand for no time: `above` and `below` know nothing of them */
  countApart: number
  degrees: number
  kinetic: number
  /** of all readings alike: all there is where no two stand near each other */
  plainDegrees: number
  plainKinetic: number
}

/** Limits in force from a time on, oldest first; the first also hold before. */
export type LimitsSince = { from: number; limits: Limits }

export const emptyTally = (): TemperatureTally => ({
  count: 0,
  min: Number.NaN,
  minAt: 0,
  max: Number.NaN,
  maxAt: 0,
  measured: 0,
  above: 0,
  below: 0,
  countAbove: 0,
  countBelow: 0,
  countApart: 0,
  degrees: 0,
  kinetic: 0,
  plainDegrees: 0,
  plainKinetic: 0,
})

const { missing: MISSING, scale: SCALE } = READING_FIELDS.temperature

/** e^(−ΔH/RT) of every temperature a column can hold: 22 million readings a report, one look-up each. */
let terms: Float64Array | undefined
function termsOf(): Float64Array {
  terms ??= Float64Array.from({ length: 0x10000 }, (_, i) => kineticTerm((i - 0x8000) / SCALE))
  return terms
}

/**
 * A tally of temperature a day. `starts`: where days begin, with the end of the last. A reading stands for the time up
 * to half-way to the readings before and after it that measured a temperature; a silence longer than `gapMs` belongs
 * to nobody. It belongs, with that time, to the day it was taken, and is evaluated by the limits then in force.
 */
export function temperatureDays(
  columns: ReadingColumns,
  starts: Float64Array,
  gapMs: number,
  limits: readonly LimitsSince[],
): TemperatureTally[] {
  const { length, at, temperature } = columns
  const term = termsOf()
  const days = Array.from({ length: starts.length - 1 }, emptyTally)
  if (days.length === 0) return days
  let [day, now] = [0, 0]
  let halfBefore = 0
  let next = nextMeasured(temperature, length, 0)
  while (next < length) {
    const i = next
    next = nextMeasured(temperature, length, i + 1)
    const time = at[i] as number
    const silence = next < length ? (at[next] as number) - time : Number.POSITIVE_INFINITY
    const halfAfter = silence <= gapMs ? silence / 2 : 0
    const ms = halfBefore + halfAfter
    halfBefore = halfAfter
    while (day < days.length - 1 && time >= (starts[day + 1] as number)) day++
    while (now < limits.length - 1 && time >= (limits[now + 1] as LimitsSince).from) now++
    const stored = temperature[i] as number
    const celsius = stored / SCALE
    const tally = days[day] as TemperatureTally
    tally.count++
    if (!(celsius >= tally.min)) {
      tally.min = celsius
      tally.minAt = time
    }
    if (!(celsius <= tally.max)) {
      tally.max = celsius
      tally.maxAt = time
    }
    const kinetic = term[stored + 0x8000] as number
    tally.plainDegrees += celsius
    tally.plainKinetic += kinetic
    tally.measured += ms
    tally.degrees += celsius * ms
    tally.kinetic += kinetic * ms
    const band = limits[now]?.limits
    if (band === undefined) continue
    if (celsius > band.high) {
      tally.above += ms
      tally.countAbove++
    } else if (celsius < band.low) {
      tally.below += ms
      tally.countBelow++
    } else continue
    if (ms === 0) tally.countApart++
  }
  return days
}

function nextMeasured(temperature: Int16Array, length: number, from: number): number {
  let i = from
  while (i < length && temperature[i] === MISSING) i++
  return i
}

/** Several tallies as one, the earlier first. */
export function sumTallies(tallies: readonly TemperatureTally[]): TemperatureTally {
  const sum = emptyTally()
  for (const tally of tallies) {
    if (tally.count === 0) continue
    if (!(tally.min >= sum.min)) Object.assign(sum, { min: tally.min, minAt: tally.minAt })
    if (!(tally.max <= sum.max)) Object.assign(sum, { max: tally.max, maxAt: tally.maxAt })
    for (const name of SUMMED) sum[name] += tally[name]
  }
  return sum
}

const SUMMED = [
  'count',
  'measured',
  'above',
  'below',
  'countAbove',
  'countBelow',
  'countApart',
  'degrees',
  'kinetic',
  'plainDegrees',
  'plainKinetic',
] as const

/** Mean over time, °C; over the readings where they stand for no time; NaN where there are none. */
export const meanOf = (tally: TemperatureTally): number =>
  tally.measured > 0 ? tally.degrees / tally.measured : tally.plainDegrees / tally.count

/** Mean kinetic temperature, °C; NaN where nothing was measured. */
export const meanKineticOf = (tally: TemperatureTally): number =>
  meanKinetic(tally.measured > 0 ? tally.kinetic / tally.measured : tally.plainKinetic / tally.count)

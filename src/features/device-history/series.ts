import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'

export type Quantity = 'temperature' | 'humidity'

/** One measured value; `value` NaN marks a break, so that no line is drawn across a time without readings. */
export type Sample = { at: Date; value: number }
export type Gap = { from: Date; to: Date }
/** °C or %, as the history's group has them; `min` and `max` are the ends of the axis. */
export type Limits = { low: number; high: number; min: number; max: number }
export type Series = {
  samples: Sample[]
  gaps: Gap[]
  limits: Limits
  minimum: Sample | undefined
  maximum: Sample | undefined
  /** time beyond the limits, ms, by straight lines between readings */
  beyond: number
}

/** One quantity of a history, ready to be drawn and told. */
export function seriesOf({ points, thresholds }: DeviceHistory, quantity: Quantity): Series {
  const limits = limitsOf(thresholds, quantity)
  const measured: Sample[] = []
  for (const point of points) {
    const value = point[quantity]
    if (value !== null) measured.push({ at: new Date(point.dateTime), value })
  }
  const patience = gapAfter(measured)
  const samples: Sample[] = []
  const gaps: Gap[] = []
  let beyond = 0
  for (const [i, sample] of measured.entries()) {
    const before = measured[i - 1]
    if (before !== undefined) {
      if (sample.at.getTime() - before.at.getTime() > patience) {
        gaps.push({ from: before.at, to: sample.at })
        samples.push({ at: new Date(before.at.getTime() + 1), value: Number.NaN })
      } else beyond += beyondBetween(before, sample, limits)
    }
    samples.push(sample)
  }
  return {
    samples,
    gaps,
    limits,
    minimum: extreme(measured, (a, b) => a < b),
    maximum: extreme(measured, (a, b) => a > b),
    beyond,
  }
}

function limitsOf(thresholds: DeviceHistory['thresholds'], quantity: Quantity): Limits {
  return quantity === 'temperature'
    ? {
        low: thresholds.lowTemperatureThreshold,
        high: thresholds.highTemperatureThreshold,
        min: thresholds.tmin,
        max: thresholds.tmax,
      }
    : {
        low: thresholds.lowHumidityThreshold,
        high: thresholds.highHumidityThreshold,
        min: thresholds.hmin,
        max: thresholds.hmax,
      }
}

const LEAST_GAP_MS = 10 * 60_000

/** Silence counts as a gap beyond three usual intervals, and never below ten minutes. */
function gapAfter(samples: Sample[]): number {
  const intervals = samples
    .slice(1)
    .map((sample, i) => sample.at.getTime() - (samples[i] as Sample).at.getTime())
    .sort((a, b) => a - b)
  return Math.max(LEAST_GAP_MS, 3 * (intervals[(intervals.length - 1) >> 1] ?? 0))
}

/** Time a straight line from `a` to `b` spends outside the limits, ms. */
function beyondBetween(a: Sample, b: Sample, limits: Limits): number {
  const span = b.at.getTime() - a.at.getTime()
  if (limits.low >= limits.high) return 0
  return span * (shareAbove(a.value, b.value, limits.high) + shareAbove(-a.value, -b.value, -limits.low))
}

function shareAbove(a: number, b: number, limit: number): number {
  if (a <= limit && b <= limit) return 0
  if (a > limit && b > limit) return 1
  return Math.abs(((a > limit ? a : b) - limit) / (a - b))
}

function extreme(samples: Sample[], isBetter: (a: number, b: number) => boolean): Sample | undefined {
  let best: Sample | undefined
  for (const sample of samples) if (best === undefined || isBetter(sample.value, best.value)) best = sample
  return best
}

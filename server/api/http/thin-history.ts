import type { Thresholds } from '#machines/contracts/entities/thresholds.ts'
import { READING_FIELDS, type ReadingColumns, toStored } from '#machines/contracts/readings.ts'

/** Points kept of each span: first, last, and the extremes of both quantities. */
const KEPT_A_SPAN = 6
/** Rows kept of a span for the limits each quantity crosses in it, where its extremes tell the rest, and for a door. */
const MOST_CROSSING = 4
/** No span is longer: what thins must not open gaps that were none. */
const LONGEST_SPAN_MS = 5 * 60_000

/**
 * Which rows of one device's history a chart needs, ascending: of each of a number of equal spans the first, the last and the
 * extremes of temperature and humidity, and two neighbours between which a threshold is crossed or a value comes or goes, the
 * first two times in a span, and those between which a door was opened or closed likewise. About `maxPoints` rows; more where a
 * day holds many of these, or where spans would grow beyond five minutes, but 18 a span at most.
 */
export function thinHistory(columns: ReadingColumns, maxPoints: number, thresholds: Thresholds): Uint32Array {
  const n = columns.length
  if (n <= maxPoints) return Uint32Array.from({ length: n }, (_, i) => i)
  const from = columns.at[0] as number
  const duration = (columns.at[n - 1] as number) - from + 1
  const spans = Math.max(1, Math.floor(maxPoints / KEPT_A_SPAN), Math.ceil(duration / LONGEST_SPAN_MS))
  const keep = new Uint8Array(n)
  const quantities = [
    new Extremes(
      columns.temperature,
      'temperature',
      thresholds.lowTemperatureThreshold,
      thresholds.highTemperatureThreshold,
    ),
    new Extremes(
      columns.humidity,
      'humidity',
      thresholds.lowHumidityThreshold,
      thresholds.highHumidityThreshold,
    ),
  ]
  const door = new Door(columns.door)
  let span = -1
  for (let i = 0; i < n; i++) {
    const now = Math.floor((((columns.at[i] as number) - from) / duration) * spans)
    if (now !== span) {
      span = now
      keep[i] = 1
      if (i > 0) keep[i - 1] = 1
      for (const quantity of quantities) quantity.close(keep)
      door.close()
    }
    for (const quantity of quantities) quantity.take(i, keep)
    door.take(i, keep)
  }
  keep[n - 1] = 1
  for (const quantity of quantities) quantity.close(keep)
  const rows: number[] = []
  for (let i = 0; i < n; i++) if (keep[i] === 1) rows.push(i)
  return Uint32Array.from(rows)
}

/** Keeps the reading that says a door is open or closed, and the one before that said otherwise. */
class Door {
  #values: Uint8Array
  /** row that said so last */
  #told = -1
  /** rows kept of this span */
  #kept = 0

  constructor(values: Uint8Array) {
    this.#values = values
  }

  take(i: number, keep: Uint8Array): void {
    if (this.#values[i] === READING_FIELDS.door.missing) return
    if (this.#values[i] !== this.#values[this.#told] && this.#kept < MOST_CROSSING) {
      keep[i] = 1
      if (this.#told >= 0) keep[this.#told] = 1
      this.#kept += 2
    }
    this.#told = i
  }

  close(): void {
    this.#kept = 0
  }
}

/** Where a value stands: not measured, below, within or above its band. */
type Place = 'nowhere' | 'below' | 'within' | 'above'

class Extremes {
  #values: Int16Array | Uint16Array
  #missing: number
  #low: number
  #high: number
  #least = -1
  #most = -1
  #place: Place | undefined
  /** rows kept of this span because a limit is crossed */
  #crossing = 0

  /** @param low @param high the band in units; without room between them there is none */
  constructor(
    values: Int16Array | Uint16Array,
    field: 'temperature' | 'humidity',
    low: number,
    high: number,
  ) {
    this.#values = values
    this.#missing = READING_FIELDS[field].missing
    this.#low = low < high ? toStored(field, low) : Number.NEGATIVE_INFINITY
    this.#high = low < high ? toStored(field, high) : Number.POSITIVE_INFINITY
  }

  take(i: number, keep: Uint8Array): void {
    const value = this.#values[i] as number
    const place = this.#placeOf(value)
    if (this.#place !== undefined && place !== this.#place && this.#crossing < MOST_CROSSING) {
      keep[i] = 1
      keep[i - 1] = 1
      this.#crossing += 2
    }
    this.#place = place
    if (place === 'nowhere') return
    if (this.#least < 0 || value < (this.#values[this.#least] as number)) this.#least = i
    if (this.#most < 0 || value > (this.#values[this.#most] as number)) this.#most = i
  }

  close(keep: Uint8Array): void {
    if (this.#least >= 0) keep[this.#least] = 1
    if (this.#most >= 0) keep[this.#most] = 1
    this.#least = -1
    this.#most = -1
    this.#crossing = 0
  }

  #placeOf(value: number): Place {
    if (value === this.#missing) return 'nowhere'
    if (value > this.#high) return 'above'
    return value < this.#low ? 'below' : 'within'
  }
}

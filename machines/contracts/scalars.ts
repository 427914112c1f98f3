import {
  array,
  coerce,
  define,
  enums,
  type Infer,
  integer,
  is,
  max,
  min,
  nonempty,
  pattern,
  refine,
  Struct,
  size,
  string,
  union,
} from 'superstruct'

import { describedAs } from './described.ts'

/** The same struct, and what JSON Schema says of it besides its type: bounds and patterns can't be read back otherwise. */
export const saying = <T, S>(struct: Struct<T, S>, schema: Readonly<Record<string, unknown>>): Struct<T, S> =>
  new Struct({ ...struct, schema: schema as S })

/** A text of which a pattern says all. */
const like = (source: string) => saying(pattern(string(), new RegExp(source)), { pattern: source })

/** A finite number: superstruct's own `number()` lets Infinity through. */
export const Finite = define<number>('finite number', (v) => typeof v === 'number' && Number.isFinite(v))
/** Finite and between two bounds, both included. */
export const between = (low: number, high: number) =>
  saying(
    refine(Finite, `between ${low} and ${high}`, (v) => v >= low && v <= high),
    { minimum: low, maximum: high },
  )
/** Whole, 0 or more, and exact in a double. */
export const Count = saying(max(min(integer(), 0), Number.MAX_SAFE_INTEGER), { minimum: 0 })
/** Position in the one sequence that numbers facts and telemetry batches alike. */
export const Seq = Count

/** Characters of the longest `Id`. */
export const LONGEST_ID = 64
/** Opaque identifier of an entity: letters, digits, `-` and `_`. */
export const Id = like(`^[A-Za-z0-9_-]{1,${LONGEST_ID}}$`)
/** IMEI of a tracker: 15 digits (14 to 17 are seen in the field). */
export const Imei = like('^\\d{14,17}$')
/** Offsets a tracker's clock can have, minutes ahead of UTC, both included: those of the world's zones. */
export const LEAST_OFFSET = -720
export const MOST_OFFSET = 840
/**
 * Whole minutes a tracker's clock is ahead of UTC: what zones of the world have. For protocols that may send local time (GT06);
 * 0 is UTC.
 */
export const ClockOffset = saying(max(min(integer(), LEAST_OFFSET), MOST_OFFSET), {
  minimum: LEAST_OFFSET,
  maximum: MOST_OFFSET,
})
/**
 * A list of `most` at most. One that is longer is refused before anything in it is looked at. What a pattern says all of (`Id`,
 * `Imei`) is compared with that alone, so that 200,000 right ones cost some milliseconds; the contract of one names the place of a
 * wrong one.
 */
export const listOf = <T, S>(each: Struct<T, S>, most: number, least = 0): Struct<T[], Struct<T, S>> => {
  const list = size(array(each), least, most)
  const source = (each.schema as { pattern?: string } | null)?.pattern
  const right = source && new RegExp(source)
  const isRight = (one: unknown) => typeof one === 'string' && right && right.test(one)
  return new Struct({
    ...list,
    entries: (value, context) =>
      Array.isArray(value) && (value.length > most || value.every(isRight))
        ? []
        : list.entries(value, context),
  })
}
/** Stands for all there are, where others are named one by one. */
export const ALL = 'ALL'
export const ImeiOrAll = like('^(\\d{14,17}|ALL)$')
/** UTF-16 units of the longest `Line`. */
export const LONGEST_LINE = 200
/** A line of text, not blank, at most 200 characters. */
export const Line = saying(nonempty(size(string(), 1, LONGEST_LINE)), {
  minLength: 1,
  maxLength: LONGEST_LINE,
})
export const Text = size(string(), 0, 2000)

/** The last of the years that are written with four digits: of each instant there is a month after it in every time zone. */
export const LATEST_INSTANT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
/** Instant, milliseconds since 1970 UTC. */
export const EpochMs = refine(Finite, 'epoch milliseconds', (v) => v >= 0 && v <= LATEST_INSTANT)
/** Instant as a caller may write it, ISO 8601 or epoch ms; decodes to epoch ms. */
export const Instant = describedAs(
  coerce(EpochMs, string(), (text) => instantOf(text)),
  saying(string(), { format: 'date-time' }),
  EpochMs,
)
/** Epoch ms of an instant in ISO 8601, of UTC where it names no zone; NaN where the text is none, or of a day there is not. */
export function instantOf(text: string): number {
  const [, day, zone] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d[\d:.]*(.*)/.exec(text) ?? []
  // Date.parse takes 31 February for 3 March
  const isThere = day && new Date(day).toJSON()?.startsWith(day)
  return isThere ? Date.parse(zone ? text : `${text}Z`) : Number.NaN
}
/** Calendar time as ISO 8601 with zone, as answers carry it. */
export const IsoInstant = define<string>(
  'ISO 8601 instant',
  (v) => typeof v === 'string' && !Number.isNaN(Date.parse(v)),
)
/** The same as a caller writes it; epoch ms are taken too, and what names no zone is of UTC. Decodes to an `IsoInstant` of UTC. */
export const WritableInstant = coerce(
  refine(IsoInstant, 'of a year there is', (text) => is(instantOf(text), EpochMs)),
  union([EpochMs, string()]),
  (written) => {
    const at = typeof written === 'string' ? instantOf(written) : written
    return is(at, EpochMs) ? new Date(at).toISOString() : written
  },
)

/** A day of the calendar, e.g. 2026-03-31. */
export const CalendarDay = saying(
  refine(
    pattern(string(), /^\d{4}-\d\d-\d\d$/),
    'a day of the calendar',
    (day) => new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day,
  ),
  { format: 'date' },
)

export const Latitude = between(-90, 90)
export const Longitude = between(-180, 180)
/** °C. Wider than any cold chain; what lies outside is a broken sensor. */
export const Celsius = between(-200, 300)
/** Relative humidity, %. */
export const Percent = between(0, 100)
/** Threshold of humidity as the documents bound it, %. */
export const HumidityThreshold = between(-40, 100)

export const ViolationType = enums([
  'LOW_TEMPERATURE_DETECTED',
  'LOW_HUMIDITY_DETECTED',
  'HIGH_TEMPERATURE_DETECTED',
  'HIGH_HUMIDITY_DETECTED',
])
export type ViolationType = Infer<typeof ViolationType>

/** What operators work on: violations, and `offline`: a device that is lost, be it offline or disconnected. */
export const IncidentKind = enums([...Object.values(ViolationType.schema), 'offline'])
export type IncidentKind = Infer<typeof IncidentKind>

export const DeviceType = enums(['vehicle', 'warehouse'])
export type DeviceType = Infer<typeof DeviceType>

/** `disconnected`: the tracker itself says it was unplugged, or it was never heard; `offline`: silent beyond the company's patience. */
export const ThingStatus = enums(['online', 'offline', 'disconnected'])
export type ThingStatus = Infer<typeof ThingStatus>

/** An address that is read by each mail server as it stands: without quotes, comments, lists and what nobody sees. */
export const Email = pattern(
  size(string(), 3, 254),
  /^[^\p{C}\s@<>()",;:\\[\]]+@([\w\p{L}\p{M}-]+\.)+[\w\p{L}\p{M}-]+$/u,
)

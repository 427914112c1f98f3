import { array, type Infer, min, nullable, optional, size, string, type } from 'superstruct'
import {
  CalendarDay,
  Count,
  Finite,
  Imei,
  IsoInstant,
  Latitude,
  Longitude,
  ViolationType,
} from '../scalars.ts'

/** Violations per device, counted; one bar group each. */
export const ViolationBar = type({
  plateNumber: string(),
  imei: Imei,
  LowTemperature: Count,
  LowHumidity: Count,
  HighTemperature: Count,
  HighHumidity: Count,
})
export type ViolationBar = Infer<typeof ViolationBar>

/**
 * What counts lack: `pending`, while what was before the record is still evaluated, so many steps of which are over; where it is
 * not going to be, they count from `countedFrom` on.
 */
const Lacking = {
  pending: optional(type({ done: Count, of: Count })),
  countedFrom: optional(IsoInstant),
} as const

export const ViolationChart = type({
  data: array(ViolationBar),
  counts: type({
    LOW_TEMPERATURE_DETECTED: Count,
    LOW_HUMIDITY_DETECTED: Count,
    HIGH_TEMPERATURE_DETECTED: Count,
    HIGH_HUMIDITY_DETECTED: Count,
    total: Count,
  }),
  ...Lacking,
})
export type ViolationChart = Infer<typeof ViolationChart>

/** The pie (Violation Devices against Normal Devices) and its two counters. */
export const ViolationSummary = type({
  data: array(type({ label: string(), value: Finite })),
  numOfDevices: Count,
  totalViolations: Count,
  ...Lacking,
})
export type ViolationSummary = Infer<typeof ViolationSummary>

const Minutes = min(Finite, 0)

/**
 * How long and how far devices were beyond their limits within a range: also by violations that began before it. Minutes are of
 * devices: two that are out for an hour are 120. Where both values of a device are out at once it counts once, but in `kinds`.
 */
export const ViolationTimes = type({
  minutes: Minutes,
  /** by the kind of violation */
  kinds: type({
    LOW_TEMPERATURE_DETECTED: Minutes,
    LOW_HUMIDITY_DETECTED: Minutes,
    HIGH_TEMPERATURE_DETECTED: Minutes,
    HIGH_HUMIDITY_DETECTED: Minutes,
  }),
  /** minutes by hour of the day, 0 to 23, as the asked time zone's clocks show it */
  hours: size(array(Minutes), 24),
  /** days of the range in that zone, oldest first; `violations`: that were published on it */
  days: array(type({ day: CalendarDay, minutes: Minutes, violations: Count })),
  /** where they began: the nearest town, longest first, of the `placesOf` longest violations */
  places: array(type({ place: string(), minutes: Minutes, violations: Count })),
  placesOf: Count,
  /** the devices that were out longest, `more` others left out */
  devices: array(
    type({
      imei: Imei,
      plateNumber: string(),
      name: string(),
      minutes: Minutes,
      violations: Count,
      /** how far beyond for how long, °C and % times minutes; null: too much to be added up */
      degreeMinutes: nullable(Minutes),
      percentMinutes: nullable(Minutes),
      /** where the longest of its violations began */
      place: string(),
    }),
  ),
  more: Count,
})
export type ViolationTimes = Infer<typeof ViolationTimes>

/** One violation as a list or a map shows it. */
export const ViolationEvent = type({
  type: ViolationType,
  thingId: type({ plateNumber: string(), group: type({ name: string() }) }),
  eventTime: IsoInstant,
  location: string(),
  thing: type({ state: type({ latlng: type({ lat: Latitude, lng: Longitude }) }) }),
})
export type ViolationEvent = Infer<typeof ViolationEvent>

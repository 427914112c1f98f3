import { array, type Infer, optional, string, type } from 'superstruct'
import { Count, Finite, Imei, IsoInstant, Latitude, Longitude, ViolationType } from '../scalars.ts'

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

/** One violation as a list or a map shows it. */
export const ViolationEvent = type({
  type: ViolationType,
  thingId: type({ plateNumber: string(), group: type({ name: string() }) }),
  eventTime: IsoInstant,
  location: string(),
  thing: type({ state: type({ latlng: type({ lat: Latitude, lng: Longitude }) }) }),
})
export type ViolationEvent = Infer<typeof ViolationEvent>

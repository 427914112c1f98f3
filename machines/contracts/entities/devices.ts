import { array, boolean, enums, type Infer, nullable, optional, string, type } from 'superstruct'
import {
  Celsius,
  Count,
  DeviceType,
  Finite,
  HumidityThreshold,
  Id,
  Imei,
  IsoInstant,
  ThingStatus,
  ViolationType,
} from '../scalars.ts'
import { Thresholds } from './thresholds.ts'

const Measured = nullable(Finite)

/** A device (thing) as lists and selectors know it. Units: °C, %, °, km; null: never measured. */
export const Thing = type({
  _id: Id,
  imei: Imei,
  name: string(),
  thingName: string(),
  plateNumber: string(),
  vehicleMakeAndModel: string(),
  type: DeviceType,
  thingStatus: ThingStatus,
  vehicleStatus: ThingStatus,
  groupId: nullable(Id),
  group: nullable(type({ _id: Id, name: string() })),
  groupName: string(),
  lastLat: Measured,
  lastLng: Measured,
  lastTemp: Measured,
  lastHum: Measured,
  lat: Measured,
  lng: Measured,
  temperature: Measured,
  temperature2: Measured,
  humidity: Measured,
  /** distance travelled, spelled as the documents do */
  milage: Measured,
  angle: Measured,
  /** the device's clock; null: never heard */
  timestamp: nullable(IsoInstant),
  lastLocation: nullable(type({ lat: Finite, lng: Finite })),
  /** grows with each change of its name or group; opaque */
  version: string(),
})
export type Thing = Infer<typeof Thing>

/** One point of a device's history; null: not measured. */
export const HistoryPoint = type({
  dateTime: IsoInstant,
  temperature: Measured,
  humidity: Measured,
  lat: Measured,
  lng: Measured,
  /** of the cargo: 1 open, 0 closed */
  door: optional(Measured),
  /** when it was received, where that was more than two minutes later */
  receivedAt: optional(IsoInstant),
})
export type HistoryPoint = Infer<typeof HistoryPoint>

/** Limits and axes of the device's group: °C and %. */
export const HistoryThresholds = type({
  ...Thresholds.schema,
  tmin: Celsius,
  tmax: Celsius,
  hmin: HumidityThreshold,
  hmax: HumidityThreshold,
})
export type HistoryThresholds = Infer<typeof HistoryThresholds>

/** A span of a device's record that is damaged: its readings are not answered. */
export const DamagedSpan = type({ from: IsoInstant, to: IsoInstant })
export type DamagedSpan = Infer<typeof DamagedSpan>

/** Readings that came late together: when they were measured and received, and how late (s) the latest of them was. */
export const LateSpan = type({
  from: IsoInstant,
  to: IsoInstant,
  receivedFrom: IsoInstant,
  receivedTo: IsoInstant,
  readings: Finite,
  upTo: Finite,
})
export type LateSpan = Infer<typeof LateSpan>

/** A violation as it is known now: out since its first reading beyond the limit; `clearedAt`: null while it lasts. */
export const KnownViolation = type({
  type: ViolationType,
  since: IsoInstant,
  clearedAt: nullable(IsoInstant),
  /** it may have begun earlier: nothing is known of before */
  isSinceBefore: optional(boolean()),
})
export type KnownViolation = Infer<typeof KnownViolation>

/**
 * `points` ascend by `dateTime`. `latest`: the newest reading there is, whatever was asked for; null: never heard. `damaged`: what
 * cannot be answered, ascending. `late`: what came late, ascending. `violations`: those that
 * reach into what was asked for, as Why tells them, ascending.
 */
export const DeviceHistory = type({
  points: array(HistoryPoint),
  latest: nullable(HistoryPoint),
  thresholds: HistoryThresholds,
  damaged: optional(array(DamagedSpan)),
  late: optional(array(LateSpan)),
  violations: optional(array(KnownViolation)),
})
export type DeviceHistory = Infer<typeof DeviceHistory>

/** A row of the observation tables. Voltages in V, `Ignition` and `Unplug` 0 or 1, `Door` 1 open or 0 closed, `GSM_Signal` 0–5. */
export const ObservationRow = type({
  imei: Imei,
  /** the temp variant has it */
  name: optional(string()),
  temperature: Measured,
  humidity: Measured,
  timestamp: nullable(IsoInstant),
  lat: Measured,
  lng: Measured,
  GSM_Signal: Measured,
  GNSS_Status: Measured,
  External_Voltage: Measured,
  Battery_Voltage: Measured,
  Ignition: Measured,
  Unplug: Measured,
  Door: optional(Measured),
  location: string(),
})
export type ObservationRow = Infer<typeof ObservationRow>

/**
 * A reading that is kept beside those of the table. `held`: its time is still to come; `released`: it came, and the reading is in
 * the table; `contradicted`: it came, and readings received on time tell of it; `other`: `counted`, of the same instant, counts.
 */
export const AsideRow = type({
  kind: enums(['held', 'released', 'contradicted', 'other']),
  receivedAt: IsoInstant,
  row: ObservationRow,
  counted: optional(ObservationRow),
})
export type AsideRow = Infer<typeof AsideRow>

const RefusedLately = type({ at: IsoInstant, reason: string(), times: Count })

/** So many readings or more are kept aside besides those that are answered. */
export const MOST_MORE_ASIDE = 10_000

/**
 * What the tables of observations leave out. `dropped`: impossible fields that readings were taken without, `times` in a row, `at`
 * the last of them, received since `droppedSince`; `refused`: likewise readings whose time cannot be true. `more`: readings kept aside that are not answered, counted up to
 * `MOST_MORE_ASIDE`; `damaged`: spans whose readings cannot be read.
 */
export const ObservationsAside = type({
  aside: array(AsideRow),
  more: Count,
  dropped: array(RefusedLately),
  refused: optional(array(RefusedLately)),
  droppedSince: IsoInstant,
  damaged: optional(array(DamagedSpan)),
})
export type ObservationsAside = Infer<typeof ObservationsAside>

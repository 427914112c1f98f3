/**
 * Scenario files: what the device world is made of. JSON, three kinds of file: the scenario itself (`fixtures/scenarios`),
 * the corridors it drives on (`fixtures/corridors`) and the places it knows (`fixtures/places`), named by relative path.
 * What goes wrong in it when, and what must come of it, is in scenario-script.ts.
 */
import {
  array,
  boolean,
  coerce,
  defaulted,
  enums,
  type Infer,
  nullable,
  object,
  optional,
  pattern,
  refine,
  size,
  string,
  tuple,
} from 'superstruct'
import { Thresholds } from './entities/thresholds.ts'
import {
  between,
  Celsius,
  Count,
  DeviceType,
  Email,
  Finite,
  HumidityThreshold,
  Id,
  Imei,
  IsoInstant,
  Latitude,
  Line,
  Longitude,
  Percent,
  saying,
  Text,
} from './scalars.ts'
import {
  Backlog,
  FAULTS,
  Outcome,
  Positive,
  ScenarioEvent,
  ScriptedFault,
  Share,
  WeatherSpell,
} from './scenario-script.ts'

/** What goes wrong by itself: the faults, and three slow troubles that nobody injects. `silent`: off air and not recording. */
export const INCIDENTS = [...FAULTS, 'weak-compressor', 'set-point-too-low', 'silent'] as const
export const IncidentKind = enums(INCIDENTS)
export type IncidentKind = Infer<typeof IncidentKind>

/** Outside air: °C over the year (mean ± seasonal, warmest early July) and the day (± daily, warmest at 15:00), relative humidity %. */
export const Climate = object({ mean: Celsius, seasonal: Finite, daily: Finite, humidity: Percent })
export type Climate = Infer<typeof Climate>

/** `junction`: where roads meet, not a town. `sites`: where warehouses stand, [lat, lng]. */
export const Place = object({
  id: Id,
  name: Line,
  kind: enums(['city', 'town', 'junction']),
  lat: Latitude,
  lng: Longitude,
  /** how far its slow traffic reaches, km */
  radiusKm: Positive,
  climate: Climate,
  sites: optional(array(tuple([Latitude, Longitude]))),
})
export type Place = Infer<typeof Place>
export const PlacesFile = object({ places: array(Place) })

export const RoadKind = enums(['motorway', 'highway', 'mountain', 'urban'])
/** A road as a line of [lat, lng]; `places`: [place id, index of its point], ascending. `speed`: of a loaded truck on it, km/h. */
export const Corridor = object({
  id: Id,
  name: Line,
  kind: RoadKind,
  speed: between(5, 110),
  points: size(array(tuple([Latitude, Longitude])), 2, 20_000),
  places: size(array(tuple([Id, Count])), 2, 1000),
})
export type Corridor = Infer<typeof Corridor>
export const CorridorsFile = object({ corridors: array(Corridor) })

/**
 * A cold box. `insulation`: heat that leaks in, W per K between outside and inside; `thermalMass`: kJ to warm it by 1 K;
 * `compressorPower`: W it can remove; `doorLoss`: more W/K while a door stands open; `band`: height of the thermostat's ripple, K;
 * `cycleMinutes`: its period; `humidity`: inside with the door shut, %; `defrostHours`: between two defrosts.
 * `heatLoss`: share of its power that the compressor loses with each K outside above 35 °C (a condenser that gets too hot).
 */
export const ThermalProfile = object({
  id: Id,
  setPoint: Celsius,
  band: Positive,
  insulation: Positive,
  thermalMass: Positive,
  compressorPower: Positive,
  doorLoss: Positive,
  cycleMinutes: Positive,
  defrostHours: Positive,
  humidity: Percent,
  secondSensor: boolean(),
  heatLoss: optional(between(0, 0.1)),
})
export type ThermalProfile = Infer<typeof ThermalProfile>

const ScenarioGroupShape = {
  id: Id,
  name: Line,
  description: defaulted(Text, ''),
  parentId: nullable(Id),
  ...Thresholds.schema,
}
export const ScenarioGroup = object(ScenarioGroupShape)
export type ScenarioGroup = Infer<typeof ScenarioGroup>

const Person = object({ firstName: Line, lastName: string(), email: Email, phone: string() })

/** `groups`: parents before children, the first is the company's top group. */
export const ScenarioCompany = object({
  id: Id,
  name: Line,
  bam: nullable(Person),
  partner: nullable(object({ emergencyHelpLineNumber: string(), emergencyEmail: Email })),
  deviceKey: nullable(size(string(), 8, 200)),
  suspended: boolean(),
  patienceSeconds: Count,
  violationDelaySeconds: Count,
  clearMarginTemperature: Finite,
  clearMarginHumidity: Finite,
  tmin: Celsius,
  tmax: Celsius,
  hmin: HumidityThreshold,
  hmax: HumidityThreshold,
  groups: size(array(ScenarioGroup), 1, 10_000),
})
export type ScenarioCompany = Infer<typeof ScenarioCompany>

/** One that can be reached, written with blanks and hyphens or without; a number of Pakistan is kept as forms keep it, with a 0. */
const Phone = coerce(pattern(string(), /^(0[1-9]\d{8,9}|\+(?!92)[1-9]\d{6,14})$/), string(), (written) =>
  written.replace(/[\s-]/g, '').replace(/^\+92/, '0'),
)

/** `userName`: signs in beside the e-mail address. `note`: what the account shows, for the sign-in page. */
export const ScenarioUser = object({
  id: Id,
  email: Email,
  userName: Line,
  firstName: Line,
  lastName: string(),
  phone: Phone,
  type: string(),
  role: string(),
  groupId: Id,
  companyId: Id,
  requireReset: defaulted(boolean(), false),
  superAdmin: defaulted(boolean(), false),
  note: defaulted(Text, ''),
})
export type ScenarioUser = Infer<typeof ScenarioUser>

/**
 * Devices of one kind in one group. `name` and `plate` are patterns: `{n}` the ordinal (`{n:3}` padded to three), `{A}` a letter,
 * `{9}` a digit. `tac`: first eight digits of their IMEIs, the fleet's own. `count`: at the scenario's size, scaled with DEVICES.
 * `home`: where its warehouses stand and its vehicles live; `destinations`: places a vehicle drives to and back from.
 */
export const Fleet = object({
  id: Id,
  companyId: Id,
  groupId: Id,
  type: DeviceType,
  count: Count,
  tac: saying(pattern(string(), /^\d{8}$/), { pattern: '^\\d{8}$' }),
  name: Line,
  plate: string(),
  models: size(array(Line), 1, 50),
  thermal: Id,
  home: Id,
  destinations: defaulted(array(Id), []),
})
export type Fleet = Infer<typeof Fleet>

/** A device the world does not play: its readings come over TCP or the API. */
export const Tracker = object({
  imei: Imei,
  companyId: Id,
  groupId: Id,
  name: Line,
  plateNumber: string(),
  vehicleMakeAndModel: string(),
  type: DeviceType,
  source: enums(['tracker', 'api']),
})
export type Tracker = Infer<typeof Tracker>

/** How often a device meets it by itself, times a day, and for how long, minutes (at most a day). */
export const Incident = object({
  kind: IncidentKind,
  perDay: Share,
  minutes: refine(tuple([Positive, Positive]), 'ascending and at most 1440', ([a, b]) => a <= b && b <= 1440),
})

const ScenarioShape = {
  /** where an editor finds the schema of these files */
  $schema: optional(string()),
  name: Line,
  /** one or two sentences: what there is to see */
  story: defaulted(Text, ''),
  seed: Count,
  start: IsoInstant,
  /** of every company, e.g. Asia/Karachi; `utcOffsetMinutes` is its offset, for the day's rhythm */
  timeZone: Line,
  utcOffsetMinutes: between(-840, 840),
  historyDays: between(0, 400),
  /** seconds between two readings of a device */
  reportSeconds: between(1, 3600),
  /** of every account */
  password: size(string(), 8, 16),
  companies: size(array(ScenarioCompany), 1, 1000),
  users: array(ScenarioUser),
  fleets: array(Fleet),
  trackers: array(Tracker),
  thermalProfiles: array(ThermalProfile),
  incidents: array(Incident),
  /** share of incidents that start in each hour of the local day */
  dayRhythm: size(array(Share), 24, 24),
  weather: defaulted(array(WeatherSpell), []),
  scriptedFaults: defaulted(array(ScriptedFault), []),
  backlogs: defaulted(array(Backlog), []),
  events: defaulted(array(ScenarioEvent), []),
  outcomes: defaulted(array(Outcome), []),
}

/** A scenario as it is written: corridors and places by file, relative to the scenario's own, or to those that are shipped. */
export const ScenarioFile = object({ ...ScenarioShape, corridorFiles: array(Line), placeFiles: array(Line) })
export type ScenarioFile = Infer<typeof ScenarioFile>

/** A scenario with everything it refers to. */
export const Scenario = object({ ...ScenarioShape, corridors: array(Corridor), places: array(Place) })
export type Scenario = Infer<typeof Scenario>

/** One row of `fixtures/teltonika/frames.json`: a captured packet and the registered device that sends it here. */
export const TeltonikaFrames = object({
  origin: Text,
  frames: array(
    object({
      imei: Imei,
      codec: enums(['8', '8E']),
      records: Count,
      hex: pattern(string(), /^([0-9a-f]{2})+$/),
    }),
  ),
})
export type TeltonikaFrames = Infer<typeof TeltonikaFrames>

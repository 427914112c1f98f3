import {
  array,
  boolean,
  enums,
  type Infer,
  nullable,
  object,
  optional,
  pattern,
  string,
  tuple,
  type,
} from 'superstruct'
import { between, Count, Finite, Id, IsoInstant, Latitude, Line, Longitude, listOf } from '../scalars.ts'

/** What a report is made of. `…-graph`: the same with a PDF of bars beside it; `proof`: one device's page, `case`: all of one violation, as a PDF alone. */
export const ReportKind = enums([
  'distance',
  'temperature',
  'observation',
  'event',
  'event-graph',
  'power',
  'trip',
  'speeding',
  'stoppage',
  'silence',
  'status',
  'travel',
  'travel-graph',
  'proof',
  'case',
])
export type ReportKind = Infer<typeof ReportKind>

/** `requested`: it waits for its turn; `pending`: it is being made. */
export const ReportStatus = enums(['requested', 'pending', 'completed', 'failed', 'cancelled'])
export type ReportStatus = Infer<typeof ReportStatus>

/** A file of a report: `bytes` is its length, `sha256` in hex. */
export const MadeFile = object({ fileName: Line, contentType: Line, bytes: Count, sha256: string() })
export type MadeFile = Infer<typeof MadeFile>

/** What a report is of: the first few of what was chosen, by name, as far as the reader sees them, and how many there are. */
export const ReportSelection = type({
  groups: array(string()),
  groupCount: Count,
  /** by plate number where they have one */
  devices: array(string()),
  deviceCount: Count,
})
export type ReportSelection = Infer<typeof ReportSelection>

/**
 * A line of the log. `reportType` in words, e.g. Distance Report, `type` its key, e.g. distanceReport. Both dates are part of
 * the range: a whole day ends at 23:59:59.999. `url`: a link that runs out after some hours and is another in each answer;
 * null until the file is there, and again once it is dropped, which `reason` then says.
 */
export const ReportLogEntry = type({
  _id: Id,
  reportType: string(),
  type: optional(string()),
  selection: optional(ReportSelection),
  dateFrom: IsoInstant,
  dateTo: IsoInstant,
  createdAt: IsoInstant,
  isCompleted: boolean(),
  url: nullable(string()),
  status: optional(ReportStatus),
  /** 0 to 1 */
  progress: optional(between(0, 1)),
  /** how many reports are made before it, while it waits for its turn */
  ahead: optional(Count),
  /** why it failed, or why there is no file any more */
  reason: optional(nullable(string())),
  /** a person's name, where somebody cancelled it */
  cancelledBy: optional(string()),
  /** which version of the report this is, and how many there are, where there is more than one */
  version: optional(Count),
  versions: optional(Count),
  /** readings that came late after what it is made of, and the version that would hold them; of the newest version alone */
  outdated: optional(type({ readings: Count, nextVersion: Count })),
  /** devices of it whose record is damaged within its range: it holds what could be read */
  damagedDevices: optional(Count),
  /** a person's name, or that of the schedule's making */
  requestedBy: optional(string()),
  /** of the first file, whose link `url` is; `size` in bytes */
  fileName: optional(nullable(string())),
  size: optional(nullable(Count)),
  /** all of them: a temperature report is also a PDF */
  files: optional(
    array(
      type({
        url: string(),
        fileName: string(),
        contentType: string(),
        size: Count,
        /** the same in a ZIP with its seal beside it */
        sealedUrl: optional(string()),
      }),
    ),
  ),
})
export type ReportLogEntry = Infer<typeof ReportLogEntry>

export const ScheduleInterval = enums(['Daily', 'Weekly', 'Monthly', 'TenDays'])
export type ScheduleInterval = Infer<typeof ScheduleInterval>

export const ScheduledReportType = enums([
  'fuelConsumptionReport',
  'AlarmReport',
  'TripDetailReport',
  'distanceReport',
  'ViolationReport',
  'GeoFenceReport',
  'RouteFenceReport',
  'PerformanceReport',
  'VehiclesNotRespondingReport',
  'vehicleStatusReport',
  'OverSpeedingVehiclesReport',
  'DrivingScoreReport',
  'StoppageReport',
  'OilChangeReport',
  'TyreChangeReport',
  'GeoFenceTrackReport',
  'vehicleTravelReport',
  'vehicleTravelReportGraph',
  'violationsGraph',
  'drivingScoreGraph',
  'POWER_REPORT',
])
export type ScheduledReportType = Infer<typeof ScheduledReportType>

/** km/h */
export const SpeedLimit = between(1, 200)

/** HH:mm */
export const TimeOfDay = pattern(string(), /^([01]\d|2[0-3]):[0-5]\d$/)

/** What a schedule may ask for beyond the required; the fence fields name fences by id. */
export const SCHEDULE_OPTIONS = {
  speed: optional(SpeedLimit),
  performanceGeoFence: optional(listOf(Id, 10_000)),
  performanceRouteFence: optional(listOf(Id, 10_000)),
  sourceGeofenceId: optional(Id),
  destinationGeofenceId: optional(Id),
  /** km */
  vehicleTravelDistance: optional(between(0, 100_000)),
  /** of travel reports: the part of each day that counts, HH:mm */
  startTime: optional(TimeOfDay),
  endTime: optional(TimeOfDay),
  /** all groups, or all vehicles of the groups, as they are at each run: the list of them is then empty */
  allGroups: optional(boolean()),
  allVehicles: optional(boolean()),
} as const

export const ReportSchedule = type({
  _id: Id,
  /** to be named by who changes it */
  version: string(),
  company: Id,
  groups: array(type({ _id: Id, name: string() })),
  vehicles: array(type({ _id: Id, plateNumber: string(), name: string() })),
  interval: ScheduleInterval,
  emails: array(string()),
  reportTypes: array(ScheduledReportType),
  /** those of `emails` that get none: they have to say first that they want them, want none, or got enough today */
  notSent: optional(array(type({ email: string(), because: enums(['confirm', 'unsubscribed', 'budget']) }))),
  ...SCHEDULE_OPTIONS,
})
export type ReportSchedule = Infer<typeof ReportSchedule>

/** A geofence or a route fence as selectors name it. */
export const Fence = type({ _id: Id, name: string() })
export type Fence = Infer<typeof Fence>

/** A place on the map: `center` is [lng, lat], `radius` in metres. */
export const Hotspot = type({ center: tuple([Longitude, Latitude]), radius: Finite })
export type Hotspot = Infer<typeof Hotspot>

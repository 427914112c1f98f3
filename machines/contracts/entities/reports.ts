import { array, boolean, enums, type Infer, nullable, optional, string, tuple, type } from 'superstruct'
import { between, Finite, Id, IsoInstant, Latitude, Longitude } from '../scalars.ts'

/** `url`: null until the file is there. */
export const ReportLogEntry = type({
  _id: Id,
  reportType: string(),
  dateFrom: IsoInstant,
  dateTo: IsoInstant,
  createdAt: IsoInstant,
  isCompleted: boolean(),
  url: nullable(string()),
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

/** What a schedule may ask for beyond the required; the fence fields name fences by id. */
export const SCHEDULE_OPTIONS = {
  speed: optional(SpeedLimit),
  performanceGeoFence: optional(array(Id)),
  performanceRouteFence: optional(array(Id)),
  sourceGeofenceId: optional(Id),
  destinationGeofenceId: optional(Id),
  /** km */
  vehicleTravelDistance: optional(Finite),
} as const

export const ReportSchedule = type({
  _id: Id,
  company: Id,
  groups: array(type({ _id: Id, name: string() })),
  vehicles: array(type({ _id: Id, plateNumber: string(), name: string() })),
  interval: ScheduleInterval,
  emails: array(string()),
  reportTypes: array(ScheduledReportType),
  ...SCHEDULE_OPTIONS,
})
export type ReportSchedule = Infer<typeof ReportSchedule>

/** A geofence or a route fence as selectors name it. */
export const Fence = type({ _id: Id, name: string() })
export type Fence = Infer<typeof Fence>

/** A place on the map: `center` is [lng, lat], `radius` in metres. */
export const Hotspot = type({ center: tuple([Longitude, Latitude]), radius: Finite })
export type Hotspot = Infer<typeof Hotspot>

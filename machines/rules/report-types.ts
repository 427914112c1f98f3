import { type ReportKind, ScheduledReportType } from '../contracts/entities/reports.ts'

/** A type of report that can be made: of what, and what people call it. */
export type ReportType = { kind: ReportKind; title: string }

const TYPES: Readonly<Record<string, ReportType>> = {
  distanceReport: { kind: 'distance', title: 'Distance Report' },
  temperatureReport: { kind: 'temperature', title: 'Temperature Report' },
  observationReport: { kind: 'observation', title: 'Observation Report' },
  eventReport: { kind: 'event', title: 'Event Report' },
  powerReport: { kind: 'power', title: 'Power Report' },
  tripReport: { kind: 'trip', title: 'Trip Report' },
  vehicleHistoryReport: { kind: 'observation', title: 'Vehicle History Report' },
  pjpReport: { kind: 'trip', title: 'PJP Report' },
  POWER_REPORT: { kind: 'power', title: 'Power Report' },
  TripDetailReport: { kind: 'trip', title: 'Trip Detail Report' },
  ViolationReport: { kind: 'event', title: 'Violation Report' },
  AlarmReport: { kind: 'event', title: 'Alarm Report' },
  VehiclesNotRespondingReport: { kind: 'silence', title: 'Vehicles Not Responding Report' },
  vehicleStatusReport: { kind: 'status', title: 'Vehicle Status Report' },
  OverSpeedingVehiclesReport: { kind: 'speeding', title: 'Over-speeding Vehicles Report' },
  StoppageReport: { kind: 'stoppage', title: 'Stoppage Report' },
  vehicleTravelReport: { kind: 'travel', title: 'Vehicle Travel Report' },
  vehicleTravelReportGraph: { kind: 'travel-graph', title: 'Vehicle Travel Report Graph' },
  proofReport: { kind: 'proof', title: 'Proof' },
  caseReport: { kind: 'case', title: 'Case' },
  violationsGraph: { kind: 'event-graph', title: 'Violations Graph' },
}

const FENCES = 'Needs fences, which nobody can draw in Frostline.'
const SCORES = 'Needs driving scores: no device here measures braking and cornering.'

/** The documents' types that cannot be made: what people call them, and what they need that no device here measures. */
const NOT_MADE: Readonly<Record<string, { title: string; why: string }>> = {
  fuelConsumptionReport: {
    title: 'Fuel Consumption Report',
    why: 'Needs a fuel level, which no device here measures.',
  },
  GeoFenceReport: { title: 'Geofence Report', why: FENCES },
  RouteFenceReport: { title: 'Route Fence Report', why: FENCES },
  PerformanceReport: { title: 'Performance Report', why: FENCES },
  DrivingScoreReport: { title: 'Driving Score Report', why: SCORES },
  OilChangeReport: { title: 'Oil Change Report', why: 'Needs oil changes, which nobody tells Frostline of.' },
  TyreChangeReport: {
    title: 'Tyre Change Report',
    why: 'Needs tyres and their changes, which no device here measures.',
  },
  GeoFenceTrackReport: { title: 'Geofence Track Report', why: FENCES },
  drivingScoreGraph: { title: 'Driving Score Graph', why: SCORES },
}

/** The report of a type as callers and addresses write it; undefined: it cannot be made. */
export const reportTypeOf = (type: string): ReportType | undefined =>
  Object.hasOwn(TYPES, type) ? TYPES[type] : undefined

/** Why a type of the documents cannot be made; undefined: it can, or there is no such type. */
export const whyNotMade = (type: string): string | undefined =>
  Object.hasOwn(NOT_MADE, type) ? NOT_MADE[type]?.why : undefined

/** e.g. Power Report; the type itself where it is none. */
export const titleOf = (type: string): string =>
  reportTypeOf(type)?.title ?? (Object.hasOwn(NOT_MADE, type) ? NOT_MADE[type]?.title : undefined) ?? type

/** The types a schedule may name, Power Report first, then as the documents list them. */
export const SCHEDULED_TYPES: readonly ScheduledReportType[] = [
  'POWER_REPORT',
  ...Object.values(ScheduledReportType.schema).filter((type) => type !== 'POWER_REPORT'),
]

/** Whether a schedule may ask for it: one of the documents' list that can be made. */
export const isSchedulable = (type: string): boolean =>
  (SCHEDULED_TYPES as readonly string[]).includes(type) && reportTypeOf(type) !== undefined

/**
 * The key of a type by what people call it, which is all that a record tells. Power Report has two: `isScheduled` says whether
 * a schedule asked. Undefined for what is called so no more.
 */
export function typeCalled(title: string, isScheduled: boolean): string | undefined {
  const keys = Object.keys(TYPES).filter((key) => TYPES[key]?.title === title)
  return keys.find((key) => isSchedulable(key) === isScheduled) ?? keys[0]
}

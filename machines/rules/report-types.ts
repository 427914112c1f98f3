import type { ReportKind, ScheduledReportType } from '../contracts/entities/reports.ts'

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
  vehicleTravelReport: { kind: 'trip', title: 'Vehicle Travel Report' },
  POWER_REPORT: { kind: 'power', title: 'Power Report' },
  TripDetailReport: { kind: 'trip', title: 'Trip Detail Report' },
  ViolationReport: { kind: 'event', title: 'Violation Report' },
  AlarmReport: { kind: 'event', title: 'Alarm Report' },
}

/** The report of a type as callers and addresses write it; undefined: it cannot be made. */
export const reportTypeOf = (type: string): ReportType | undefined =>
  Object.hasOwn(TYPES, type) ? TYPES[type] : undefined

/**
 * The types a schedule may ask for, of those the documents name. The others need what the house does not have (fences,
 * fuel, tyres, scores), and travel reports a part of each day.
 */
const SCHEDULABLE: readonly ScheduledReportType[] = [
  'POWER_REPORT',
  'distanceReport',
  'TripDetailReport',
  'ViolationReport',
  'AlarmReport',
]
export const isSchedulable = (type: string): boolean => (SCHEDULABLE as readonly string[]).includes(type)

/**
 * The key of a type by what people call it, which is all that a record tells. Power Report has two: `isScheduled` says whether
 * a schedule asked. Undefined for what is called so no more.
 */
export function typeCalled(title: string, isScheduled: boolean): string | undefined {
  const keys = Object.keys(TYPES).filter((key) => TYPES[key]?.title === title)
  return keys.find((key) => isSchedulable(key) === isScheduled) ?? keys[0]
}

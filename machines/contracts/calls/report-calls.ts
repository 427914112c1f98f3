import { array, enums, literal, object, type as open, optional, size, string } from 'superstruct'
import {
  ReportLogEntry,
  ReportSchedule,
  SCHEDULE_OPTIONS,
  ScheduledReportType,
  ScheduleInterval,
  SpeedLimit,
} from '../entities/reports.ts'
import { ALL, between, Id, Imei, Line, listOf, ViolationType } from '../scalars.ts'
import { CountText, calls, Interval, LIST_BODY_BYTES, OpaqueToken, oneOrMore, Page } from './call.ts'

const ByCompany = object({ companyId: Id })
const ByGroupAndCompany = object({ groupId: Id, companyId: Id })
const ById = object({ id: Id })
const Message = open({ message: string() })
/** What was asked for of a report was taken; what comes of it stands in the log. */
const Accepted = open({ _id: Id, message: string() })

/**
 * The devices: those in `things` and those in and below `groups`; at least one of the two names something. Both ends
 * are part of the range; now is its end at the latest.
 */
const selection = {
  things: listOf(Imei, 200_000),
  groups: listOf(Id, 10_000),
  ...Interval.schema,
}
/** What is missing or wrong in it is said in the form's words (machines/rules/schedule-form.ts), so little is said here. */
const Schedule = object({
  groups: listOf(Id, 10_000),
  vehicles: listOf(Imei, 200_000),
  interval: optional(ScheduleInterval),
  emails: listOf(size(string(), 0, 254), 100),
  reportTypes: listOf(ScheduledReportType, 21),
  ...SCHEDULE_OPTIONS,
})

export const REPORT_CALLS = calls({
  companyReports: {
    method: 'GET',
    path: '/groups/{groupId}/company/{companyId}/reports',
    summary:
      'The report log of a group, newest first: all of it, or a page where `skip` or `limit` is given.',
    access: 'session',
    params: ByGroupAndCompany,
    query: Page,
    answer: array(ReportLogEntry),
  },
  requestReport: {
    method: 'POST',
    path: '/groups/{groupId}/company/{companyId}/reports',
    summary:
      'Ask for a report by its type (eventReport where left out); an event report names the types of violations.',
    access: 'session',
    params: ByGroupAndCompany,
    body: object({
      ...selection,
      reportType: optional(Line),
      type: optional(oneOrMore(listOf(enums([ALL, ...Object.values(ViolationType.schema)]), 5))),
      /** km */
      minDistance: optional(between(0, 100_000)),
      /** of an OverSpeedingVehiclesReport; 80 where left out */
      speed: optional(SpeedLimit),
      /** ids of geofences, for a performanceReport */
      geofences: optional(listOf(Id, 10_000)),
    }),
    bodyBytes: LIST_BODY_BYTES,
    answer: Accepted,
    status: 202,
  },
  requestObservationReport: {
    method: 'POST',
    path: '/groups/{groupId}/company/{companyId}/reports/observationReport',
    summary: 'Ask for an observation report. `vehicels` is spelled as the documents spell it.',
    access: 'session',
    params: ByGroupAndCompany,
    body: object({ vehicels: listOf(Imei, 200_000, 1), interval: Interval }),
    bodyBytes: LIST_BODY_BYTES,
    answer: Accepted,
    status: 202,
  },
  requestDistanceReport: {
    method: 'POST',
    path: '/groups/{groupId}/company/{companyId}/reports/distanceReport',
    summary: 'Ask for a distance report.',
    access: 'session',
    params: ByGroupAndCompany,
    body: object(selection),
    bodyBytes: LIST_BODY_BYTES,
    answer: Accepted,
    status: 202,
  },
  requestPowerReport: {
    method: 'POST',
    path: '/groups/{groupId}/company/{companyId}/reports/powerReport',
    summary: 'Ask for a power report.',
    access: 'session',
    params: ByGroupAndCompany,
    body: object(selection),
    bodyBytes: LIST_BODY_BYTES,
    answer: Accepted,
    status: 202,
  },
  requestTemperatureReport: {
    method: 'POST',
    path: '/groups/{groupId}/company/{companyId}/reports/generateTemperatureReport',
    summary: 'Ask for a temperature report.',
    access: 'session',
    params: ByGroupAndCompany,
    body: object(selection),
    bodyBytes: LIST_BODY_BYTES,
    answer: Accepted,
    status: 202,
  },
  requestTripReport: {
    method: 'POST',
    path: '/reports/trips',
    summary: 'Ask for a trip report.',
    access: 'session',
    query: object({ token: OpaqueToken, companyId: Id }),
    body: object(selection),
    bodyBytes: LIST_BODY_BYTES,
    answer: Accepted,
    status: 202,
  },
  retryReport: {
    method: 'POST',
    path: '/reports/{id}/retry',
    summary: 'Make a report that failed once more, of what is known by now.',
    access: 'session',
    setsState: true,
    params: ById,
    answer: Accepted,
    status: 202,
  },
  cancelReport: {
    method: 'POST',
    path: '/reports/{id}/cancel',
    summary:
      'Cancel a report that waits or is being made: there will be no file, and nobody is mailed. 409: it is over, and how.',
    access: 'session',
    setsState: true,
    params: ById,
    answer: Accepted,
  },
  makeReportVersion: {
    method: 'POST',
    path: '/reports/{id}/versions',
    summary:
      'Make a report once more, of the readings that came later too. The one there is stays as it is. `_id` is that of the new version, also where somebody asked for it before.',
    access: 'session',
    params: ById,
    answer: Accepted,
    status: 202,
  },
  reportFile: {
    method: 'GET',
    path: '/reports/files/{id}',
    summary:
      'A file of a report, by a link of the log: good for some hours, for whoever holds it. `sealed`: a ZIP of the file as it is and its seal beside it.',
    access: 'anyone',
    params: ById,
    /** `file`: which one, 0 where left out */
    query: object({
      file: optional(CountText),
      expires: CountText,
      signature: OpaqueToken,
      sealed: optional(literal('true')),
    }),
    answer: string(),
    media: 'application/octet-stream',
  },
  reportLog: {
    method: 'GET',
    path: '/reports/logs/{companyId}',
    summary:
      'The report log of a company as far as the visitor sees it, newest first: all of it, or a page where `skip` or `limit` is given.',
    access: 'session',
    params: ByCompany,
    query: Page,
    answer: array(ReportLogEntry),
  },
  scheduleReport: {
    method: 'POST',
    path: '/groups/scheduleReport',
    summary: 'Schedule a recurring report.',
    access: 'session',
    body: Schedule,
    bodyBytes: LIST_BODY_BYTES,
    answer: ReportSchedule,
    status: 201,
  },
  updateSchedule: {
    method: 'PUT',
    path: '/groups/scheduleReport/{id}',
    summary: 'Change a schedule.',
    access: 'session',
    versioned: true,
    params: ById,
    body: Schedule,
    bodyBytes: LIST_BODY_BYTES,
    answer: ReportSchedule,
  },
  schedules: {
    method: 'GET',
    path: '/groups/listScheduledReports/{companyId}',
    summary:
      'Schedules of a company as far as the visitor sees them, oldest first: all of them, or a page where `skip` or `limit` is given.',
    access: 'session',
    params: ByCompany,
    query: Page,
    answer: array(ReportSchedule),
  },
  deleteSchedule: {
    method: 'DELETE',
    path: '/groups/deleteScheduleReport/{id}',
    summary: 'Delete a schedule.',
    access: 'session',
    params: ById,
    answer: Message,
  },
})

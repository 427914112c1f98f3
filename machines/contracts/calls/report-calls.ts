import { array, enums, object, type as open, optional, size, string } from 'superstruct'
import {
  ReportLogEntry,
  ReportSchedule,
  SCHEDULE_OPTIONS,
  ScheduledReportType,
  ScheduleInterval,
} from '../entities/reports.ts'
import { Email, Finite, Id, Imei, Line, ViolationType } from '../scalars.ts'
import { calls, Interval, OpaqueToken } from './call.ts'

const ByCompany = object({ companyId: Id })
const ByGroupAndCompany = object({ groupId: Id, companyId: Id })
const ById = object({ id: Id })
const Message = open({ message: string() })
/** A report request was taken; the report itself comes later, in the log. */
const Accepted = open({ _id: Id, message: string() })

const selection = { things: array(Imei), groups: array(Id), ...Interval.schema }
const Schedule = object({
  groups: size(array(Id), 1, 10_000),
  vehicles: size(array(Imei), 1, 200_000),
  interval: ScheduleInterval,
  emails: size(array(Email), 1, 100),
  reportTypes: size(array(ScheduledReportType), 1, 30),
  ...SCHEDULE_OPTIONS,
})

export const REPORT_CALLS = calls({
  companyReports: {
    method: 'GET',
    path: '/groups/{groupId}/company/{companyId}/reports',
    summary: 'The report log of a group.',
    access: 'session',
    params: ByGroupAndCompany,
    answer: array(ReportLogEntry),
  },
  requestReport: {
    method: 'POST',
    path: '/groups/{groupId}/company/{companyId}/reports',
    summary: 'Ask for a report; an event report names the types of violations.',
    access: 'session',
    params: ByGroupAndCompany,
    body: object({
      ...selection,
      reportType: optional(Line),
      type: optional(array(enums(['ALL', ...Object.values(ViolationType.schema)]))),
      minDistance: optional(Finite),
    }),
    answer: Accepted,
    status: 202,
  },
  requestObservationReport: {
    method: 'POST',
    path: '/groups/{groupId}/company/{companyId}/reports/observationReport',
    summary: 'Ask for an observation report. `vehicels` is spelled as the documents spell it.',
    access: 'session',
    params: ByGroupAndCompany,
    body: object({ vehicels: size(array(Imei), 1, 200_000), interval: Interval }),
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
    answer: Accepted,
    status: 202,
  },
  reportLog: {
    method: 'GET',
    path: '/reports/logs/{companyId}',
    summary: 'The report log of a company, as far as the visitor sees it.',
    access: 'session',
    params: ByCompany,
    answer: array(ReportLogEntry),
  },
  scheduleReport: {
    method: 'POST',
    path: '/groups/scheduleReport',
    summary: 'Schedule a recurring report.',
    access: 'session',
    body: Schedule,
    answer: ReportSchedule,
    status: 201,
  },
  updateSchedule: {
    method: 'PUT',
    path: '/groups/scheduleReport/{id}',
    summary: 'Change a schedule.',
    access: 'session',
    params: ById,
    body: Schedule,
    answer: ReportSchedule,
  },
  schedules: {
    method: 'GET',
    path: '/groups/listScheduledReports/{companyId}',
    summary: 'Schedules of a company, as far as the visitor sees them.',
    access: 'session',
    params: ByCompany,
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

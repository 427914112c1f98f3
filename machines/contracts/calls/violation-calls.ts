import { object, optional, size, string } from 'superstruct'
import { ViolationChart, ViolationSummary, ViolationTimes } from '../entities/violations.ts'
import { Id, ImeiOrAll, listOf, ViolationType, WritableInstant } from '../scalars.ts'
import { AsOf } from './as-of.ts'
import { calls, Interval, LIST_BODY_BYTES, oneOrMore } from './call.ts'

const ByGroup = object({ groupId: Id })

/** How often, how long and how far devices were beyond their limits. */
export const VIOLATION_CALLS = calls({
  violationStats: {
    method: 'POST',
    path: '/groups/{groupId}/violationstats',
    repeatable: true,
    summary:
      "Violations per device that had any. `devices`: imeis, or ALL (as where it is left out): the group's and those below.",
    access: 'session',
    params: ByGroup,
    query: AsOf,
    body: object({
      devices: optional(oneOrMore(listOf(ImeiOrAll, 200_000))),
      violations: listOf(ViolationType, 4),
      startDate: WritableInstant,
      endDate: WritableInstant,
    }),
    bodyBytes: LIST_BODY_BYTES,
    answer: ViolationChart,
  },
  violationTimes: {
    method: 'POST',
    path: '/groups/{groupId}/violation-times',
    repeatable: true,
    summary:
      'How long and how far devices were beyond their limits, by kind, hour of the day, day, place and device. `timeZone`: whose days and hours, e.g. Asia/Karachi; at most 400 days.',
    access: 'session',
    params: ByGroup,
    query: AsOf,
    body: object({
      devices: optional(oneOrMore(listOf(ImeiOrAll, 200_000))),
      violations: listOf(ViolationType, 4),
      startDate: WritableInstant,
      endDate: WritableInstant,
      timeZone: size(string(), 1, 64),
    }),
    bodyBytes: LIST_BODY_BYTES,
    answer: ViolationTimes,
  },
  summaryChart: {
    method: 'POST',
    path: '/groups/{groupId}/summaryChart',
    repeatable: true,
    summary: 'Devices with violations against devices without.',
    access: 'session',
    params: ByGroup,
    query: AsOf,
    body: Interval,
    answer: ViolationSummary,
  },
})

import { ALARM_HEALTH_CALLS } from './calls/alarm-health-calls.ts'
import { AS_OF_CALLS } from './calls/as-of-calls.ts'
import { AUTH_CALLS } from './calls/auth-calls.ts'
import type { AnswerOf, BodyOf, Call, ParamsOf, QueryOf, RequestOf } from './calls/call.ts'
import { CASE_CALLS } from './calls/case-calls.ts'
import { COMPANY_CALLS } from './calls/company-calls.ts'
import { DEVICE_CALLS } from './calls/device-calls.ts'
import { EVENT_CALLS } from './calls/event-calls.ts'
import { GROUP_CALLS } from './calls/group-calls.ts'
import { INGEST_CALLS } from './calls/ingest-calls.ts'
import { LIMITS_TRIAL_CALLS } from './calls/limits-trial-calls.ts'
import { LOAD_CALLS } from './calls/load-calls.ts'
import { NOTIFICATION_CALLS } from './calls/notification-calls.ts'
import { PROFILE_CALLS } from './calls/profile-calls.ts'
import { REGISTRATION_CALLS } from './calls/registration-calls.ts'
import { REPORT_CALLS } from './calls/report-calls.ts'
import { SEAL_CALLS } from './calls/seal-calls.ts'
import { SERVER_CALLS } from './calls/server-calls.ts'
import { SHARE_CALLS } from './calls/share-calls.ts'
import { SHIFT_CALLS } from './calls/shift-calls.ts'
import { USER_CALLS } from './calls/user-calls.ts'
import { VIEW_CALLS } from './calls/view-calls.ts'
import { VIOLATION_CALLS } from './calls/violation-calls.ts'

/**
 * Every call of the server, by name. Server routes, the portal's client and OpenAPI are derived from it.
 * Not all are answered yet: those that are not answer 404 and are not in OpenAPI.
 */
export const CALLS = {
  ...AUTH_CALLS,
  ...USER_CALLS,
  ...DEVICE_CALLS,
  ...AS_OF_CALLS,
  ...REGISTRATION_CALLS,
  ...SHARE_CALLS,
  ...VIEW_CALLS,
  ...GROUP_CALLS,
  ...REPORT_CALLS,
  ...SEAL_CALLS,
  ...NOTIFICATION_CALLS,
  ...CASE_CALLS,
  ...SHIFT_CALLS,
  ...VIOLATION_CALLS,
  ...PROFILE_CALLS,
  ...LOAD_CALLS,
  ...ALARM_HEALTH_CALLS,
  ...LIMITS_TRIAL_CALLS,
  ...INGEST_CALLS,
  ...EVENT_CALLS,
  ...COMPANY_CALLS,
  ...SERVER_CALLS,
} as const satisfies Record<string, Call>

export type CallName = keyof typeof CALLS

/** What the calls are about, as their description sorts them: those for other systems first. */
export const CALL_SUBJECTS: readonly { name: string; description: string; calls: Record<string, Call> }[] = [
  { name: 'Readings', description: 'Sent by trackers and gateways, with a key.', calls: INGEST_CALLS },
  { name: 'Events', description: 'Followed by other systems, with a key.', calls: EVENT_CALLS },
  { name: 'Access', description: 'Signing in, sessions, passwords.', calls: AUTH_CALLS },
  { name: 'Devices', description: 'Vehicles and warehouses, newest and past readings.', calls: DEVICE_CALLS },
  { name: 'As of', description: 'What was shown at any minute before.', calls: AS_OF_CALLS },
  {
    name: 'Registration',
    description: 'Adding devices, one by one or by lists; their trackers.',
    calls: REGISTRATION_CALLS,
  },
  {
    name: 'Shared',
    description: 'Links to one device in one span, for whoever holds them.',
    calls: SHARE_CALLS,
  },
  { name: 'Views', description: 'Pages saved by name.', calls: VIEW_CALLS },
  {
    name: 'Groups',
    description: 'The tree of groups and their limits.',
    calls: { ...GROUP_CALLS, ...LIMITS_TRIAL_CALLS },
  },
  { name: 'Users', description: 'People, and what they are notified of.', calls: USER_CALLS },
  {
    name: 'Notifications',
    description: 'Violations and what people say of them.',
    calls: { ...NOTIFICATION_CALLS, ...CASE_CALLS, ...SHIFT_CALLS, ...ALARM_HEALTH_CALLS },
  },
  {
    name: 'Violations',
    description: 'How often, how long and how far devices were beyond their limits.',
    calls: VIOLATION_CALLS,
  },
  {
    name: 'Loads',
    description: 'Goods on devices, what they may be exposed to, and how much of that is used.',
    calls: { ...LOAD_CALLS, ...PROFILE_CALLS },
  },
  { name: 'Reports', description: 'Asked for, made, scheduled.', calls: REPORT_CALLS },
  { name: 'Seals', description: 'What shows that the record is what it was.', calls: SEAL_CALLS },
  { name: 'Companies', description: 'Set up by super admins; keys of other systems.', calls: COMPANY_CALLS },
  { name: 'Server', description: 'Its clock, this description.', calls: SERVER_CALLS },
]
export type Params<N extends CallName> = ParamsOf<(typeof CALLS)[N]>
export type Query<N extends CallName> = QueryOf<(typeof CALLS)[N]>
export type Body<N extends CallName> = BodyOf<(typeof CALLS)[N]>
export type Answer<N extends CallName> = AnswerOf<(typeof CALLS)[N]>
/** `{ params, query, body }` of a call, as far as it has them. */
export type Request<N extends CallName> = RequestOf<(typeof CALLS)[N]>

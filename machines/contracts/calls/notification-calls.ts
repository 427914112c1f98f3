import {
  array,
  assign,
  boolean,
  integer,
  object,
  type as open,
  optional,
  size,
  string,
  union,
} from 'superstruct'
import { describedAs } from '../described.ts'
import { Desk, Glance, Incident, Shelving } from '../entities/incidents.ts'
import { Comment, Notification, NotificationType, NotificationWhy } from '../entities/notifications.ts'
import { Count, Id, Imei, IncidentKind, listOf, Seq } from '../scalars.ts'
import { AsOf } from './as-of.ts'
import { calls, Interval, LIST_BODY_BYTES } from './call.ts'

const ByGroup = object({ groupId: Id })
const ByKind = object({ imei: Imei, type: IncidentKind })
/** The notification that tells of it, or the device that is lost: of silence there is no notification. */
const CaredFor = describedAs(union([Notification, Incident]), Notification, Incident)

export const NOTIFICATION_CALLS = calls({
  notifications: {
    method: 'POST',
    path: '/groups/{groupId}/notifications',
    repeatable: true,
    summary: 'Notifications of a group, newest first.',
    access: 'session',
    params: ByGroup,
    query: AsOf,
    body: object({
      ...Interval.schema,
      skip: optional(Count),
      limit: optional(Count),
      things: optional(listOf(Imei, 200_000)),
      types: optional(listOf(NotificationType, 8)),
    }),
    /** `unread`: of all that the visitor sees; `seq`: what is said is as of there, live facts go on from it */
    bodyBytes: LIST_BODY_BYTES,
    answer: open({
      notifications: array(Notification),
      notificationsCount: Count,
      hasMore: boolean(),
      unread: Count,
      seq: Seq,
    }),
  },
  comment: {
    method: 'POST',
    path: '/users/notifications/{id}/comments',
    summary: 'Comment on a notification; answers all its comments.',
    access: 'session',
    params: object({ id: Id }),
    body: object({ comment: size(string(), 1, 2000) }),
    answer: array(Comment),
    status: 201,
  },
  acknowledge: {
    method: 'POST',
    path: '/users/notifications/{id}/acknowledge',
    summary:
      'Take care of the violation a notification tells of, or of a lost device; 409 says who does already.',
    access: 'session',
    params: object({ id: Id }),
    body: object({ comment: optional(size(string(), 0, 2000)), reason: optional(size(string(), 0, 200)) }),
    answer: CaredFor,
  },
  incidents: {
    method: 'GET',
    path: '/groups/{groupId}/incidents',
    summary:
      'Violations and lost devices of a group that last, those over in the last 24 h, who has them, and what is shelved. Of devices that are lost and nobody has, the newest 500 are listed.',
    access: 'session',
    params: ByGroup,
    query: AsOf,
    /** `seq`: what is said is as of there, live facts go on from it */
    answer: assign(Desk, open({ seq: Seq })),
  },
  glances: {
    method: 'POST',
    path: '/things/glances',
    summary:
      'Where devices are in words, and their last three hours thinned for a small line; at most 40 at once.',
    access: 'session',
    repeatable: true,
    query: AsOf,
    body: object({ things: listOf(Imei, 40) }),
    answer: array(Glance),
  },
  take: {
    method: 'POST',
    path: '/users/notifications/{id}/take',
    summary: 'Have the violation a notification tells of, or a lost device, from now on, whoever had it.',
    access: 'session',
    setsState: true,
    params: object({ id: Id }),
    answer: CaredFor,
  },
  release: {
    method: 'POST',
    path: '/users/notifications/{id}/release',
    summary: 'Give up a violation or a lost device that one has: nobody has it then.',
    access: 'session',
    setsState: true,
    params: object({ id: Id }),
    answer: CaredFor,
  },
  shelve: {
    method: 'POST',
    path: '/things/{imei}/violations/{type}/shelve',
    summary:
      'Silence incidents of one kind of a device for 1 to 1,440 minutes: recorded and listed, and nobody is notified. What lasts after it is alerted once more.',
    access: 'session',
    setsState: true,
    params: ByKind,
    body: object({ minutes: size(integer(), 1, 24 * 60), reason: size(string(), 1, 200) }),
    answer: Shelving,
  },
  unshelve: {
    method: 'POST',
    path: '/things/{imei}/violations/{type}/unshelve',
    summary: 'End a silence early; what lasts is alerted once more.',
    access: 'session',
    setsState: true,
    params: ByKind,
    answer: open({ message: string() }),
  },
  why: {
    method: 'GET',
    path: '/users/notifications/{id}/why',
    summary: 'Why there is a violation: readings, threshold, and who was notified.',
    access: 'session',
    params: object({ id: Id }),
    query: AsOf,
    answer: NotificationWhy,
  },
})

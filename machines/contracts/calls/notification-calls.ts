import { array, boolean, object, type as open, optional, size, string } from 'superstruct'
import { Comment, Notification, NotificationType } from '../entities/notifications.ts'
import { ViolationChart, ViolationSummary } from '../entities/violations.ts'
import { Count, Id, Imei, ViolationType } from '../scalars.ts'
import { calls, Interval } from './call.ts'

const ByGroup = object({ groupId: Id })

export const NOTIFICATION_CALLS = calls({
  notifications: {
    method: 'POST',
    path: '/groups/{groupId}/notifications',
    summary: 'Notifications of a group, newest first.',
    access: 'session',
    params: ByGroup,
    body: object({
      ...Interval.schema,
      skip: optional(Count),
      limit: optional(Count),
      things: optional(array(Imei)),
      types: optional(array(NotificationType)),
    }),
    answer: open({ notifications: array(Notification), notificationsCount: Count, hasMore: boolean() }),
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
  violationStats: {
    method: 'POST',
    path: '/groups/{groupId}/violationstats',
    summary: 'Violations per device.',
    access: 'session',
    params: ByGroup,
    body: object({ devices: array(Imei), violations: array(ViolationType), ...Interval.schema }),
    answer: ViolationChart,
  },
  summaryChart: {
    method: 'POST',
    path: '/groups/{groupId}/summaryChart',
    summary: 'Devices with violations against devices without.',
    access: 'session',
    params: ByGroup,
    body: Interval,
    answer: ViolationSummary,
  },
})

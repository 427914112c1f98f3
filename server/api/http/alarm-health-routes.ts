import { alarmHealth } from '../../read-models/alarm-health.ts'
import type { HttpContext } from './context.ts'

type Deps = Pick<HttpContext, 'answerCall' | 'clock' | 'visible' | 'store' | 'readModels' | 'notifications'>

/** Whether the alarms of a group can be worked with. */
export function alarmHealthRoutes({ answerCall, clock, visible, ...reading }: Deps): void {
  answerCall('alarmHealth', ({ params, query, visitor }) =>
    alarmHealth(reading, {
      groupId: visible.group(visitor, params.groupId)._id,
      days: query.days,
      now: clock.now(),
    }),
  )
}

import { object } from 'superstruct'
import { AlarmHealth } from '../entities/alarm-health.ts'
import { Id } from '../scalars.ts'
import { calls, whole } from './call.ts'

/** Days that are counted at most. */
export const HEALTH_DAYS = 31

export const ALARM_HEALTH_CALLS = calls({
  alarmHealth: {
    method: 'GET',
    path: '/groups/{groupId}/alarm-health',
    summary:
      'How many alarms a group was sent, in slots of ten minutes: floods, the worst devices, chatter, what is open for long, how soon they are acknowledged, and of whom. `days`: of so many days, 7 where left out; weeks are the last eight.',
    access: 'session',
    params: object({ groupId: Id }),
    query: object({ days: whole(1, HEALTH_DAYS, 7) }),
    answer: AlarmHealth,
  },
})

import { object } from 'superstruct'
import { ShiftSummary } from '../entities/shift.ts'
import { Id, WritableInstant } from '../scalars.ts'
import { calls } from './call.ts'

/** So far back one may ask, days. */
export const SHIFT_DAYS = 31
export const TOO_LONG_AGO = `At most ${SHIFT_DAYS} days back`
export const TOO_MUCH_HAPPENED =
  'More happened since then than can be summed up at once. Choose a later time.'

export const SHIFT_CALLS = calls({
  shiftSummary: {
    method: 'GET',
    path: '/groups/{groupId}/shift',
    summary:
      'What happened in a group since a time: what came up, what of it lasts, what is over, devices lost, and what people did and changed. By when it was recorded, at most 31 days back.',
    access: 'session',
    params: object({ groupId: Id }),
    query: object({ since: WritableInstant }),
    answer: ShiftSummary,
  },
})

import { any, object } from 'superstruct'
import { FLEET_CONTENT_TYPE } from '../fleet-snapshot.ts'
import { Instant } from '../scalars.ts'
import { calls } from './call.ts'

/** What is said of a time that has not come, and of one of which nothing is kept. */
export const STILL_TO_COME = 'That is still to come'
export const NOTHING_KEPT = 'Nothing was kept yet'

export const AS_OF_CALLS = calls({
  fleetAsOf: {
    method: 'GET',
    path: '/asof',
    summary:
      'The fleet as it was shown at a time: names, groups, limits, newest readings, status and violations as they were known then, of what the visitor may see now. It stands at the last whole minute that was kept; `now` of its head says which.',
    access: 'session',
    query: object({ at: Instant }),
    answer: any(),
    media: FLEET_CONTENT_TYPE,
  },
})

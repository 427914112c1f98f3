import { any, enums, type Infer, object, optional } from 'superstruct'
import { FLEET_CONTENT_TYPE } from '../fleet-snapshot.ts'
import { Instant } from '../scalars.ts'
import { calls } from './call.ts'

/** What is said of a time that has not come, and of one of which nothing is kept. */
export const STILL_TO_COME = 'That is still to come'
export const NOTHING_KEPT = 'Nothing was kept yet'

/** Two views of a time that is past: as it was shown then, or as it is known now to have been, with what came late. */
export const AsOfView = enums(['then', 'now'])
export type AsOfView = Infer<typeof AsOfView>

export const AS_OF_CALLS = calls({
  fleetAsOf: {
    method: 'GET',
    path: '/asof',
    summary:
      'The fleet at a time, of what the visitor may see today. `then`: names, groups, limits, newest readings, status and violations as they were shown; `now`: as they are known now to have been, with what came late. It stands at a whole minute, `then` at the last one that was kept; `now` of its head says which.',
    access: 'session',
    query: object({ at: Instant, view: optional(AsOfView) }),
    answer: any(),
    media: FLEET_CONTENT_TYPE,
  },
})

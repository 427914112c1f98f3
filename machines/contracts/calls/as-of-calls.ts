import { any, array, enums, type Infer, nullable, object, optional, type } from 'superstruct'
import { FLEET_CONTENT_TYPE } from '../fleet-snapshot.ts'
import { Count, IsoInstant, WritableInstant } from '../scalars.ts'
import { AsOfView } from './as-of.ts'
import { calls } from './call.ts'

/** What is said of a time that has not come, and of one of which nothing is kept. */
export const STILL_TO_COME = 'That is still to come'
export const NOTHING_KEPT = 'Nothing was kept yet'

const AsOfOverview = type({
  from: nullable(IsoInstant),
  framesFrom: IsoInstant,
  opened: array(Count),
})
export type AsOfOverview = Infer<typeof AsOfOverview>

export const AS_OF_CALLS = calls({
  fleetAsOf: {
    method: 'GET',
    path: '/asof',
    summary:
      'The fleet at a time, of what the visitor may see today. `then`: names, groups, limits, newest readings, status and violations as they were shown; `now`: as they are known now to have been, with what came late. It stands at a whole minute, `then` at the last one that was kept; `now` of its head says which.',
    access: 'session',
    query: object({ at: WritableInstant, view: optional(AsOfView) }),
    answer: any(),
    media: FLEET_CONTENT_TYPE,
  },
  asOfOverview: {
    method: 'GET',
    path: '/asof/overview',
    summary:
      'How far back the fleet can be looked at, at most 31 days. `from`: null where nothing was kept yet; before `framesFrom` how it was shown was not kept, and both views are what is known now; `opened`: violations of what the visitor sees that opened in each hour from `from` on, as they are known now.',
    access: 'session',
    answer: AsOfOverview,
  },
  asOfEvent: {
    method: 'GET',
    path: '/asof/event',
    summary:
      'The last whole minute before a time, or the first after it, that is the first to show that a violation opened or was over: `then` when that was published, `now` when it was; null: there is none in the last 31 days.',
    access: 'session',
    query: object({ at: WritableInstant, view: optional(AsOfView), direction: enums(['before', 'after']) }),
    answer: type({ at: nullable(IsoInstant) }),
  },
})

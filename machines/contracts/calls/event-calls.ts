import { array, boolean, object, type as open } from 'superstruct'
import { named } from '../described.ts'
import { PublicEvent } from '../events.ts'
import { Seq } from '../scalars.ts'
import { calls, whole } from './call.ts'

const Event = named<PublicEvent>('Event', () => PublicEvent)

/** Seconds a call may wait for the next event: less than proxies do for an answer. */
export const LONGEST_WAIT = 25

export const EVENT_CALLS = calls({
  events: {
    method: 'GET',
    path: '/events',
    summary:
      "What happened to a company's devices, violations, loads, groups and reports after a position, oldest first. Ask again with `after` set to `next`; with `wait`, an answer without events comes after so many seconds at the latest.",
    access: 'device-key',
    query: object({
      after: whole(0, Number.MAX_SAFE_INTEGER, 0),
      limit: whole(1, 1000, 100),
      wait: whole(0, LONGEST_WAIT, 0),
    }),
    answer: open({ events: array(Event), next: Seq, hasMore: boolean() }),
  },
})

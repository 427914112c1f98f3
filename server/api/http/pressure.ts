import type { FastifyUnderPressureOptions } from '@fastify/under-pressure'
import { ApiError } from './refusals.ts'

/** How far the event loop may be behind, ms: an answer that comes later than this is not waited for. */
const MOST_BEHIND = 5000

/** Requests are refused while the server is so far behind that nobody would wait for the answer. */
export const PRESSURE: FastifyUnderPressureOptions = {
  maxEventLoopDelay: MOST_BEHIND,
  async pressureHandler(_, __, ___, behind) {
    // after a long breath there may be no measurement at all, which reads as infinitely late: nothing is known then
    if (behind === Number.POSITIVE_INFINITY) return
    throw new ApiError(503, 'Not available now, try again shortly', {}, { 'retry-after': '5' })
  },
}

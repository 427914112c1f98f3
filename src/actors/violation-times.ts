import { VIOLATION_CALLS } from '#machines/contracts/calls/violation-calls.ts'
import type { ViolationTimes } from '#machines/contracts/entities/violations.ts'
import type { ValidFilter } from '#machines/violation-search/violation-search.machine.ts'
import { zoneName } from '../format/time.ts'
import { type KeptAnswer, useKept } from './use-kept-answer.ts'
import { useRoot } from './use-root.ts'
import { bodyOf } from './violation-search.ts'

/**
 * How long and how far devices were beyond their limits, by a filter.
 * @param at when what is shown beside it was asked for, epoch ms: with each of it this is asked for too
 */
export function useViolationTimes(filter: ValidFilter, at: number): KeptAnswer<ViolationTimes> {
  const { http } = useRoot()
  const about = JSON.stringify(filter)
  return useKept({
    key: `${about} ${at}`,
    about,
    isBackground: true,
    request: (options) =>
      http.ask(
        VIOLATION_CALLS.violationTimes,
        {
          params: { groupId: filter.groupId },
          body: { ...bodyOf(filter), timeZone: zoneName },
        },
        options,
      ),
  })
}

import { FILTER_DAYS, lastDays } from '#machines/rules/date-range.ts'
import type { ValidFilter } from '#machines/violation-search/violation-search.machine.ts'
import { zoneName } from '../../format/time.ts'
import { KINDS } from './kinds.ts'

/** What is asked for at first: everything of a group, of the last day. */
export const lastDayOf = (groupId: string, now: number): ValidFilter => ({
  groupId,
  devices: 'all',
  violations: KINDS.map(({ type }) => type),
  range: lastDays(FILTER_DAYS, now, zoneName),
})

import type { ViolationType } from '../contracts/scalars.ts'
import { dateRangeFaults, type TypedRange } from './date-range.ts'
import { type Fault, firstFaults } from './plain-text.ts'

/** Whose violations are counted, which and of when; as it was picked and typed. */
export type ViolationFilter = {
  groupId: string
  /** imeis; `'all'`: of every device of the group and those below it */
  devices: 'all' | readonly string[]
  violations: readonly ViolationType[]
  range: TypedRange
}

export type FilterField = 'violations' | 'from' | 'to' | 'devices'

/** What is wrong with a filter in the documents' words, one fault a field, in the order of the form. */
export function violationFilterFaults(
  { devices, violations, range }: ViolationFilter,
  now: number,
  zone: string,
): Fault<FilterField>[] {
  return [
    ...firstFaults<FilterField>([['violations', 'Please select violations', violations.length === 0]]),
    ...dateRangeFaults(range, now, zone),
    ...firstFaults<FilterField>([['devices', 'Please select Devices', devices.length === 0]]),
  ]
}

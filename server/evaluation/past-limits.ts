import type { Fact } from '#machines/contracts/facts.ts'
import { type DeviceLimits, evolveLimits, type LimitsTable } from './limits.ts'

/** What a device was evaluated by before its limits changed at `until`, epoch ms. */
type Before = { until: number; limits: DeviceLimits }

/** By device number, of devices whose limits ever changed: what they were before each change, ascending. */
export type PastLimits = Map<number, Before[]>

/** Folds a fact into the limits, and keeps what they were before. @returns the devices whose limits changed */
export function changeLimits(table: LimitsTable, past: PastLimits, fact: Fact): number[] {
  const before = limitsBefore(table, fact)
  const changed = evolveLimits(table, fact)
  if (before !== undefined) for (const no of changed) keep(past, no, { until: fact.at, limits: before })
  return changed
}

/** The limits of a device that were in force at `at`; undefined for one that is not known. */
export function limitsAt(
  table: LimitsTable,
  past: PastLimits,
  no: number,
  at: number,
): DeviceLimits | undefined {
  return past.get(no)?.find(({ until }) => at < until)?.limits ?? table.devices[no]
}

/** Whether the limits of a device changed after `from` and not after `to`. */
export function changedBetween(past: PastLimits, no: number, from: number, to: number): boolean {
  return past.get(no)?.some(({ until }) => until > from && until <= to) ?? false
}

/** A copy: those of a group are changed in place. */
function limitsBefore(table: LimitsTable, { type, data }: Fact): DeviceLimits | undefined {
  const limits =
    type === 'group.updated' || type === 'group.evaluation-set'
      ? table.groups.get(data.groupId)?.limits
      : type === 'device.updated'
        ? table.devices[table.numbers.get(data.imei) ?? -1]
        : undefined
  return limits && { ...limits }
}

function keep(past: PastLimits, no: number, before: Before): void {
  const known = past.get(no)
  if (known === undefined) past.set(no, [before])
  else known.push({ ...before, until: Math.max(before.until, known.at(-1)?.until ?? 0) })
}

import type { ReadingColumns } from '#machines/contracts/readings.ts'
import type { Device } from '#machines/projections/directory.ts'
import { keptFrom } from '#machines/rules/retention.ts'
import type { HttpContext } from './context.ts'

/** Readings of a device with from ≤ at < to that its company keeps: what is over is not shown, whether it is dropped by now or not. */
export type KeptHistory = (
  device: Pick<Device, 'no' | 'companyId'>,
  from: number,
  to: number,
) => Promise<ReadingColumns>

export function createKeptHistory({
  store,
  readModels: { directory },
  clock,
}: Pick<HttpContext, 'store' | 'readModels' | 'clock'>): KeptHistory {
  return ({ no, companyId }, from, to) => {
    const first = keptFrom(directory.companies.get(companyId)?.retentionDays ?? null, clock.now())
    return store.telemetry.history(no, Math.min(Math.max(from, first), to), to)
  }
}

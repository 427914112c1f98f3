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

type Deps = Pick<HttpContext, 'store' | 'readModels' | 'clock'>

/** What is no longer kept is cut off, not refused: a span that lies before it answers no readings. */
export function createKeptHistory(deps: Deps): KeptHistory {
  return (device, from, to) => {
    const first = firstKept(deps, device)
    return deps.store.telemetry.history(device.no, Math.min(Math.max(from, first), to), to)
  }
}

/** The first moment whose readings the company of a device keeps, epoch ms. */
export const firstKept = (
  { readModels: { directory }, clock }: Pick<Deps, 'readModels' | 'clock'>,
  { companyId }: Pick<Device, 'companyId'>,
): number => keptFrom(directory.companies.get(companyId)?.retentionDays ?? null, clock.now())

import type { DeviceHistory } from '#machines/contracts/entities/devices.ts'
import { boundsOf } from '#machines/projections/bounds.ts'
import type { Device } from '#machines/projections/directory.ts'
import type { DateRange } from '#machines/rules/date-range.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { DamagedSpan } from '../../store/damage.ts'
import type { Store } from '../../store/store.ts'
import { thinHistory } from './thin-history.ts'
import { pointAt } from './thing-answer.ts'
import { thresholdsOf } from './thresholds-of.ts'

type Deps = {
  store: Pick<Store, 'telemetry' | 'damage'>
  readModels: Pick<ReadModels, 'directory' | 'latest'>
}

/** What a device measured in a span, both ends included, thinned to about `maxPoints` where given; `latest`: its newest reading of all. */
export async function historyAnswer(
  { store, readModels: { directory, latest } }: Deps,
  device: Device,
  { from, to }: DateRange,
  maxPoints: number | undefined,
): Promise<DeviceHistory> {
  const columns = await store.telemetry.history(device.no, from, to + 1)
  const thresholds = thresholdsOf(directory, device)
  const rows =
    maxPoints === undefined
      ? Uint32Array.from({ length: columns.length }, (_, i) => i)
      : thinHistory(columns, maxPoints, thresholds)
  const isHeard = (latest.readings.at[device.no] ?? 0) > 0
  return {
    points: Array.from(rows, (i) => pointAt(columns, i)),
    latest: isHeard ? pointAt(latest.readings, device.no) : null,
    thresholds: { ...thresholds, ...boundsOf(directory, device.companyId) },
    ...damaged(store.damage.spansOf(device.no, from, to + 1)),
  }
}

/** Spans without readings because they are damaged; left out where there are none. */
function damaged(spans: readonly DamagedSpan[]): { damaged?: { from: string; to: string }[] } {
  if (spans.length === 0) return {}
  return {
    damaged: spans.map(({ from, to }) => ({
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
    })),
  }
}

import type { ReadingColumns, ReadingField } from '#machines/contracts/readings.ts'
import { READING_FIELDS } from '#machines/contracts/readings.ts'
import type { ReportDevice } from '../order.ts'
import type { Making } from './making.ts'

const DAY = 86_400_000
/** The last word of a device is looked for so far before the time of the order, days; what is older is not known to a report. */
export const LOOK_BACK_DAYS = 31

/**
 * Each device with its readings of the order's time and of the days before it: one day, or where nothing was heard in
 * that, all that is looked back. So the first row is from before the order's time wherever there was a word.
 */
export async function* devicesWithLastWord(
  making: Making,
): AsyncGenerator<{ device: ReportDevice; readings: ReadingColumns }> {
  const { from, to } = making.order
  for await (const { device, readings } of making.devices(DAY)) {
    const isHeardBefore = readings.length > 0 && (readings.at[0] as number) < from
    yield {
      device,
      readings: isHeardBefore
        ? readings
        : await making.source.readings(device.no, from - LOOK_BACK_DAYS * DAY, to),
    }
  }
}

/** The newest row that tells this, not older than `since`; -1: none does. */
export function newestRow(
  readings: ReadingColumns,
  field: ReadingField,
  since = Number.NEGATIVE_INFINITY,
): number {
  const values = readings[field]
  const { missing } = READING_FIELDS[field]
  for (let i = readings.length - 1; i >= 0 && (readings.at[i] as number) >= since; i--)
    if (values[i] !== missing) return i
  return -1
}

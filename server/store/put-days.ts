import { DAY, encodeChunk } from './chunks/chunk.ts'
import { inOrder } from './hot-tail.ts'
import { inSlices } from './slices.ts'
import { checkStorable } from './storable.ts'
import type { DayReadings } from './store.ts'

/** A device's day as it is stored; `newestAt`: -1 where it has no readings. */
export type EncodedDay = DayReadings & { bytes: Uint8Array; newestAt: number }

/**
 * Encodes device days; others get their turn after each `sliceMs`.
 * @throws RangeError for readings of another device or day
 */
export async function encodeDays(days: readonly DayReadings[], sliceMs: number): Promise<EncodedDay[]> {
  const encoded: EncodedDay[] = []
  await inSlices(days, sliceMs, ({ device, day, readings: given }) => {
    checkDay({ device, day, readings: given })
    const readings = inOrder(given)
    const newestAt = readings.length === 0 ? -1 : (readings.at[readings.length - 1] as number)
    encoded.push({ device, day, readings, bytes: encodeChunk(readings), newestAt })
  })
  return encoded
}

function checkDay({ device, day, readings }: DayReadings): void {
  checkStorable(readings)
  for (let i = 0; i < readings.length; i++) {
    const at = readings.at[i] as number
    if (readings.device[i] !== device || !(at >= day * DAY && at < (day + 1) * DAY))
      throw new RangeError(
        `a reading of device ${readings.device[i]} at ${at} is not of device ${device}, day ${day}`,
      )
  }
}

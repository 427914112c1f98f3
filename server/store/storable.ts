import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { DAY } from './chunks/chunk.ts'

/** Device numbers a store can hold; keys have room for 22 bits. */
export const DEVICES = 2 ** 22
/** Days since 1970 it can hold: until the year 2059. */
export const DAYS = 2 ** 15

/** @throws RangeError for a device number or time that no store can hold */
export function checkStorable({ length, device, at }: ReadingColumns): void {
  for (let i = 0; i < length; i++) {
    if ((device[i] as number) >= DEVICES) throw new RangeError(`device ${device[i]} is beyond ${DEVICES}`)
    const time = at[i] as number
    if (!(time >= 0 && time < DAYS * DAY)) throw new RangeError(`no reading can be stored at ${time}`)
  }
}

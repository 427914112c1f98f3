import { is } from 'superstruct'
import { TimeOfDay } from '../contracts/entities/reports.ts'
import { READING_FIELDS, type ReadingColumns } from '../contracts/readings.ts'
import { type DrivingDay, drivingDays } from './driving-days.ts'
import { endOfDay, instantOf, startOfDay, wallTime } from './zoned-time.ts'

/** The part of each day that counts, HH:mm of the zone. An end of 00:00 is the midnight the day ends with. */
export type PartOfDay = { startTime: string; endTime: string }

/** [from, to), epoch ms. */
export type Part = { from: number; to: number }

export const WHOLE_DAY: PartOfDay = { startTime: '00:00', endTime: '00:00' }

/** A time of day as it was typed, brought to HH:mm: 8:00, 8.00 and 800 are 08:00. What is none stays as it is. */
export function timeOfDay(typed: string): string {
  const [, hour = '', minute = ''] = /^\s*(\d{1,2})[:.]?(\d\d)\s*$/.exec(typed) ?? []
  const time = `${hour.padStart(2, '0')}:${minute}`
  return is(time, TimeOfDay) ? time : typed
}

/** Whether the part has an end after its start: one across midnight would be of two days. */
export const isPartOfDay = ({ startTime, endTime }: PartOfDay): boolean =>
  endTime === WHOLE_DAY.endTime || startTime < endTime

/**
 * Its part of each day, cut to what there is of the day; none of a day that has nothing of it.
 * @param starts where days begin, with the end of the last (`dayStarts`)
 */
export function partsOfDays(starts: Float64Array, zone: string, part: PartOfDay): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < starts.length - 1; i++) {
    const [first, last] = [starts[i] as number, starts[i + 1] as number]
    const end =
      part.endTime === WHOLE_DAY.endTime ? endOfDay(first, zone) + 1 : clockOf(first, part.endTime, zone)
    const from = Math.max(first, clockOf(first, part.startTime, zone))
    const to = Math.min(last, end)
    if (from < to) parts.push({ from, to })
  }
  return parts
}

/** What a device did in each of these parts, which are in order and apart: way and time are shared at their ends. */
export function drivingParts(columns: ReadingColumns, parts: readonly Part[], gapMs: number): DrivingDay[] {
  const bounds = [0, ...parts.flatMap(({ from, to }) => [from, to]), Number.POSITIVE_INFINITY]
  return drivingDays(columns, Float64Array.from(bounds), gapMs).filter((_, i) => i % 2 === 1)
}

/** In which of these parts a device sent where it was: of the others nobody knows how far it went. */
export function hasPlaceIn({ length, at, lat }: ReadingColumns, parts: readonly Part[]): boolean[] {
  const hasPlace = parts.map(() => false)
  let part = 0
  for (let i = 0; i < length; i++) {
    while (part < parts.length && (at[i] as number) >= (parts[part] as Part).to) part++
    if (part === parts.length) break
    if ((at[i] as number) >= (parts[part] as Part).from && lat[i] !== NO_PLACE) hasPlace[part] = true
  }
  return hasPlace
}

const NO_PLACE = READING_FIELDS.lat.missing

/** When a clock shows this on the day that an instant is in. */
function clockOf(at: number, time: string, zone: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return instantOf({ ...wallTime(startOfDay(at, zone), zone), hour, minute }, zone)
}

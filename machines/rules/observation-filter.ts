import { type Fault, firstFaults } from './plain-text.ts'

/** Which readings of which device, as it was picked: null and '' where nothing is. */
export type ObservationFilter = { imei: string; start: number | null; hours: number | null }
export type ObservationField = 'device' | 'start' | 'hours'

/** How long a table of observations may be, hours: every whole number up to this. */
export const MOST_HOURS = 25
export const DEFAULT_HOURS = 12

/** The documents' words for a missing device: the two tables have their own. */
export type NoDevice = 'Please Select Vehicle.' | 'Id is required.'

/** What is wrong with it in the documents' words, in the order of the form. */
export function observationFaults(
  { imei, start, hours }: ObservationFilter,
  noDevice: NoDevice,
): Fault<ObservationField>[] {
  const isSpan = hours !== null && Number.isInteger(hours) && hours >= 1 && hours <= MOST_HOURS
  return firstFaults<ObservationField>([
    ['device', noDevice, imei === ''],
    ['start', 'Start date is required.', start === null || !Number.isFinite(start)],
    ['hours', 'Hours selection is required.', !isSpan],
  ])
}

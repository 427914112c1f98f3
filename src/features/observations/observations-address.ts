import { Imei } from '#machines/contracts/scalars.ts'
import { DEFAULT_HOURS, MOST_HOURS, type ObservationFilter } from '#machines/rules/observation-filter.ts'
import { idOrNone, instant, oneOf, pageAddress } from '../../format/page-address.ts'

/** What was searched for last. */
export type SearchedFor = { device: string | null; start: number | null; hours: string }

const HOURS = Array.from({ length: MOST_HOURS }, (_, i) => `${i + 1}`)

/** `?device=<imei>&start=<ISO>&hours=4`; before a search there is none. */
export const observationsAddress = pageAddress<SearchedFor>({
  device: idOrNone('device', Imei),
  start: instant('start'),
  hours: oneOf('hours', HOURS, `${DEFAULT_HOURS}`),
})

export const searchedBy = ({ imei, start, hours }: ObservationFilter): SearchedFor => ({
  device: imei,
  start,
  hours: `${hours ?? DEFAULT_HOURS}`,
})

/** The search an address asks for; undefined: it asks for none. */
export function filterIn({ device, start, hours }: SearchedFor): ObservationFilter | undefined {
  return device === null || start === null ? undefined : { imei: device, start, hours: Number(hours) }
}

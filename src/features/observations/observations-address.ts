import { Imei } from '#machines/contracts/scalars.ts'
import { DEFAULT_HOURS, MOST_HOURS, type ObservationFilter } from '#machines/rules/observation-filter.ts'
import { idOrNone, instant, oneOf, type Part, pageAddress } from '../../format/page-address.ts'

/** What was searched for last. */
export type SearchedFor = { device: string | null; start: number | null; hours: string }

const HOURS = Array.from({ length: MOST_HOURS }, (_, i) => `${i + 1}`)

/** Rows a page may have, as the documents have it. */
export const PAGE_SIZES = [100, 300, 500] as const
export type PageSize = (typeof PAGE_SIZES)[number]

/** Which rows of what was found are shown; `page`: from 0. */
export type PageShown = { page: number; size: PageSize }

const page: Part<number> = {
  name: 'page',
  begin: 0,
  read: (text) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) - 1 : undefined),
  write: (page) => (page === 0 ? undefined : `${page + 1}`),
}
const size: Part<PageSize> = {
  name: 'rows',
  begin: PAGE_SIZES[0],
  read: (text) => PAGE_SIZES.find((each) => `${each}` === text),
  write: (size) => (size === PAGE_SIZES[0] ? undefined : `${size}`),
}

/** `?device=<imei>&start=<ISO>&hours=4&page=3&rows=500`; before a search there is no device. */
export const observationsAddress = pageAddress<SearchedFor & PageShown>({
  device: idOrNone('device', Imei),
  start: instant('start'),
  hours: oneOf('hours', HOURS, `${DEFAULT_HOURS}`),
  page,
  size,
})

/** Another search begins on its first page. */
export const searchedBy = ({ imei, start, hours }: ObservationFilter): SearchedFor & { page: 0 } => ({
  device: imei,
  start,
  hours: `${hours ?? DEFAULT_HOURS}`,
  page: 0,
})

/** The search an address asks for; undefined: it asks for none. */
export function filterIn({ device, start, hours }: SearchedFor): ObservationFilter | undefined {
  return device === null || start === null ? undefined : { imei: device, start, hours: Number(hours) }
}

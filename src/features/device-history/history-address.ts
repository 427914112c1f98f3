import { Imei } from '#machines/contracts/scalars.ts'
import type { HistoryPreset } from '#machines/history-search/history-search.machine.ts'
import type { DateRange } from '#machines/rules/date-range.ts'
import { MOST_COMPARED } from '../../actors/compared.ts'
import { idList, oneOf, pageAddress, span } from '../../format/page-address.ts'

/** What of a device's page is in its address. */
export type HistoryRequest = {
  /** counts where there is no range */
  preset: HistoryPreset
  range: DateRange | null
  /** imeis of the devices it is compared with */
  compared: readonly string[]
}

const HOUR_MS = 3_600_000
/** Longer spans are no offered ones; each day of them is asked for by itself. */
const MOST_MS = 31 * 24 * HOUR_MS

/** `/temperature/{imei}?span=week&with=1,2` or `?date=<ISO start>..<ISO end>` */
export const historyAddress = pageAddress<HistoryRequest>({
  preset: oneOf('span', ['hour', 'day', 'night', 'week'], 'day'),
  range: span('date', MOST_MS),
  compared: idList('with', Imei, MOST_COMPARED),
})

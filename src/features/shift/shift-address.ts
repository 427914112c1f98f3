import { instant, pageAddress } from '../../format/page-address.ts'

/** `/shift?since=2026-11-24T01:00:00.000Z`; without a time, since one left. */
export const shiftAddress = pageAddress<{ since: number | null }>({ since: instant('since') })

/** Where what happened since a time is told, epoch ms. */
export const shiftPath = (since: number): string => `/shift?${shiftAddress.write({ since })}`

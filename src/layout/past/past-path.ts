import type { AsOfView } from '#machines/contracts/calls/as-of.ts'
import type { Instant } from '../../format/time.ts'
import { shellAddress } from '../shell-address.ts'

const MINUTE = 60_000
/** What a device measures is known some seconds later, ms. */
const KNOWN_AFTER = 15_000

/**
 * The dashboard as it was when something had happened: at the first whole minute that is sure to show it, or then where that has not come.
 * @param now epoch ms @param imei the device it is of
 */
export function pastPath(when: Instant, now: number, imei?: string): string {
  const at = new Date(when).getTime()
  const shown = Math.ceil((at + KNOWN_AFTER) / MINUTE) * MINUTE
  const rest = imei === undefined ? '' : `device=${imei}`
  return `/?${shellAddress.write({ asOf: shown > now ? at : shown, view: 'then', isWall: false }, rest)}`
}

/** A page as it is at a time, for whoever may sign in. @param at epoch ms @param search what else its address says */
export const pastLink = (path: string, at: number, view: AsOfView, search = ''): string =>
  `${location.origin}${path}?${shellAddress.write({ asOf: at, view, isWall: false }, search)}`

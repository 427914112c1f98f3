import type { AsOfView } from '#machines/contracts/calls/as-of.ts'
import { flag, oneOf, type Part, pageAddress } from '../format/page-address.ts'
import { addressTime, readTime } from '../format/time.ts'

const asOf: Part<number | null> = {
  name: 'asOf',
  begin: null,
  read(text) {
    // a plus sign that somebody typed is a gap by then
    const at = readTime(text.replace(' ', '+'))
    return Number.isNaN(at) ? undefined : at
  },
  write: (at) => (at === null ? undefined : addressTime(at)),
}

/**
 * What the address of every page may say: `?asOf=2026-06-15T04:00+05:00&view=now`, the time one looks back to, in the portal's zone, and
 * in which view; `?wall`, that it hangs on a wall.
 */
export const shellAddress = pageAddress<{ asOf: number | null; view: AsOfView; isWall: boolean }>({
  asOf,
  view: oneOf('view', ['then', 'now'], 'then'),
  isWall: flag('wall'),
})

import { Id } from '#machines/contracts/scalars.ts'
import { idOrNone, pageAddress } from '../../format/page-address.ts'

/** `group`: null is the visitor's own. `trial`: what was tried for it, and is shown. */
export type Requested = { group: string | null; trial: string | null }

/** `?group=a&trial=…` */
export const limitsLabAddress = pageAddress<Requested>({
  group: idOrNone('group', Id),
  trial: idOrNone('trial', Id),
})

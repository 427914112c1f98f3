import { Id } from '#machines/contracts/scalars.ts'
import { idOrNone, oneOf, pageAddress } from '../../format/page-address.ts'

export type Days = '1' | '7' | '31'
/** `group`: null is the visitor's own. */
export type Requested = { group: string | null; days: Days }

/** `?group=a&days=31` */
export const alarmHealthAddress = pageAddress<Requested>({
  group: idOrNone('group', Id),
  days: oneOf('days', ['1', '7', '31'], '7'),
})

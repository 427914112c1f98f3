import { type Infer, integer, max, min, string, type } from 'superstruct'
import { Id, IsoInstant, saying } from '../scalars.ts'
import { DeviceHistory } from './devices.ts'

/** Days a link to a device's history is good for. */
export const SHARE_DAYS = { least: 1, most: 31, otherwise: 7 } as const
/** The longest span one link shows, ms. */
export const SHARE_MAX_MS = 31 * 24 * 60 * 60 * 1000

export const ShareDays = saying(max(min(integer(), SHARE_DAYS.least), SHARE_DAYS.most), {
  minimum: SHARE_DAYS.least,
  maximum: SHARE_DAYS.most,
  default: SHARE_DAYS.otherwise,
})

/** A link to what one device measured in one span, for whoever holds it. */
export const Share = type({
  _id: Id,
  /** both ends included */
  from: IsoInstant,
  to: IsoInstant,
  madeAt: IsoInstant,
  /** who made it; empty where they are gone */
  madeBy: string(),
  expiresAt: IsoInstant,
  /** of the page it opens */
  path: string(),
})
export type Share = Infer<typeof Share>

/**
 * What a link shows, and all it shows: `history` holds the span alone, `latest` the newest reading in it. No IMEI: it is all that a
 * tracker proves itself with.
 */
export const SharedHistory = type({
  company: string(),
  /** IANA zone of the company, in which times are shown */
  timeZone: string(),
  name: string(),
  plateNumber: string(),
  from: IsoInstant,
  to: IsoInstant,
  expiresAt: IsoInstant,
  /** when this was answered */
  madeAt: IsoInstant,
  history: DeviceHistory,
})
export type SharedHistory = Infer<typeof SharedHistory>

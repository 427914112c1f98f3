import { array, object, optional } from 'superstruct'
import { Share, ShareDays, SharedHistory } from '../entities/shares.ts'
import { Id, Imei } from '../scalars.ts'
import { CountText, calls, Interval, OpaqueToken } from './call.ts'

export const SHARE_CALLS = calls({
  shares: {
    method: 'GET',
    path: '/things/{imei}/shares',
    summary: 'Links to a device that are good now, newest first: those one made, of managers all.',
    access: 'session',
    params: object({ imei: Imei }),
    answer: array(Share),
  },
  makeShare: {
    method: 'POST',
    path: '/things/{imei}/shares',
    summary:
      'Make a link to what a device measured in a span of at most 31 days, for whoever holds it. It is good for 7 days where `days` is left out, and for as long as who made it sees the device.',
    access: 'session',
    params: object({ imei: Imei }),
    body: object({ ...Interval.schema, days: optional(ShareDays) }),
    answer: Share,
    status: 201,
  },
  revokeShare: {
    method: 'DELETE',
    path: '/things/{imei}/shares/{shareId}',
    summary: 'End a link now: one may who made it, and managers. Answers the links that are left.',
    access: 'session',
    params: object({ imei: Imei, shareId: Id }),
    answer: array(Share),
  },
  shared: {
    method: 'GET',
    path: '/shared/{token}',
    summary: 'What a link shows: one device in one span, thinned to about `maxPoints` where given.',
    access: 'anyone',
    params: object({ token: OpaqueToken }),
    query: object({ maxPoints: optional(CountText) }),
    answer: SharedHistory,
  },
})

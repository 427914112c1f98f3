import type { Notification } from '../contracts/entities/notifications.ts'
import type { Answered, ChangingFact, Filters } from './entries.ts'
import { notificationFeedMachine } from './notification-feed.machine.ts'

const MINUTE = 60_000
export const NOW = Date.UTC(2026, 10, 21, 12)
export const TODAY = { from: Date.UTC(2026, 10, 20, 19), to: Date.UTC(2026, 10, 21, 19) - 1 }
export const YESTERDAY = { from: TODAY.from - 24 * 60 * MINUTE, to: TODAY.from - 1 }
export const TOMORROW = { from: TODAY.to + 1, to: TODAY.to + 24 * 60 * MINUTE }
export const UNFILTERED: Filters = { range: TODAY, things: null, types: null }

/** The notification of the fact at `seq`, of `seq` minutes past noon by default. */
export const notificationAt = (seq: number, more: Partial<Notification> = {}): Notification => ({
  _id: `f${seq}`,
  name: 'High temperature',
  type: 'HIGH_TEMPERATURE_DETECTED',
  thing: '356307042000001',
  thingId: '356307042000001',
  thingName: 'Reefer 1',
  plateNumber: 'LEB-1',
  message: 'Reefer 1: 9.4 °C, above 8 °C',
  lat: 31.5,
  lng: 74.3,
  createdAt: new Date(NOW + seq * MINUTE).toISOString(),
  passengerCheck: false,
  comments: [],
  violationId: `v${seq}`,
  clearedAt: null,
  acknowledged: null,
  isRepeat: false,
  ...more,
})

export const commentOn = (notificationId: string, seq: number): ChangingFact => ({
  type: 'notification.commented',
  seq,
  id: `f${seq}`,
  v: 1,
  at: NOW + seq * MINUTE,
  recordedAt: NOW + seq * MINUTE,
  companyId: 'indus',
  data: {
    notificationId,
    commentId: `c${seq}`,
    imei: '356307042000001',
    userName: 'Ayesha',
    comment: 'On it',
  },
})

export const answerOf = (
  notifications: readonly Notification[],
  more: Partial<Omit<Answered, 'notifications'>> = {},
): Answered => ({
  notifications,
  notificationsCount: notifications.length,
  hasMore: false,
  unread: notifications.length,
  seq: 100,
  ...more,
})

const page = answerOf([notificationAt(9), notificationAt(8)])
const pageOfMany = { ...page, hasMore: true, notificationsCount: 3 }

export const model = {
  name: 'notification-feed',
  kind: 'screen' as const,
  machine: notificationFeedMachine,
  input: { filters: UNFILTERED, pageSize: 2 },
  limit: 3000,
  events: [
    { type: 'view' },
    { type: 'filter', things: null, types: ['vehicleOffline'] },
    { type: 'dates', range: YESTERDAY },
    { type: 'dayOver', range: TOMORROW },
    { type: 'loadMore' },
    { type: 'retry' },
    { type: 'told', notification: notificationAt(101) },
    { type: 'changed', fact: commentOn('f9', 102) },
    { type: 'answered', entry: notificationAt(9) },
    { type: 'seen', upTo: 101, seq: 103 },
    { type: 'seen', upTo: 1, seq: 300 },
    { type: 'toldFrom', seq: 50 },
    { type: 'toldFrom', seq: 200 },
    { type: 'begunAnew' },
    { type: 'xstate.done.actor.loadPage', output: page },
    { type: 'xstate.done.actor.loadPage', output: pageOfMany },
    { type: 'xstate.error.actor.loadPage', error: new Error('The server did not answer') },
    { type: 'xstate.done.actor.loadMore', output: answerOf([notificationAt(7)], { notificationsCount: 3 }) },
    { type: 'xstate.error.actor.loadMore', error: new Error('The server did not answer') },
  ],
  serializeState: ({ value, context: { listed, unread } }: Snapshot) =>
    JSON.stringify([value, listed.hasMore, listed.asOf >= 0, unread.toldFrom]),
  describe: (event: { type: string; seq?: number; output?: Answered; upTo?: number }) => {
    if (event.type === 'xstate.done.actor.loadPage')
      return event.output?.hasMore ? 'a page of many' : 'all there are'
    if (event.type === 'seen') return event.upTo === 1 ? 'another window having seen some' : 'all being seen'
    if (event.type === 'toldFrom')
      return event.seq === 50 ? 'news coming since before the answer' : 'news having been missed'
    return WORDS[event.type]
  },
}

type Snapshot = {
  value: unknown
  context: { listed: { hasMore: boolean; asOf: number }; unread: { toldFrom: number } }
}

const WORDS: Record<string, string> = {
  view: 'somebody looking',
  filter: 'other filters',
  dates: 'another date range',
  dayOver: 'the day being over',
  loadMore: 'Load More',
  retry: 'trying again',
  told: 'a live notification',
  changed: 'a comment',
  answered: 'an entry as the server has it',
  begunAnew: 'the server having begun a new log',
  'xstate.error.actor.loadPage': 'no answer',
  'xstate.done.actor.loadMore': 'the next page',
  'xstate.error.actor.loadMore': 'no answer',
}

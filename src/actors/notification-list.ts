import { useEffect, useMemo, useState } from 'react'
import { array, is, nullable, number, object, type as open, string } from 'superstruct'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import {
  Acknowledged,
  type Notification,
  NotificationType,
} from '#machines/contracts/entities/notifications.ts'
import type { Filters } from '#machines/notification-feed/entries.ts'
import { CallRefused } from '../effects/call-failures.ts'
import type { Http } from '../effects/http.ts'
import { wordsOf } from './failure-words.ts'
import type { NotificationFeed, Notifications } from './notifications.ts'
import { useStore } from './store.ts'
import { useDraft } from './use-drafts.ts'
import { useRoot } from './use-root.ts'

const FILTERS = 'filters'
const KeptFilters = object({
  range: object({ from: number(), to: number() }),
  things: nullable(array(string())),
  types: nullable(array(NotificationType)),
})

/** A list of the visitor's own, as long as the component is there; undefined until the live link has begun. */
export function useNotificationList(filters: () => Filters): {
  feed: NotificationFeed | undefined
  notifications: Notifications | undefined
} {
  const { live, drafts } = useRoot()
  const notifications = useStore(live)?.notifications
  const [kept] = useState(() => drafts.kept(FILTERS, KeptFilters) ?? filters())
  const [feed, setFeed] = useState<NotificationFeed>()
  useEffect(() => {
    if (notifications === undefined) return
    const list = notifications.open(kept)
    setFeed(list.feed)
    return list.letGo
  }, [notifications, kept])
  useDraft(FILTERS, () => feed?.getSnapshot().context.filters)
  return { feed, notifications }
}

/** What became of something somebody did to a notification; `message`: why nothing did. */
export type Done = { isDone: true } | { isDone: false; message: string }

export type NotificationActions = {
  comment(entry: Notification, text: string): Promise<Done>
  acknowledge(entry: Notification, reason: string): Promise<Done>
  /** whether somebody was in the vehicle that was unplugged */
  checkPassenger(entry: Notification, isPassenger: boolean): Promise<Done>
}

/** What can be done to the entries of a list. Others see it live; here the answer is shown, with or without a live link. */
export function useNotificationActions(feed: NotificationFeed): NotificationActions {
  const { http } = useRoot()
  return useMemo(() => actionsOn(feed, http), [feed, http])
}

const ALREADY = open({ acknowledged: Acknowledged })

function actionsOn(feed: NotificationFeed, http: Http): NotificationActions {
  const replace = (id: string, more: Partial<Notification>): void => {
    const entry = feed.getSnapshot().context.listed.entries.find(({ _id }) => _id === id)
    if (entry) feed.send({ type: 'answered', entry: { ...entry, ...more } })
  }
  return {
    comment: ({ _id }, comment) =>
      done(async () => {
        const request = { params: { id: _id }, body: { comment } }
        replace(_id, { comments: await http.ask(NOTIFICATION_CALLS.comment, request) })
      }),
    acknowledge: ({ _id }, reason) =>
      done(async () => {
        const request = { params: { id: _id }, body: { reason } }
        try {
          const now = await http.ask(NOTIFICATION_CALLS.acknowledge, request)
          if ('_id' in now) replace(_id, now)
        } catch (error) {
          // Somebody was faster: it is told who.
          if (error instanceof CallRefused && is(error.body, ALREADY))
            replace(_id, { acknowledged: error.body.acknowledged })
          throw error
        }
      }),
    checkPassenger: ({ _id, thingId }, isPassenger) =>
      done(async () => {
        const params = { thingId, isPassenger: isPassenger ? 'true' : 'false' } as const
        await http.ask(DEVICE_CALLS.passengerCheck, { params })
        replace(_id, { passengerCheck: false })
      }),
  }
}

async function done(doing: () => Promise<void>): Promise<Done> {
  try {
    await doing()
    return { isDone: true }
  } catch (error) {
    return { isDone: false, message: wordsOf(error) }
  }
}

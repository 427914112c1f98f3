import { filter, Subject, Subscription } from 'rxjs'
import { type ActorRefFrom, createActor, fromPromise } from 'xstate'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { Clock } from '#machines/contracts/clock.ts'
import { type Answered, type Filters, isChanging } from '#machines/notification-feed/entries.ts'
import {
  notificationFeedMachine,
  type PageRequest,
} from '#machines/notification-feed/notification-feed.machine.ts'
import { unreadOf } from '#machines/notification-feed/unread.ts'
import type { DateRange } from '#machines/rules/date-range.ts'
import { endOfDay, startOfDay } from '#machines/rules/zoned-time.ts'
import type { Http } from '../effects/http.ts'
import { zoneName } from '../format/time.ts'
import type { LiveFeed } from '../streams/live-feed.ts'
import { askAgain } from './ask-again.ts'
import { inspect } from './inspection.ts'

export type NotificationFeed = ActorRefFrom<typeof notificationFeedMachine>

/** Notifications of the visitor's group, and how many of them they have not seen. Every list follows the same news. */
export type Notifications = {
  /** the newest of today, for the bell; it counts what is unread for the whole portal */
  todays: NotificationFeed
  /** a list of its own, which follows the news until it is let go. @param ofThen asks of a time that is past, which has no news */
  open(filters: Filters, ofThen?: Http): { feed: NotificationFeed; letGo: () => void }
  /** what came is on screen: seen in every window, and from then on */
  see(): void
  stop(): void
}

export type NotificationNews = Pick<
  LiveFeed,
  'facts$' | 'notifications$' | 'liveFrom$' | 'time$' | 'liveness$' | 'see'
>

/** Entries of a page of the list, and of the bell's. */
const PAGE = 50
const BELL = 20

export function startNotifications(
  { http, clock }: { http: Http; clock: Clock },
  news: NotificationNews,
  { userId, groupId }: { userId: string; groupId: string },
  /** other pauses than the documents', ms: for tests */
  delays: Partial<Record<'firstLoad' | 'dateSettle', number>> = {},
): Notifications {
  const machineOf = (isBell: boolean, http: Http) =>
    notificationFeedMachine.provide({
      delays,
      actors: {
        loadPage: fromPromise<Answered, PageRequest>(
          ({ input: { filters, skip, limit, isBackground }, signal }) =>
            http.ask(
              NOTIFICATION_CALLS.notifications,
              {
                params: { groupId },
                body: {
                  startDate: filters.range.from,
                  endDate: filters.range.to,
                  skip,
                  limit,
                  ...(filters.things && { things: [...filters.things] }),
                  ...(filters.types && { types: [...filters.types] }),
                },
              },
              { signal, isBackground: isBell || isBackground },
            ),
        ),
      },
    })

  function open(filters: Filters, pageSize: number, isBell: boolean, ofThen?: Http) {
    const feed = createActor(machineOf(isBell, ofThen ?? http), {
      input: { filters, pageSize },
      inspect,
    }).start()
    if (ofThen !== undefined) return { feed, letGo: () => void feed.stop() }
    const following = follow(feed, news)
    let today = dayOf(clock.now())
    following.add(
      news.time$.pipe(filter(({ now }) => now > today.to)).subscribe(({ now }) => {
        const over = today
        today = dayOf(now)
        goOnInto(today, over, feed)
      }),
    )
    return {
      feed,
      letGo() {
        following.unsubscribe()
        feed.stop()
      },
    }
  }

  const bell = open({ range: dayOf(clock.now()), things: null, types: null }, BELL, true)
  return {
    todays: bell.feed,
    open: (filters, ofThen) => open(filters, PAGE, false, ofThen),
    see() {
      const { listed, heardTo, unread } = bell.feed.getSnapshot().context
      const upTo = Math.max(listed.asOf, heardTo)
      if (unreadOf(unread) === 0 || upTo < 0) return
      bell.feed.send({ type: 'seen', upTo, seq: upTo })
      news.see(userId, upTo)
    },
    stop: bell.letGo,
  }
}

/** Hands a list all that comes live. */
function follow(feed: NotificationFeed, news: NotificationNews): Subscription {
  const following = new Subscription()
  let hasBegun = false
  following.add(
    news.liveFrom$.subscribe((seq) => {
      if (seq !== undefined) feed.send({ type: 'toldFrom', seq })
      else if (hasBegun) feed.send({ type: 'begunAnew' })
      hasBegun = true
    }),
  )
  following.add(news.notifications$.subscribe((notification) => feed.send({ type: 'told', notification })))
  following.add(
    news.facts$.pipe(filter(isChanging)).subscribe((fact) => feed.send({ type: 'changed', fact })),
  )
  following.add(
    news.facts$.subscribe((fact) => {
      if (fact.type === 'notifications.seen') feed.send({ type: 'seen', upTo: fact.data.upTo, seq: fact.seq })
    }),
  )
  const failed = new Subject<void>()
  following.add(feed.subscribe((state) => state.matches('failed') && failed.next()))
  following.add(
    askAgain(news.liveness$, failed).subscribe(() => feed.send({ type: 'retry', isBackground: true })),
  )
  return following
}

/** A list that reached to the end of the day that is over goes on into the new one; one of that day alone is of the new. */
function goOnInto(today: DateRange, over: DateRange, feed: NotificationFeed): void {
  const { range } = feed.getSnapshot().context.filters
  if (range.to !== over.to) return
  const from = range.from === over.from ? today.from : range.from
  feed.send({ type: 'dayOver', range: { from, to: today.to } })
}

/** The day of the company's zone that an instant is in, epoch ms. */
export const dayOf = (now: number): DateRange => ({
  from: startOfDay(now, zoneName),
  to: endOfDay(now, zoneName),
})

import { filter, merge, pairwise, Subject, Subscription } from 'rxjs'
import { createActor } from 'xstate'
import { USER_CALLS } from '#machines/contracts/calls/user-calls.ts'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { NotificationSettings } from '#machines/contracts/entities/users.ts'
import { unreadOf } from '#machines/notification-feed/unread.ts'
import { notificationPopupMachine } from '#machines/notification-popup/notification-popup.machine.ts'
import { shouted } from '#machines/notification-popup/shouted.ts'
import { counted } from '#machines/rules/figures.ts'
import type { Sound } from '../effects/sound.ts'
import type { Popup } from '../effects/toast.ts'
import { whatOf } from '../format/notification-words.ts'
import { addressOf, notificationsAddress } from '../format/notifications-address.ts'
import { zoneName } from '../format/time.ts'
import type { LiveFeed } from '../streams/live-feed.ts'
import { askAgain } from './ask-again.ts'
import { inspect } from './inspection.ts'
import type { NotificationFeed } from './notifications.ts'
import type { Root } from './root.ts'

export type PopupNews = Pick<LiveFeed, 'notifications$' | 'liveFrom$' | 'changes$' | 'liveness$'>
type PopupEffects = Pick<Root, 'http' | 'toasts' | 'goTo'> & { sound: Sound }

/** ms a popup is shown. */
const SHOWN_FOR = 8000

/**
 * Makes live notifications noticed, as the visitor has set it: by one popup, by the buzzer. What was missed while nobody
 * could be told is told by its number.
 * @returns how to stop
 */
export function startPopups(
  effects: PopupEffects,
  news: PopupNews,
  { todays, userId }: { todays: NotificationFeed; userId: string },
): () => void {
  const { toasts, sound, goTo } = effects
  const following = new Subscription()
  const popup = createActor(
    notificationPopupMachine.provide({
      actions: {
        show: ({ context: { newest, count }, self }) => {
          const gone = () => self.send({ type: 'gone' })
          toasts.popup('notifications', popupOf(newest, count, goTo, gone))
        },
      },
    }),
    { inspect },
  ).start()

  /** Nobody is disturbed in a way they turned off: until that is known, what comes waits. */
  let settings: NotificationSettings | undefined
  let waiting: (() => void)[] = []
  const whenKnown = (act: (known: NotificationSettings) => void): void => {
    if (settings === undefined) waiting.push(() => whenKnown(act))
    else act(settings)
  }
  let asking: AbortController | undefined
  const failed = new Subject<void>()
  async function learnSettings(): Promise<void> {
    asking?.abort()
    const its = new AbortController()
    asking = its
    const params = { id: userId }
    const answer = await effects.http
      .ask(USER_CALLS.notificationSettings, { params }, { signal: its.signal, isBackground: true })
      .catch(() => undefined)
    if (asking !== its) return
    if (answer === undefined) failed.next()
    settings = answer ?? settings ?? EVERYTHING
    const held = waiting
    waiting = []
    for (const act of held) act()
  }
  void learnSettings()
  const changed = news.changes$.pipe(
    filter(({ subject, ids }) => subject === 'settings' && (ids.length === 0 || ids.includes(userId))),
  )
  following.add(merge(changed, askAgain(news.liveness$, failed)).subscribe(() => void learnSettings()))

  following.add(
    news.notifications$.subscribe((notification) =>
      whenKnown((known) => {
        const { popup: isPopup, sound: isSound } = shouted(notification, known)
        if (isPopup) popup.send({ type: 'notify', notification })
        if (isSound) sound.buzz()
      }),
    ),
  )

  following.add(countMissed(todays, news.liveFrom$, showMissed))
  function showMissed(count: number): void {
    whenKnown(({ warningPopup }) => {
      if (warningPopup) popup.send({ type: 'missed', count })
    })
  }

  return () => {
    asking?.abort()
    asking = undefined
    following.unsubscribe()
    popup.stop()
  }
}

/**
 * What was missed, once the list is loaded again: how many more are unread than before, without those that came live
 * meanwhile. Where more is missed until then, all of it is counted once.
 */
function countMissed(
  todays: NotificationFeed,
  liveFrom$: PopupNews['liveFrom$'],
  notify: (count: number) => void,
): Subscription {
  let missing: { before: number; from: number; to: number } | undefined
  const counting = liveFrom$.pipe(pairwise()).subscribe(([before, to]) => {
    const { unread } = todays.getSnapshot().context
    if (before === undefined || to === undefined) missing = undefined
    else if (missing !== undefined) missing.to = to
    else if (unread.asOf >= 0) missing = { before: unreadOf(unread), from: to, to }
  })
  counting.add(
    todays.subscribe((state) => {
      const { counted, asOf, heard } = state.context.unread
      if (missing === undefined || !state.matches('ready') || asOf < missing.to) return
      const { before, from } = missing
      missing = undefined
      const missed = counted - before - heard.filter((seq) => seq > from && seq <= asOf).length
      if (missed > 0) notify(missed)
    }),
  )
  return counting
}

function popupOf(
  newest: Notification | null,
  count: number,
  goTo: PopupEffects['goTo'],
  gone: () => void,
): Popup {
  const isOne = count === 1 && newest !== null
  const go = (address: string) => () => {
    gone()
    goTo(address)
  }
  const action = isOne
    ? { label: 'View', onPress: go(addressOf(newest, zoneName)) }
    : { label: 'View All', onPress: go(notificationsAddress({})) }
  return {
    title: isOne ? newest.thingName : counted(count, 'notification'),
    detail:
      newest === null
        ? `${count === 1 ? 'It' : 'They'} came while this window was not connected.`
        : isOne
          ? whatOf(newest)
          : `Newest: ${newest.thingName}, ${whatOf(newest)}`,
    action,
    duration: SHOWN_FOR,
    onGone: gone,
  }
}

/** Where the server does not say what somebody wants to hear, they are told. */
const EVERYTHING = {
  warningPopup: true,
  buzzer: true,
  vehicleOffline: true,
  vehicleOnline: true,
} as NotificationSettings

import { auditTime, filter, finalize, from, fromEvent, map, merge, of, Subject, switchMap } from 'rxjs'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { SERVER_CALLS } from '#machines/contracts/calls/server-calls.ts'
import { decodeFleetSnapshot, FLEET_CONTENT_TYPE } from '#machines/contracts/fleet-snapshot.ts'
import { LIVE_CLOSE } from '#machines/contracts/live-messages.ts'
import { frameAfterTyping } from '../effects/after-typing.ts'
import { openLiveSocket } from '../effects/live-socket.ts'
import { createSound } from '../effects/sound.ts'
import { wires } from '../effects/wire-tap.ts'
import { createFleet, type Fleet } from '../read-model/fleet.ts'
import { type LiveFeed, startLiveFeed } from '../streams/live-feed.ts'
import { askAgain } from './ask-again.ts'
import { startDesk } from './desk.ts'
import { inspect } from './inspection.ts'
import { startNotifications } from './notifications.ts'
import { startPopups } from './popups.ts'
import { type Live, notePartMissing, type Root, type TimeMachine } from './root.ts'
import { createStore } from './store.ts'
import { applyTimeZone, followTimeZone } from './time-zone.ts'

/**
 * The two links of a session that was ended break at once, ms: its logout, which also reloads the page, is heard out
 * before the portal finds out for itself.
 */
const LOGOUT_FIRST = 2_000

/** One for the page, however often somebody signs in. */
const sound = createSound(
  () => new AudioContext(),
  window,
  navigator.locks,
  () => performance.now(),
)

/** A server that was away may be another when it is back: its next answer says so. */
function followVersion({ http, newVersion }: Root, { liveness$ }: LiveFeed): void {
  let wasOffline = false
  liveness$.subscribe(({ state, hindrance }) => {
    if (hindrance === 'outdated') newVersion.send({ type: 'protocol.refused' })
    const isBack = wasOffline && state !== 'offline'
    wasOffline = state === 'offline'
    if (isBack) http.ask(SERVER_CALLS.time, {}, { isBackground: true }).catch(() => {})
  })
}

/** What the fleet on the map is fed by: a snapshot, and what is live after it. */
function feedOf(root: Root, fleet: Fleet, groupId: string): LiveFeed {
  const { http, clock, baseUrl, credentials, session } = root
  return startLiveFeed({
    fleet,
    async fetchFleet(signal) {
      const bytes = await http.askBytes(
        DEVICE_CALLS.observationsLatest,
        { params: { groupId } },
        FLEET_CONTENT_TYPE,
        { signal, isBackground: true },
      )
      wires.hear({ wire: 'fleet', bytes })
      return decodeFleetSnapshot(bytes)
    },
    openLive(its) {
      let shown: string | undefined
      return openLiveSocket({
        ...its,
        hear: wires.hear,
        url: `${(baseUrl || location.origin).replace(/^http/, 'ws')}/live`,
        token: async () => {
          shown = (await credentials())?.accessToken
          return shown
        },
        onClose(code, reason) {
          if (code === LIVE_CLOSE.refused || code === LIVE_CLOSE.suspended) doubt(session, shown)
          its.onClose(code, reason)
        },
      })
    },
    // nobody waits for them until the fleet is there
    async openNotifications(its) {
      const part = await import('../effects/notifications-socket.ts').catch(async (error) => {
        // without a server the page goes on with what it shows
        await http.ask(SERVER_CALLS.time, {}, { isBackground: true })
        notePartMissing(root, error)
        throw error
      })
      return part.openNotifications({ ...its, baseUrl, credentials, hear: wires.hear })
    },
    now: clock.now,
    monotonic: () => performance.now(),
    network$: merge(
      of(navigator.onLine),
      fromEvent(window, 'online').pipe(map(() => true)),
      fromEvent(window, 'offline').pipe(map(() => false)),
    ),
    inspect,
  })
}

/** Whoever lets nobody in with this token any more says so too when asked for another: the session is over. */
function doubt(session: Root['session'], refused: string | undefined): void {
  setTimeout(() => {
    if (refused === tokenOf(session)) session.send({ type: 'refresh.due' })
  }, LOGOUT_FIRST)
}

const tokenOf = (session: Root['session']): string | undefined =>
  session.getSnapshot().context.session?.accessToken

/** A link that was refused waits long before the next try, which with a new token there is no need for. Answers how to stop. */
function retryWithNewToken({ session, link }: Root, feed: LiveFeed): () => void {
  let token = tokenOf(session)
  const renewals = session.subscribe(({ context }) => {
    const before = token
    token = context.session?.accessToken
    if (token !== undefined && token !== before && link.get().hindrance === 'waiting') feed.retry()
  })
  return () => renewals.unsubscribe()
}

/** Name and picture of the visitor's own group are in the header of every page. Answers how to stop. */
function followOwnGroup(
  { http, session }: Root,
  { changes$, liveness$ }: LiveFeed,
  groupId: string,
): () => void {
  const failed = new Subject<void>()
  const changed = changes$.pipe(
    filter(({ subject, ids }) => subject === 'groups' && (ids.length === 0 || ids.includes(groupId))),
  )
  const ask = () => {
    const asking = new AbortController()
    const options = { signal: asking.signal, isBackground: true }
    const requested = http.ask(GROUP_CALLS.groupInfo, { params: { id: groupId } }, options).catch(() => {
      if (!asking.signal.aborted) failed.next()
    })
    return from(requested).pipe(finalize(() => asking.abort()))
  }
  const following = merge(changed, askAgain(liveness$, failed))
    .pipe(auditTime(200), switchMap(ask))
    .subscribe((info) => {
      if (info) session.send({ type: 'group.told', name: info.name, groupImage: info.groupImage })
    })
  return () => following.unsubscribe()
}

/** Starts the fleet of whoever is signed in, and what feeds it. It comes with the shell, after sign-in. */
export function startLive(root: Root, who: { groupId: string; userId: string }): Live {
  const { clock, link, session } = root
  const { groupId } = who
  applyTimeZone(root)
  const fleet = createFleet(frameAfterTyping(window))
  const feed = feedOf(root, fleet, groupId)
  feed.time$.subscribe(clock.set)
  feed.liveness$.subscribe(link.set)
  followVersion(root, feed)
  const stopRenewals = retryWithNewToken(root, feed)
  feed.logouts$.subscribe(({ refreshToken, identityId }) =>
    session.send({ type: 'session.ended-by-server', refreshToken, identityId }),
  )
  const stopOwnGroup = followOwnGroup(root, feed, groupId)
  const stopTimeZone = followTimeZone(root, feed)
  const notifications = startNotifications(root, feed, who)
  const desk = startDesk(root, feed, who)
  // what pops up is of now
  const goToNow: Root['goTo'] = (...place) => {
    live.past.get()?.actor.send({ type: 'leave' })
    root.goTo(...place)
  }
  const stopPopups = startPopups({ ...root, sound, goTo: goToNow }, feed, {
    todays: notifications.todays,
    userId: who.userId,
  })
  const live: Live = {
    fleet,
    feed,
    notifications,
    desk,
    past: createStore<TimeMachine | undefined>(undefined),
    async lookBack(at, view, isWanted = () => true) {
      try {
        const part = await import('./time-machine.ts')
        // whoever has signed out or gone on meanwhile looks at nothing
        if (root.live.get() === live && isWanted()) part.lookBack(root, live, groupId, at, view)
      } catch (error) {
        if (!notePartMissing(root, error)) throw error
      }
    },
    stop() {
      live.past.get()?.actor.send({ type: 'leave' })
      stopRenewals()
      stopOwnGroup()
      stopTimeZone()
      desk.stop()
      stopPopups()
      notifications.stop()
      feed.stop()
      fleet.clear()
    },
  }
  return live
}

import { BehaviorSubject, distinctUntilChanged, Observable, Subject } from 'rxjs'
import { createActor, fromCallback, fromPromise, type InspectionEvent } from 'xstate'
import type { Fact } from '#machines/contracts/facts.ts'
import type { FleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import type { LiveFrame } from '#machines/contracts/live-frame.ts'
import { LIVE_CLOSE, type LiveMessage } from '#machines/contracts/live-messages.ts'
import type { ServerEvents } from '#machines/contracts/sockets.ts'
import { feedMachine } from '#machines/feed/feed.machine.ts'
import { type LinkEvent, linkMachine } from '#machines/link/link.machine.ts'
import type { LiveSocket, LiveSocketOptions } from '../effects/live-socket.ts'
import type { NotificationsOptions, NotificationsSocket } from '../effects/notifications-socket.ts'
import type { Fleet } from '../read-model/fleet.ts'

/**
 * Why it is not live: `no-network`, the machine it runs on has none; `trying` to be let in; `waiting` before the next
 * try; `no-answer`, the fleet was asked for and did not come; `outdated`, this window is older than the server.
 */
export type Hindrance = 'no-network' | 'trying' | 'waiting' | 'no-answer' | 'outdated'

/**
 * How far what is shown can be trusted. `since`: offline since then. `dataAt`: everything up to this moment is shown.
 * Both epoch ms on the server's clock, null where that is not known. `hindrance`: where there is one.
 */
export type Liveness = {
  state: 'live' | 'catching-up' | 'offline'
  since: number | null
  dataAt: number | null
  hindrance?: Hindrance | undefined
}

/** Of which groups, users or settings; `ids` empty: of many. */
export type Change = Extract<LiveMessage, { type: 'changed' }>

export type ServerTime = { now: number; speed: number; paused: boolean }

type Wires = Pick<LiveSocketOptions, 'onFrame' | 'onMessage' | 'onClose'>
type NotificationWires = Omit<NotificationsOptions, 'baseUrl' | 'credentials'>

export type LiveFeedDeps = {
  fleet: Fleet
  fetchFleet(signal: AbortSignal): Promise<FleetSnapshot>
  openLive(wires: Wires): LiveSocket
  openNotifications(wires: NotificationWires): NotificationsSocket
  /** the server's clock, epoch ms; and real milliseconds that never step */
  now(): number
  monotonic(): number
  /** whether there is a network, now and at each change */
  network$: Observable<boolean>
  /** looks at the machines */
  inspect(inspected: InspectionEvent): void
}

export type LiveFeed = {
  liveness$: Observable<Liveness>
  /** the server's clock, sent about once a second */
  time$: Observable<ServerTime>
  /** facts about what the visitor sees, in order, each once */
  facts$: Observable<Fact>
  /** groups, users or settings that the visitor sees are others now; not what changed while the link was cut */
  changes$: Observable<Change>
  /** in order, each once */
  notifications$: Observable<ServerEvents['notification']>
  /**
   * All that happens after this position is told here: from the first fleet on, and anew when something was missed. Now
   * and at each change; undefined before it is known, and when the server has begun a new log.
   */
  liveFrom$: Observable<number | undefined>
  /** the server ended a session with this refresh token */
  logouts$: Observable<ServerEvents['logout']>
  /** the row of a device at each newer reading of it; `watch` by device number */
  readingsOf(deviceNo: number): Observable<number>
  /** somebody has seen all notifications up to a position */
  see(userId: string, upTo: number): void
  /** tries again now what failed: somebody does not want to wait */
  retry(): void
  stop(): void
}

/**
 * One stream out of four sources: the fleet as it was fetched, frames, the server's word on how far it is, and facts.
 * Everything is merged by its position in the log; what does not join on is asked for again, or fetched anew.
 * Frames are merged as they come, five a second at most; the fleet notifies the screen once a frame.
 */
export function startLiveFeed(deps: LiveFeedDeps): LiveFeed {
  const { fleet, now } = deps
  const liveness$ = new BehaviorSubject<Liveness>({ state: 'catching-up', since: null, dataAt: null })
  const time$ = new Subject<ServerTime>()
  const facts$ = new Subject<Fact>()
  const changes$ = new Subject<Change>()
  const notifications$ = new Subject<ServerEvents['notification']>()
  const liveFrom$ = new BehaviorSubject<number | undefined>(undefined)
  const logouts$ = new Subject<ServerEvents['logout']>()
  let socket: LiveSocket | undefined
  let dataAt: number | null = null
  /** where the fleet was fetched, and where it must be fetched to know what the visitor sees */
  let fetchedSeq = -1
  let neededSeq = -1
  let factsSeq: number | undefined
  let notifiedSeq = -1
  let notificationsSocket: NotificationsSocket | undefined

  const feed = createActor(
    feedMachine.provide({
      actors: {
        loadFleet: fromPromise<void>(async ({ signal }) => {
          const snapshot = await deps.fetchFleet(signal)
          if (signal.aborted) return
          fetchedSeq = snapshot.head.seq
          fleet.load(snapshot)
          dataAt = snapshot.head.now
          // Facts go on from the first fleet: what it knows already need not be told.
          if (factsSeq === undefined) beginFacts(fetchedSeq)
          notificationsSocket ??= deps.openNotifications(notificationWires)
        }),
      },
      actions: {
        askToResume: () => {
          if (fetchedSeq < neededSeq) queueMicrotask(() => feed.send({ type: 'snapshotNeeded' }))
          else if (fleet.seq !== undefined) socket?.resume(fleet.seq)
        },
      },
    }),
    { inspect: deps.inspect },
  )

  const link = createActor(
    linkMachine.provide({
      actors: {
        connection: fromCallback<LinkEvent>(({ sendBack }) => {
          const mine = deps.openLive({
            onFrame: takeFrame,
            onMessage: (message) => {
              if (message.type === 'welcome') {
                // A server that is behind what it once sent has begun a new log: nothing known counts there.
                if (message.seq < (fleet.seq ?? 0)) startOver()
                sendBack({ type: 'opened' })
                feed.send({ type: 'linkUp' })
              } else takeMessage(message)
            },
            onClose: (code, reason) =>
              code === LIVE_CLOSE.outdated
                ? endAsOutdated()
                : sendBack({ type: 'closed', code, reason, at: now() }),
          })
          socket = mine
          return () => {
            mine.close()
            if (socket === mine) socket = undefined
            feed.send({ type: 'linkDown' })
          }
        }),
      },
    }),
    { input: { at: now() }, inspect: deps.inspect },
  )

  /** Nothing more is tried over either socket: only another portal would be let in. */
  function endAsOutdated(): void {
    feed.send({ type: 'outdated' })
    link.send({ type: 'outdated' })
    notificationsSocket?.close()
  }

  function takeFrame(frame: LiveFrame): void {
    const merged = fleet.merge(frame, deps.monotonic())
    joined(merged !== 'gap', frame.baseAt)
    if (merged === 'stranger') feed.send({ type: 'snapshotNeeded' })
  }

  function takeMessage(message: Exclude<LiveMessage, { type: 'welcome' }>): void {
    if (message.type === 'snapshot') feed.send({ type: 'snapshotNeeded' })
    else if (message.type === 'scope') fetchSince(message.seq)
    else if (message.type === 'changed') changes$.next(message)
    else {
      const { now, speed, paused, prevSeq, seq } = message
      time$.next({ now, speed, paused })
      joined(fleet.pass(prevSeq, seq), now)
    }
  }

  /** The fleet must be one fetched at this position or later. */
  function fetchSince(seq: number): void {
    neededSeq = Math.max(neededSeq, seq)
    if (fetchedSeq < neededSeq) feed.send({ type: 'snapshotNeeded' })
  }

  function startOver(): void {
    fleet.clear()
    fetchedSeq = -1
    neededSeq = -1
    factsSeq = undefined
    notifiedSeq = -1
    liveFrom$.next(undefined)
    feed.send({ type: 'snapshotNeeded' })
  }

  /** Facts go on from here; whoever keeps a list of them asks for what was before. */
  function beginFacts(seq: number): void {
    factsSeq = seq
    liveFrom$.next(seq)
  }

  /** Something came: it joins on to what is known, or there is a gap before it. */
  function joined(joins: boolean, at: number): void {
    if (joins) {
      dataAt = Math.max(dataAt ?? 0, at)
      if (!feed.getSnapshot().matches('live')) feed.send({ type: 'joined' })
    } else if (feed.getSnapshot().matches('live')) feed.send({ type: 'gapFound' })
    emitLiveness()
  }

  function emitLiveness(): void {
    const { failures, offlineSince } = link.getSnapshot().context
    const isTrying = link.getSnapshot().matches('linking')
    const isOffline = !isTrying || failures > 0
    const isLive = feed.getSnapshot().matches('live') && isOnline()
    const state = isOffline ? 'offline' : isLive ? 'live' : 'catching-up'
    liveness$.next({
      state,
      since: isOffline ? offlineSince : null,
      dataAt,
      hindrance: hindranceNow(isOffline),
    })
  }

  function isOnline(): boolean {
    return link.getSnapshot().matches({ linking: 'online' })
  }

  function hindranceNow(isOffline: boolean): Hindrance | undefined {
    const [linkNow, feedNow] = [link.getSnapshot(), feed.getSnapshot()]
    if (linkNow.matches('outdated')) return 'outdated'
    if (linkNow.matches('offline')) return 'no-network'
    if (linkNow.matches('backingOff')) return 'waiting'
    if (isOffline) return 'trying'
    const hasFailed =
      feedNow.matches({ awaitingSnapshot: 'failed' }) || feedNow.matches({ resyncing: 'failed' })
    return hasFailed ? 'no-answer' : undefined
  }

  const notificationWires: NotificationWires = {
    after: () => factsSeq,
    onFacts({ prevSeq, seq, facts }) {
      const isFirst = factsSeq === undefined
      const known = factsSeq ?? prevSeq
      if (prevSeq > known) fetchSince(seq)
      if (isFirst || prevSeq > known) beginFacts(prevSeq)
      const news = facts.filter((fact) => fact.seq > known)
      factsSeq = Math.max(known, seq)
      fleet.apply(news)
      for (const fact of news) facts$.next(fact)
    },
    onSnapshot({ seq }) {
      beginFacts(seq)
      fetchSince(seq)
    },
    onNotification(notification) {
      // After a cut some are sent again.
      if (notification.seq <= notifiedSeq) return
      notifiedSeq = notification.seq
      notifications$.next(notification)
    },
    onOutdated: endAsOutdated,
    onVehicleStatusChanged: () => {},
    onLogout: (logout) => logouts$.next(logout),
  }

  link.subscribe(emitLiveness)
  feed.subscribe(emitLiveness)
  feed.start()
  link.start()
  const network = deps.network$
    .pipe(distinctUntilChanged())
    .subscribe((isThere) => link.send(isThere ? { type: 'networkBack' } : { type: 'networkLost', at: now() }))

  return {
    liveness$: liveness$.pipe(distinctUntilChanged(isSameLiveness)),
    time$,
    facts$,
    changes$,
    notifications$,
    liveFrom$,
    logouts$,
    readingsOf: (deviceNo) => readingsOf(fleet, deviceNo),
    see: (userId, upTo) => notificationsSocket?.see(userId, upTo),
    retry() {
      // a link that is there stays: nothing would be won by making another
      if (!isOnline()) link.send({ type: 'retry' })
      feed.send({ type: 'retry' })
    },
    stop() {
      network.unsubscribe()
      notificationsSocket?.close()
      link.stop()
      feed.stop()
      for (const subject of [liveness$, time$, facts$, changes$, notifications$, liveFrom$, logouts$])
        subject.complete()
    },
  }
}

/** The same as far as anybody looks: the age of the data counts in seconds. */
function isSameLiveness(a: Liveness, b: Liveness): boolean {
  const isAlike = a.state === b.state && a.since === b.since && a.hindrance === b.hindrance
  return isAlike && seconds(a.dataAt) === seconds(b.dataAt)
}

const seconds = (at: number | null): number | null => (at === null ? null : Math.floor(at / 1000))

const readingsOf = (fleet: Fleet, deviceNo: number): Observable<number> =>
  new Observable((subscriber) => fleet.watch(deviceNo, (row) => subscriber.next(row)))

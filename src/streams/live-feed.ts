import { BehaviorSubject, distinctUntilChanged, map, Observable, of, Subject, switchMap, timer } from 'rxjs'
import { type ActorRefFrom, createActor, fromCallback, fromPromise, type InspectionEvent } from 'xstate'
import type { Fact } from '#machines/contracts/facts.ts'
import type { FleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import type { LiveFrame } from '#machines/contracts/live-frame.ts'
import { LIVE_CLOSE, type LiveMessage } from '#machines/contracts/live-messages.ts'
import type { LogMark, ServerEvents } from '#machines/contracts/sockets.ts'
import { feedMachine } from '#machines/feed/feed.machine.ts'
import { type LinkEvent, linkMachine } from '#machines/link/link.machine.ts'
import type { LiveSocket, LiveSocketOptions } from '../effects/live-socket.ts'
import type { NotificationsOptions, NotificationsSocket } from '../effects/notifications-socket.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { isSameLiveness, type Liveness, livenessOf, type Unnotified } from './liveness.ts'

/** Of which groups, users or settings; `ids` empty: of many. */
export type Change = Extract<LiveMessage, { type: 'changed' }>

export type ServerTime = { now: number; speed: number; paused: boolean }

/** Notifications come again by themselves after a cut: without them for longer, it is not live, ms. */
const NOTIFIED_AGAIN = 10_000
/** A node that is behind what another sent has caught up within so long, or has another log, ms. */
const CAUGHT_UP = 5000

type Wires = Pick<LiveSocketOptions, 'onFrame' | 'onMessage' | 'onClose'>
type NotificationWires = Omit<NotificationsOptions, 'baseUrl' | 'credentials'>

export type LiveFeedDeps = {
  fleet: Fleet
  fetchFleet(signal: AbortSignal): Promise<FleetSnapshot>
  openLive(wires: Wires): LiveSocket
  /** @throws where what it needs did not arrive */
  openNotifications(wires: NotificationWires): Promise<NotificationsSocket>
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
  /** up to where it was told here what happened: whoever asks for something anew is to be answered with no less */
  readonly position: number | undefined
  /** somebody has seen all notifications up to a position */
  see(userId: string, upTo: number): void
  /** tries again now what failed: somebody does not want to wait */
  retry(): void
  stop(): void
}

/** What a feed is made of: where it sends to, the machines that decide, and how far it has come. */
type LiveState = {
  deps: LiveFeedDeps
  subjects: Subjects
  feed: ActorRefFrom<typeof feedMachine>
  link: ActorRefFrom<typeof linkMachine>
  /** the sockets, while there are any */
  live: LiveSocket | undefined
  /** the last link was ended by a server that begins anew, or because the visitor's group changed */
  isMoved: boolean
  notifications: Promise<NotificationsSocket> | undefined
  /** why there are no notifications; undefined: they come, or nobody has asked for them yet */
  unnotified$: BehaviorSubject<Unnotified>
  /** the same, once it has been so for longer than is worth a word */
  unnotified: Unnotified
  /** everything up to this moment is shown, epoch ms; null: nothing is yet */
  dataAt: number | null
  /** where the fleet was fetched, and where it must be fetched to know what the visitor sees */
  fetchedSeq: number
  neededSeq: number
  /** up to where facts and notifications came */
  factsSeq: number | undefined
  notifiedSeq: number
  /** a fact of the log whose positions these are */
  mark: LogMark | undefined
  /** of the newest message that says that something is otherwise now */
  toldSeq: number | undefined
}

type Subjects = {
  liveness$: BehaviorSubject<Liveness>
  time$: Subject<ServerTime>
  facts$: Subject<Fact>
  changes$: Subject<Change>
  notifications$: Subject<ServerEvents['notification']>
  liveFrom$: BehaviorSubject<number | undefined>
  logouts$: Subject<ServerEvents['logout']>
}

const createSubjects = (): Subjects => ({
  liveness$: new BehaviorSubject<Liveness>({ state: 'catching-up', since: null, dataAt: null }),
  time$: new Subject(),
  facts$: new Subject(),
  changes$: new Subject(),
  notifications$: new Subject(),
  liveFrom$: new BehaviorSubject<number | undefined>(undefined),
  logouts$: new Subject(),
})

/**
 * One stream out of four sources: the fleet as it was fetched, frames, the server's word on how far it is, and facts.
 * Everything is merged by its position in the log; what does not join on is asked for again, or fetched anew.
 * Frames are merged as they come, five a second at most; the fleet notifies the screen once a frame.
 */
export function startLiveFeed(deps: LiveFeedDeps): LiveFeed {
  const state: LiveState = {
    deps,
    subjects: createSubjects(),
    feed: createFeed(deps, () => state),
    link: createLink(deps, () => state),
    live: undefined,
    isMoved: false,
    notifications: undefined,
    unnotified$: new BehaviorSubject<Unnotified>(undefined),
    unnotified: undefined,
    dataAt: null,
    fetchedSeq: -1,
    neededSeq: -1,
    factsSeq: undefined,
    notifiedSeq: -1,
    mark: undefined,
    toldSeq: undefined,
  }
  const { feed, link, subjects } = state
  link.subscribe(() => emitLiveness(state))
  feed.subscribe(() => emitLiveness(state))
  feed.start()
  link.start()
  const unnotified = state.unnotified$
    .pipe(
      distinctUntilChanged(),
      switchMap((why) => (why === undefined ? of(why) : timer(NOTIFIED_AGAIN).pipe(map(() => why)))),
    )
    .subscribe((why) => {
      state.unnotified = why
      emitLiveness(state)
    })
  const network = deps.network$
    .pipe(distinctUntilChanged())
    .subscribe((isThere) =>
      link.send(isThere ? { type: 'networkBack' } : { type: 'networkLost', at: deps.now() }),
    )
  return {
    ...subjects,
    get position() {
      return state.toldSeq
    },
    liveness$: subjects.liveness$.pipe(distinctUntilChanged(isSameLiveness)),
    readingsOf: (deviceNo) => readingsOf(deps.fleet, deviceNo),
    see: (userId, upTo) => withNotifications(state, (socket) => socket.see(userId, upTo)),
    retry: () => retry(state),
    stop() {
      network.unsubscribe()
      unnotified.unsubscribe()
      stop(state)
    },
  }
}

const createFeed = ({ inspect }: LiveFeedDeps, stateOf: () => LiveState): LiveState['feed'] =>
  createActor(
    feedMachine.provide({
      actors: { loadFleet: fromPromise<void>(({ signal }) => loadFleet(stateOf(), signal)) },
      actions: { askToResume: () => requestResume(stateOf()) },
    }),
    { inspect },
  )

const createLink = ({ inspect, now }: LiveFeedDeps, stateOf: () => LiveState): LiveState['link'] =>
  createActor(
    linkMachine.provide({
      actors: { connection: fromCallback<LinkEvent>(({ sendBack }) => connect(stateOf(), sendBack)) },
    }),
    { input: { at: now() }, inspect },
  )

async function loadFleet(state: LiveState, signal: AbortSignal): Promise<void> {
  const { deps } = state
  const snapshot = await deps.fetchFleet(signal)
  if (signal.aborted) return
  state.fetchedSeq = snapshot.head.seq
  deps.fleet.load(snapshot)
  state.dataAt = snapshot.head.now
  // Facts go on from the first fleet: what it knows already need not be sent.
  if (state.factsSeq === undefined) beginFacts(state, state.fetchedSeq)
  if (state.notifications === undefined) openNotifications(state)
}

function openNotifications(state: LiveState): void {
  state.unnotified$.next('no-answer')
  state.notifications = state.deps.openNotifications(notificationWires(state))
  state.notifications.catch(() => {
    state.notifications = undefined
  })
}

/** Does it as soon as there is a socket. */
const withNotifications = ({ notifications }: LiveState, act: (socket: NotificationsSocket) => void): void =>
  void notifications?.then(act, () => {})

/** Tries again now where there is no link. */
function retryNotifications(state: LiveState): void {
  if (state.notifications === undefined && state.dataAt !== null) openNotifications(state)
  else withNotifications(state, (socket) => socket.retry())
}

function requestResume({ deps, feed, live, fetchedSeq, neededSeq }: LiveState): void {
  if (fetchedSeq < neededSeq) queueMicrotask(() => feed.send({ type: 'snapshotNeeded' }))
  else if (deps.fleet.seq !== undefined) live?.resume(deps.fleet.seq)
}

/** Opens `/live`; answers how to close it. A node that is behind what is known is let catch up first: its frames bring nothing new. */
function connect(state: LiveState, sendBack: (event: LinkEvent) => void): () => void {
  const { deps, feed } = state
  let catchingUp: ReturnType<typeof setTimeout> | undefined
  const isBehind = (seq: number): boolean => seq < (deps.fleet.seq ?? 0)
  function open(seq: number): void {
    clearTimeout(catchingUp)
    catchingUp = undefined
    state.isMoved = false
    // A server that stays behind what it once sent has begun a new log: nothing known counts there.
    if (isBehind(seq)) startOver(state)
    // whoever keeps an answer asks for it again now
    noteTold(state, seq)
    sendBack({ type: 'opened' })
    retryNotifications(state)
    feed.send({ type: 'linkUp' })
  }
  const socket = deps.openLive({
    onFrame(frame) {
      if (catchingUp === undefined) takeFrame(state, frame)
      else if (!isBehind(frame.seq)) open(frame.seq)
    },
    onMessage(message) {
      if (message.type !== 'welcome') {
        if (catchingUp === undefined || message.type !== 'age') takeMessage(state, message)
        else if (!isBehind(message.seq)) open(message.seq)
      } else if (isBehind(message.seq) && !state.isMoved)
        catchingUp = setTimeout(open, CAUGHT_UP, message.seq)
      else open(message.seq)
    },
    onClose(code, reason) {
      state.isMoved = code === LIVE_CLOSE.moved
      if (code === LIVE_CLOSE.outdated) endAsOutdated(state)
      else sendBack({ type: 'closed', code, reason, at: deps.now() })
    },
  })
  state.live = socket
  return () => {
    clearTimeout(catchingUp)
    socket.close()
    if (state.live === socket) state.live = undefined
    feed.send({ type: 'linkDown' })
  }
}

/** Nothing more is tried over either socket: only another portal would be let in. */
function endAsOutdated(state: LiveState): void {
  const { feed, link } = state
  feed.send({ type: 'outdated' })
  link.send({ type: 'outdated' })
  withNotifications(state, (socket) => socket.close())
}

function takeFrame(state: LiveState, frame: LiveFrame): void {
  const { deps, feed } = state
  const merged = deps.fleet.merge(frame, deps.monotonic())
  joined(state, merged !== 'gap', frame.baseAt)
  if (merged === 'stranger') feed.send({ type: 'snapshotNeeded' })
}

function takeMessage(state: LiveState, message: Exclude<LiveMessage, { type: 'welcome' }>): void {
  const { deps, feed, subjects } = state
  if (message.type === 'scope' || message.type === 'changed') noteTold(state, message.seq)
  if (message.type === 'snapshot') feed.send({ type: 'snapshotNeeded' })
  else if (message.type === 'scope') fetchSince(state, message.seq)
  else if (message.type === 'changed') subjects.changes$.next(message)
  else {
    const { now, speed, paused, prevSeq, seq } = message
    subjects.time$.next({ now, speed, paused })
    joined(state, deps.fleet.pass(prevSeq, seq), now)
  }
}

function noteTold(state: LiveState, seq: number): void {
  state.toldSeq = Math.max(state.toldSeq ?? 0, seq)
}

/** The fleet must be one fetched at this position or later. */
function fetchSince(state: LiveState, seq: number): void {
  state.neededSeq = Math.max(state.neededSeq, seq)
  if (state.fetchedSeq < state.neededSeq) state.feed.send({ type: 'snapshotNeeded' })
}

function startOver(state: LiveState): void {
  state.deps.fleet.clear()
  state.fetchedSeq = -1
  state.neededSeq = -1
  state.factsSeq = undefined
  state.notifiedSeq = -1
  state.mark = undefined
  state.toldSeq = undefined
  state.subjects.liveFrom$.next(undefined)
  state.feed.send({ type: 'snapshotNeeded' })
}

/** Facts go on from here; whoever keeps a list of them asks for what was before. */
function beginFacts(state: LiveState, seq: number): void {
  state.factsSeq = seq
  state.subjects.liveFrom$.next(seq)
}

/** Something came: it joins on to what is known, or there is a gap before it. */
function joined(state: LiveState, joins: boolean, at: number): void {
  const { feed } = state
  if (joins) state.dataAt = Math.max(state.dataAt ?? 0, at)
  if (joins !== feed.getSnapshot().matches('live')) feed.send({ type: joins ? 'joined' : 'gapFound' })
  emitLiveness(state)
}

const emitLiveness = ({ subjects, link, feed, dataAt, unnotified }: LiveState): void =>
  subjects.liveness$.next(livenessOf(link.getSnapshot(), feed.getSnapshot(), dataAt, unnotified))

const notificationWires = (state: LiveState): NotificationWires => ({
  after: () => state.factsSeq,
  mark: () => state.mark,
  onFacts: (page) => takeFacts(state, page),
  onSnapshot({ seq, isAnew }) {
    if (isAnew) startOver(state)
    noteTold(state, seq)
    beginFacts(state, seq)
    fetchSince(state, seq)
  },
  onNotification(notification) {
    // After a cut some are sent again.
    if (notification.seq <= state.notifiedSeq) return
    state.notifiedSeq = notification.seq
    noteTold(state, notification.seq)
    state.subjects.notifications$.next(notification)
  },
  onLink: (hindrance) => state.unnotified$.next(hindrance),
  onOutdated: () => endAsOutdated(state),
  onVehicleStatusChanged: () => {},
  onLogout: (logout) => state.subjects.logouts$.next(logout),
  onCatchingUp: ({ isWhole, devices }) => state.deps.fleet.noteProgress(devices, isWhole),
})

function takeFacts(state: LiveState, { prevSeq, seq, facts, mark }: ServerEvents['facts']): void {
  state.mark = mark ?? state.mark
  const isFirst = state.factsSeq === undefined
  const known = state.factsSeq ?? prevSeq
  if (prevSeq > known) fetchSince(state, seq)
  if (isFirst || prevSeq > known) beginFacts(state, prevSeq)
  const news = facts.filter((fact) => fact.seq > known)
  state.factsSeq = Math.max(known, seq)
  if (news.length > 0) noteTold(state, seq)
  state.deps.fleet.apply(news)
  for (const fact of news) state.subjects.facts$.next(fact)
}

/** Tries again now; a link that is there stays: nothing would be won by making another. */
function retry(state: LiveState): void {
  const { link, feed } = state
  if (!link.getSnapshot().matches({ linking: 'online' })) link.send({ type: 'retry' })
  feed.send({ type: 'retry' })
  retryNotifications(state)
}

function stop(state: LiveState): void {
  const { link, feed, subjects } = state
  withNotifications(state, (socket) => socket.close())
  link.stop()
  feed.stop()
  for (const subject of Object.values(subjects)) subject.complete()
}

const readingsOf = (fleet: Fleet, deviceNo: number): Observable<number> =>
  new Observable((subscriber) => fleet.watch(deviceNo, (row) => subscriber.next(row)))

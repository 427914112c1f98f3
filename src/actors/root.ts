import type { ActorRefFrom } from 'xstate'
import { waitFor } from 'xstate'
import type { AsOfView } from '#machines/contracts/calls/as-of.ts'
import type { AsOfOverview } from '#machines/contracts/calls/as-of-calls.ts'
import { SERVER_CALLS } from '#machines/contracts/calls/server-calls.ts'
import type { newVersionMachine } from '#machines/new-version/new-version.machine.ts'
import { messageOf } from '#machines/rules/message-of.ts'
import type { sessionMachine } from '#machines/session/session.machine.ts'
import type { HandOff, NetworkError, Session } from '#machines/session/session.ts'
import type { timeMachine } from '#machines/time-machine/time-machine.machine.ts'
import { asPartMissing, CallRefused, PartMissing, Unreachable } from '../effects/call-failures.ts'
import type { ServerClock } from '../effects/clock.ts'
import type { CommandKeys } from '../effects/command-keys.ts'
import type { DirectorMemory } from '../effects/director-memory.ts'
import type { Drafts } from '../effects/drafts.ts'
import { type Credentials, createHttp, type Http } from '../effects/http.ts'
import { NETWORK_ERROR_PATH } from '../effects/leaving.ts'
import type { Preferences } from '../effects/preferences.ts'
import type { ReturnPage } from '../effects/return-page.ts'
import type { SessionStorage } from '../effects/storage.ts'
import type { TabLock } from '../effects/tab-lock.ts'
import type { Toasts } from '../effects/toast.ts'
import { tokenEnd, userOf } from '../effects/token-claims.ts'
import type { Fleet } from '../read-model/fleet.ts'
import type { LiveFeed } from '../streams/live-feed.ts'
import type { Desk } from './desk.ts'
import { type LinkStatus, notYetLinked } from './link-status.ts'
import { createNewVersion } from './new-version-actor.ts'
import type { Notifications } from './notifications.ts'
import type { Recorder } from './recording/recorder.ts'
import { createSession, REFRESH_AHEAD } from './session-actor.ts'
import { createStore, type Store } from './store.ts'

/** What the server says about itself; undefined until it has. */
export type ServerInfo =
  | { simulator: boolean; timeZone: string; needsAdministrator?: true | undefined }
  | undefined

/** Effects by name: all the portal does outside itself. */
export type Effects = {
  baseUrl: string
  fetch: typeof fetch
  storage: SessionStorage
  tabs: TabLock
  clock: ServerClock
  toasts: Toasts
  preferences: Store<Preferences>
  /** of the director's panel, as long as the tab */
  director: Store<DirectorMemory>
  returnPage: ReturnPage
  goTo(path: string, state?: unknown): void
  reload(): void
  /** goes to an address as if it were typed: the page starts anew */
  open(path: string): void
  /** the build of the portal that this window is of, as its first file is named; undefined: not built */
  build: string | undefined
  /** what was typed and not saved, for when the page has to go */
  drafts: Drafts
  commandKeys(): Promise<CommandKeys | undefined>
  /** path and query of the page one is on */
  place(): string
  /** the page is on its way out: its calls are broken off */
  isLeft(): boolean
  /** the visitor looks at this window again */
  onReturn(listener: () => void): void
  /** what an administrator brought along; null: too little, undefined: none came */
  handOff: HandOff | null | undefined
  /** fetches what only those signed in need */
  loadLive(): Promise<{ startLive(root: Root, who: { groupId: string; userId: string }): Live }>
  download(name: string, blob: Blob): void
}

/** What runs while somebody is signed in: their fleet, fed by the streams. */
export type Live = {
  fleet: Fleet
  feed: LiveFeed
  notifications: Notifications
  desk: Desk
  /** where the portal stands while one looks back; undefined: now */
  past: Store<TimeMachine | undefined>
  /**
   * Goes to a time that is past, epoch ms; left out: to this minute.
   * @param view as it was shown `then`, or as is known `now`
   * @param isWanted asked once the part of the portal that does it is there
   */
  lookBack(at?: number, view?: AsOfView, isWanted?: () => boolean): Promise<void>
  stop(): void
}

/** What lives as long as the page, outside React: components read it with useRoot and its hooks. */
export type Root = Pick<
  Effects,
  | 'baseUrl'
  | 'fetch'
  | 'clock'
  | 'toasts'
  | 'preferences'
  | 'director'
  | 'drafts'
  | 'returnPage'
  | 'goTo'
  | 'reload'
  | 'open'
  | 'download'
  | 'commandKeys'
> & {
  session: ActorRefFrom<typeof sessionMachine>
  /** whether this window is older than the server */
  newVersion: ActorRefFrom<typeof newVersionMachine>
  http: Http
  server: Store<ServerInfo>
  /** why the server is not there yet, while it has not answered once; undefined: it has, or may at any moment */
  absence: Store<Absence | undefined>
  /** there was no answer, and the page stands, as what is on it cannot be kept; undefined: none of it */
  networkError: Store<NetworkError | undefined>
  /** how live the screen is; the streams set it */
  link: Store<LinkStatus>
  /** the fleet of who is signed in; undefined before it has begun and when nobody is */
  live: Store<Live | undefined>
  /** what records this page; undefined while nothing does */
  recorder: Store<Recorder | undefined>
  /** tokens good for the next minute, for sockets; undefined when nobody is signed in */
  credentials(): Promise<Credentials | undefined>
}

/** The portal at a time that is past: what pages that stand there are given instead of what is live. */
export type TimeMachine = {
  actor: ActorRefFrom<typeof timeMachine>
  /** the same root, whose clock stands at the minute that is shown, and whose fleet is the one of then */
  root: Root
  fleet: Fleet
  /** what lists are of, in any words: of another time they are asked for anew; undefined: nothing is shown yet */
  listed: Store<string | undefined>
  /** the same, of the time one stands at: while it plays it stays */
  stood: Store<string | undefined>
  /** how far back one may look; undefined: not known yet */
  overview: Store<AsOfOverview | undefined>
  /** goes to the first minute that shows the violation before or after; resolves with false where there is none */
  goToEvent(direction: 'before' | 'after'): Promise<boolean>
}

/** A server that has not answered yet. `why`: in words; `askNow`: does not wait for the next try. */
export type Absence = { why: string; nextTry: number; askNow(): void }

/** Refusals past this are time-outs, ms. */
const TIMEOUT = 30_000
/** A command that was cut off is sent again, ms. */
const REPEAT_AFTER = 1000

/** Builds the root and starts the session. Once a page. */
export function startRoot(effects: Effects): Root {
  const { clock, storage } = effects
  const server = createStore<ServerInfo>(undefined)
  const live = createStore<Live | undefined>(undefined)
  const http = createHttp({
    ...effects,
    timeoutMs: TIMEOUT,
    repeatAfterMs: REPEAT_AFTER,
    credentials,
    renewed,
    position: () => live.get()?.feed.position,
    onBuild(build) {
      if (effects.build !== undefined && build !== effects.build) newVersion.send({ type: 'build.changed' })
    },
    onRefused: () => session.send({ type: 'session.refused' }),
    onTimeout: ({ message }, waited) => session.send({ type: 'call.timed-out', message, ...waited }),
    onUnreachable({ detail }, waited) {
      if (!effects.isLeft()) session.send({ type: 'call.unanswered', detail, ...waited })
    },
  })
  const networkError = createStore<NetworkError | undefined>(undefined)
  const session = createSession({ ...effects, http, showNetworkError })
  const newVersion = createNewVersion({
    ...effects,
    http,
    passOn: (detail) => session.send({ type: 'part.missing', detail }),
  })

  /**
   * The page goes, with what was typed kept for when one comes back, unless that may not be kept: then it stands. A page
   * that has lost a part of itself cannot stand.
   */
  function showNetworkError(error: NetworkError): void {
    const from = effects.place()
    if (from === NETWORK_ERROR_PATH) return
    if (effects.drafts.keep() || error.heals) effects.goTo(NETWORK_ERROR_PATH, { ...error, from })
    else networkError.set(error)
  }

  async function credentials(): Promise<Credentials | undefined> {
    const before = session.getSnapshot().context.session
    if (before === null) return undefined
    if (clock.isKnown()) {
      if (clock.now() >= before.user.exp * 1000) session.send({ type: 'session.ran-out' })
      else if (clock.now() > (tokenEnd(before.accessToken) ?? Number.POSITIVE_INFINITY) - REFRESH_AHEAD)
        session.send({ type: 'refresh.due' })
    }
    return settled()
  }

  /** The server knows the time better: what it took for run out is refreshed, once however many were refused. */
  async function renewed(refused: Credentials): Promise<Credentials | undefined> {
    const now = session.getSnapshot().context.session
    if (now?.accessToken === refused.accessToken) session.send({ type: 'refresh.due' })
    const after = await settled()
    // what one user asked for is not sent again as the next
    const isTheirs = after && userOf(after.accessToken) === userOf(refused.accessToken)
    return isTheirs && after.accessToken !== refused.accessToken ? after : undefined
  }

  async function settled(): Promise<Credentials | undefined> {
    const { context } = await waitFor(session, (state) => !state.matches({ authenticated: 'refreshing' }))
    return context.session === null ? undefined : credentialsOf(context.session)
  }

  storage.onForgottenElsewhere(() => session.send({ type: 'session.left-elsewhere' }))
  storage.onStoredElsewhere((stored) => session.send({ type: 'session.stored-elsewhere', session: stored }))
  // Timers sleep in windows nobody looks at: what ran out meanwhile is seen before anything is pressed.
  effects.onReturn(() => void credentials())
  session.start()
  newVersion.start()
  const reset = storage.rememberedReset()
  if (effects.handOff !== undefined) session.send({ type: 'hand-off.arrived', handOff: effects.handOff })
  else if (reset !== null) session.send({ type: 'reset.resumed', token: reset })
  const root: Root = {
    ...effects,
    session,
    newVersion,
    http,
    server,
    credentials,
    absence: createStore<Absence | undefined>(undefined),
    networkError,
    link: createStore(notYetLinked),
    live,
    recorder: createStore<Recorder | undefined>(undefined),
  }
  followSession(root, effects.loadLive, askTime(root))
  return root
}

/** Before the server is asked for the time again, ms. */
const PAUSE = 2000

/** Learns the server's clock and zone; resolves once it has. Nothing that shows times begins before. */
async function askTime({ http, clock, server, absence, link }: Root): Promise<void> {
  for (;;) {
    try {
      const { now, ...info } = await http.ask(SERVER_CALLS.time, {}, { isBackground: true })
      // A clock that already runs by the live link knows its speed too.
      if (!clock.isKnown()) clock.set({ now, speed: 1, paused: false })
      absence.set(undefined)
      link.set(notYetLinked)
      server.set(info)
      return
    } catch (error) {
      link.set({ ...notYetLinked, state: 'offline', hindrance: 'trying' })
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, PAUSE)
        const askNow = () => {
          clearTimeout(timer)
          absence.set({ why: absenceOf(error), nextTry: performance.now(), askNow: () => {} })
          resolve()
        }
        absence.set({ why: absenceOf(error), nextTry: performance.now() + PAUSE, askNow })
      })
    }
  }
}

function absenceOf(error: unknown): string {
  if (error instanceof Unreachable) return 'It cannot be reached.'
  if (error instanceof CallRefused) return `It is not ready: ${error.message} (${error.status}).`
  return messageOf(error)
}

/** The fleet begins with a session and ends with it; another user's is another one. */
function followSession(root: Root, loadLive: Effects['loadLive'], timeIsKnown: Promise<void>): void {
  let user: string | undefined
  /** grows with each change of who is here: what was begun for the one before is not finished */
  let round = 0
  async function follow(session: Session | null): Promise<void> {
    if (session?.user._id === user) return
    user = session?.user._id
    const mine = ++round
    root.live.get()?.stop()
    root.live.set(undefined)
    root.link.set(notYetLinked)
    if (session === null) return
    try {
      const [part] = await Promise.all([loadLive(), timeIsKnown])
      if (mine !== round) return
      const { groupId, _id: userId } = session.user
      const live = part.startLive(root, { groupId, userId })
      // its first call may find that the session is over
      if (mine === round) root.live.set(live)
      else live.stop()
    } catch (error) {
      if (!notePartMissing(root, error)) throw error
    }
  }
  root.session.subscribe(({ context }) => void follow(context.session))
  void follow(root.session.getSnapshot().context.session)
}

/**
 * Has the page loaded anew where an import did not arrive: a browser keeps one that failed.
 * @returns whether it was that
 */
export function notePartMissing({ newVersion, drafts }: Root, thrown: unknown): boolean {
  const error = asPartMissing(thrown)
  if (!(error instanceof PartMissing)) return false
  newVersion.send({ type: 'part.missing', detail: error.detail, isKept: drafts.keep() })
  return true
}

function credentialsOf({ accessToken, refreshToken, isSuperAdminUser }: Session): Credentials {
  return { accessToken, refreshToken, isSuperAdminUser }
}

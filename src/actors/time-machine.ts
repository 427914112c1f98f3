import { createActor, type EventObject, fromCallback, fromPromise, type SnapshotFrom } from 'xstate'
import { type AsOfView, takesAsOf } from '#machines/contracts/calls/as-of.ts'
import { AS_OF_CALLS, type AsOfOverview, STILL_TO_COME } from '#machines/contracts/calls/as-of-calls.ts'
import type { Call, RequestOf } from '#machines/contracts/calls/call.ts'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { Desk as KnownIncidents } from '#machines/contracts/entities/incidents.ts'
import {
  decodeFleetSnapshot,
  FLEET_CONTENT_TYPE,
  type FleetSnapshot,
} from '#machines/contracts/fleet-snapshot.ts'
import {
  type Look,
  type Playback,
  type Shown,
  timeMachine,
} from '#machines/time-machine/time-machine.machine.ts'
import { frameAfterTyping } from '../effects/after-typing.ts'
import type { ServerClock } from '../effects/clock.ts'
import type { Http } from '../effects/http.ts'
import { addressTime } from '../format/time.ts'
import { differingFrom } from '../read-model/differing-rows.ts'
import { createFleet, type Fleet } from '../read-model/fleet.ts'
import { beginLike } from './dashboard-actor.ts'
import type { Desk } from './desk.ts'
import { inspect } from './inspection.ts'
import type { Notifications } from './notifications.ts'
import { ONLY_NOW } from './only-now.ts'
import { hasPast } from './past-pages.ts'
import { play } from './playing.ts'
import type { Live, Root, TimeMachine } from './root.ts'
import { createSeeking } from './seeking.ts'
import { createStore, type Store } from './store.ts'

/** What is told of each hour is asked for anew after so long, ms. */
const OVERVIEW_MS = 3_600_000
/** While it plays ten minutes a second, each is to be seen; ms. */
const DRAW_EVERY = 50

/**
 * Goes to a time that is past, epoch ms; left out: to this minute, on the dashboard where the page has no past, and nowhere for who
 * looks back already. The time machine is there until one leaves it.
 */
export function lookBack(root: Root, live: Live, groupId: string, requested?: number, view?: AsOfView): void {
  const now = root.clock.now()
  const at = requested ?? now
  if (at > now) {
    root.toasts.error(STILL_TO_COME)
    return
  }
  const { past } = live
  if (requested === undefined && past.get() !== undefined) return
  if (requested === undefined && !hasPast(location.pathname)) {
    // whoever typed something on that page is asked first
    root.goTo(`/?asOf=${encodeURIComponent(addressTime(at))}`)
    return
  }
  const machine = past.get() ?? startTimeMachine(root, live, groupId, () => past.set(undefined))
  machine.actor.send({ type: 'look.back', at, now, ...(view && { view }) })
  past.set(machine)
}

/** Looks back from what is live, until one leaves; `onLeft` is called then. */
function startTimeMachine(root: Root, live: Live, groupId: string, onLeft: () => void): TimeMachine {
  const { http, clock } = root
  const fleet = createFleet(frameAfterTyping(window, isTyped), DRAW_EVERY)
  beginLike(fleet, live.fleet)
  const askFor = (look: Look, signal: AbortSignal) => fleetOfThen(http, fleet, look, signal)
  const seeking = createSeeking(askFor, ({ shown }) => actor.send({ type: 'passed', shown }))
  const actor = createActor(
    timeMachine.provide({
      actors: {
        load: fromPromise<Shown, Look>(({ input, signal }) => seeking.seek(input, signal)),
        playback: fromCallback<EventObject, Playback>(({ input, sendBack }) => {
          const playing = new AbortController()
          void play(input, { askFor, now: clock.now, signal: playing.signal, send: sendBack })
          return () => playing.abort()
        }),
      },
    }),
    { inspect },
  )
  const { overview, askOverview } = createOverview(root)
  let wasPast = false
  actor.subscribe((state) => {
    const isPast = state.matches('past')
    if (state.matches({ past: 'seeking' })) askOverview()
    else seeking.stop()
    if (isPast !== wasPast) void hold(root, isPast)
    if (wasPast && !isPast) {
      onLeft()
      fleet.clear()
      // what is answered later leads nobody back
      actor.stop()
    }
    wasPast = isPast
  })
  const { listed, stood } = followListed(actor)
  actor.start()
  const steps: Steps = { actor, root, going: Promise.resolve(), ledTo: undefined, round: 0 }
  return {
    actor,
    root: rootOfThen({ root, live, groupId }, fleet, actor, listed),
    fleet,
    listed,
    stood,
    overview,
    goToEvent: (direction) => goToEvent(steps, direction),
  }
}

/** @returns what shows in the fleet what was asked for */
async function fleetOfThen(
  http: Http,
  fleet: Fleet,
  { at, view, isDifferencesOnly }: Look,
  signal: AbortSignal,
): Promise<() => Shown> {
  const ask = async (view: AsOfView): Promise<FleetSnapshot> => {
    const query = { at: new Date(at).toISOString(), view }
    // why it does not come is said in the bar, which can ask again
    const options = { signal, isBackground: true }
    const bytes = await http.askBytes(AS_OF_CALLS.fleetAsOf, { query }, FLEET_CONTENT_TYPE, options)
    return decodeFleetSnapshot(bytes)
  }
  const [its, others] = await Promise.all([
    ask(view),
    isDifferencesOnly ? ask(view === 'then' ? 'now' : 'then') : undefined,
  ])
  return () => {
    if (!signal.aborted) fleet.load(others === undefined ? its : differingFrom(its, others), true)
    return { shown: its.head.now }
  }
}

/** `askOverview` asks for it where it did not come, and once what came has no bars for the newest hour. */
function createOverview({ http, clock }: Root) {
  const overview = createStore<AsOfOverview | undefined>(undefined)
  let overviewAt = Number.NEGATIVE_INFINITY
  function askOverview(): void {
    if (clock.now() - overviewAt < OVERVIEW_MS) return
    overviewAt = clock.now()
    http.ask(AS_OF_CALLS.asOfOverview, {}, { isBackground: true }).then(overview.set, () => {
      overviewAt = Number.NEGATIVE_INFINITY
    })
  }
  return { overview, askOverview }
}

/** From event to event: each press goes on from where the one before led, unless the visitor went elsewhere meanwhile. */
type Steps = {
  actor: TimeMachine['actor']
  root: Root
  going: Promise<unknown>
  ledTo: number | undefined
  /** begins anew where the visitor went elsewhere */
  round: number
}

function goToEvent(steps: Steps, direction: 'before' | 'after'): Promise<boolean> {
  const { actor } = steps
  // what plays would be elsewhere by the time it is answered
  actor.send({ type: 'pause' })
  const { at } = actor.getSnapshot().context
  if (at !== steps.ledTo) steps.round++
  steps.ledTo = at
  const mine = steps.round
  const gone = steps.going.then(() => {
    const { context, value } = actor.getSnapshot()
    const isMeant = mine === steps.round && context.at === steps.ledTo && value !== 'now'
    return isMeant ? askEvent(steps, direction) : true
  })
  steps.going = gone.catch(() => {})
  return gone
}

/** @returns whether there is one */
async function askEvent(steps: Steps, direction: 'before' | 'after'): Promise<boolean> {
  const { actor, root } = steps
  const { at: from, view } = actor.getSnapshot().context
  const query = { at: new Date(from).toISOString(), view, direction }
  const { at } = await root.http.ask(AS_OF_CALLS.asOfEvent, { query })
  const { context, value } = actor.getSnapshot()
  // whoever has gone to another time meanwhile, or back to now, stays there
  if (context.at !== from || value === 'now') return true
  if (at === null) return false
  actor.send({ type: 'look.back', at: Date.parse(at), now: root.clock.now() })
  steps.ledTo = actor.getSnapshot().context.at
  return true
}

/** With arrows one goes through the minutes, and wants to see each. */
const isTyped = ({ key }: KeyboardEvent): boolean => !key.startsWith('Arrow')

/** No command goes to the server while one looks back. */
async function hold({ commandKeys }: Root, isPast: boolean): Promise<void> {
  const keys = await commandKeys()
  keys?.hold(isPast ? ONLY_NOW : undefined)
}

/** While it plays lists are asked for anew so often, and while one draws the slider not before it rests for so long, ms. */
const LISTED_EVERY = 2_000
const RESTS_AFTER = 200

/** What lists are of: other ones with another minute. */
function listedOf(state: SnapshotFrom<typeof timeMachine>): string | undefined {
  const { shown, view, speed } = state.context
  const every = state.matches({ past: 'playing' }) ? LISTED_EVERY * speed : 1
  return shown === null ? undefined : `${Math.floor(shown / every)} ${view}`
}

function followListed(actor: TimeMachine['actor']): Pick<TimeMachine, 'listed' | 'stood'> {
  const listed = createStore<string | undefined>(undefined)
  const stood = createStore<string | undefined>(undefined)
  let timer: ReturnType<typeof setTimeout> | undefined
  let { at } = actor.getSnapshot().context
  let [before, last] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  actor.subscribe((state) => {
    if (state.context.at !== at) [before, last] = [last, performance.now()]
    at = state.context.at
    clearTimeout(timer)
    if (state.matches({ past: 'seeking' })) return
    const show = (): void => {
      const its = listedOf(state)
      listed.set(its)
      if (!state.matches({ past: 'playing' })) stood.set(its)
    }
    const isDrawn = state.matches({ past: 'standing' }) && last - before < RESTS_AFTER
    if (isDrawn) timer = setTimeout(show, RESTS_AFTER)
    else show()
  })
  return { listed, stood }
}

/** What the operators of a group had in hand at the time that is shown. */
function deskOfThen(http: Http, groupId: string, listed: Store<string | undefined>): Desk {
  const known = createStore<KnownIncidents | undefined>(undefined)
  const time = createStore('')
  let asking: AbortController | undefined
  const ask = async (signal: AbortSignal): Promise<void> => {
    const { seq: _, ...desk } = await http.ask(
      NOTIFICATION_CALLS.incidents,
      { params: { groupId } },
      { signal, isBackground: true },
    )
    if (!signal.aborted) known.set(desk)
  }
  const follow = (): void => {
    asking?.abort()
    const its = listed.get()
    if (its === undefined) return
    time.set(its)
    const requested = new AbortController()
    asking = requested
    // what is known of another time is not of this one
    void ask(requested.signal).catch(() => requested.signal.aborted || known.set(undefined))
  }
  listed.subscribe(follow)
  const refuse = () => Promise.reject(new Error(ONLY_NOW))
  return {
    known,
    time,
    act: refuse,
    take: refuse,
    release: refuse,
    unshelve: refuse,
    glances: (things, signal) =>
      http.ask(NOTIFICATION_CALLS.glances, { body: { things: [...things] } }, { signal, isBackground: true }),
    stop: () => {},
  }
}

type Now = { root: Root; live: Live; groupId: string }

function rootOfThen(
  { root, live, groupId }: Now,
  fleet: Fleet,
  actor: TimeMachine['actor'],
  listed: Store<string | undefined>,
): Root {
  const clock: ServerClock = {
    ...root.clock,
    now() {
      const { shown, at } = actor.getSnapshot().context
      return shown ?? at
    },
    until: () => Number.POSITIVE_INFINITY,
  }
  const http = httpOfThen(root.http, actor)
  const desk = deskOfThen(http, groupId, listed)
  const notifications: Notifications = {
    ...live.notifications,
    // nothing of then is news
    open: (filters) => live.notifications.open(filters, http),
    see: () => {},
  }
  return {
    ...root,
    http,
    clock,
    // what is past does not age
    link: createStore({ ...root.link.get(), state: 'live' as const }),
    live: createStore<Live | undefined>({ ...live, fleet, desk, notifications }),
  }
}

/** Asks of the time that is shown whatever can be asked of one. */
function httpOfThen(http: Http, actor: TimeMachine['actor']): Http {
  const ofThen = <C extends Call>(call: C, request: RequestOf<C>): RequestOf<C> => {
    if (!takesAsOf(call)) return request
    const { shown, at, view } = actor.getSnapshot().context
    const query = request.query as Record<string, unknown> | undefined
    return { ...request, query: { ...query, asOf: new Date(shown ?? at).toISOString(), view } }
  }
  return {
    ask: (call, request, options) => http.ask(call, ofThen(call, request), options),
    askBytes: (call, request, accept, options) => http.askBytes(call, ofThen(call, request), accept, options),
  }
}

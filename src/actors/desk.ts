import { asyncScheduler, auditTime, merge, Subject, Subscription, throttleTime } from 'rxjs'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { Clock } from '#machines/contracts/clock.ts'
import type { Glance, Incident, Desk as Known, Shelving } from '#machines/contracts/entities/incidents.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { IncidentAction, NotDone } from '#machines/incident-action/incident-action.machine.ts'
import {
  deskOf,
  evolveIncidents,
  found,
  type Incidents,
  incidentsOf,
} from '#machines/projections/incidents.ts'
import { isOfLost, MOST_LOST } from '#machines/projections/lost-devices.ts'
import type { Http } from '../effects/http.ts'
import type { LiveFeed } from '../streams/live-feed.ts'
import { askAgain } from './ask-again.ts'
import { wordsOf } from './failure-words.ts'
import { createStore, type Store } from './store.ts'

/** What the operators of a group work on, live: asked for once, then kept true by facts. */
export type Desk = {
  /** undefined: not known yet */
  known: Store<Known | undefined>
  /** acknowledges, shelves or comments, one after the other until it is stopped; @throws {NotDone} in words, with what was not done */
  act(action: IncidentAction): Promise<void>
  take(incident: Incident): Promise<void>
  release(incident: Incident): Promise<void>
  unshelve(shelving: Shelving): Promise<void>
  glances(imeis: readonly string[], signal: AbortSignal): Promise<Glance[]>
  /** of another time than now: which, in any words; glances are of it */
  time?: Pick<Store<string>, 'get' | 'subscribe'>
  stop(): void
}

export type DeskNews = Pick<LiveFeed, 'facts$' | 'liveFrom$' | 'liveness$'>

/** Facts that come together are shown together, and those of a storm no more often than this, ms. */
const TOGETHER = 100
const STORM = 500
/** While more devices are lost than are listed, what is listed is asked for again so often at most, ms. */
const ASK_AGAIN_MS = 5_000
/** How many are lost is known by what is heard meanwhile; which are the newest of them is asked for again so often at most, ms. */
const LISTED_AGAIN = 30_000
/** An answer of a node that is behind what is known is asked for again so much later, ms. */
const CAUGHT_UP = 1_000

type DeskState = {
  incidents: Incidents | undefined
  /** facts up to here are in it */
  seq: number
  /** facts up to here were heard, or are not told: what is asked for from now on is to have them in it */
  newest: number
  /** facts heard while it is asked for */
  heard: Fact[]
  asking: AbortController | undefined
  /** what is known, if anything, is not all: it is to be asked for, or its answer has not come */
  isDue: boolean
}

/** Asks at once, and again until there is an answer. */
export function startDesk(
  { http, clock }: { http: Http; clock: Clock },
  news: DeskNews,
  { groupId }: { groupId: string },
): Desk {
  const known = createStore<Known | undefined>(undefined)
  const state: DeskState = {
    incidents: undefined,
    seq: -1,
    newest: -1,
    heard: [],
    asking: undefined,
    isDue: true,
  }
  const changed = new Subject<void>()
  const incomplete = new Subject<void>()
  const shorter = new Subject<void>()
  const failed = new Subject<void>()
  const behind = new Subject<void>()
  const following = new Subscription()
  /** whoever gave a command ends it by leaving: it does not go on as whoever is next */
  const leaving = new AbortController()
  const show = (): void => {
    if (state.incidents) known.set(deskOf(state.incidents, clock.now(), () => true))
  }

  async function ask(): Promise<void> {
    state.asking?.abort()
    const asking = new AbortController()
    state.asking = asking
    state.isDue = true
    const { newest } = state
    try {
      const { signal } = asking
      const options = { signal, isBackground: true }
      const { seq, ...desk } = await http.ask(NOTIFICATION_CALLS.incidents, { params: { groupId } }, options)
      if (state.asking !== asking) return
      state.asking = undefined
      const heard = state.heard.splice(0)
      if (seq < newest) return behind.next()
      state.incidents = incidentsOf(desk)
      state.seq = seq
      for (const fact of heard) take(state, fact)
      state.isDue = false
      show()
    } catch {
      if (state.asking !== asking) return
      state.asking = undefined
      state.heard = []
      failed.next()
    }
  }

  following.add(
    news.liveFrom$.subscribe((seq) => {
      state.newest = seq === undefined ? -1 : Math.max(seq, state.newest)
      if (seq !== undefined) void ask()
    }),
  )
  following.add(
    askAgain(news.liveness$, failed).subscribe(() => {
      if (state.isDue && state.asking === undefined) void ask()
    }),
  )
  following.add(
    news.facts$.subscribe((fact) => {
      const isMoreLost = (state.incidents?.moreLost ?? 0) > 0
      state.newest = Math.max(fact.seq, state.newest)
      if (state.asking) state.heard.push(fact)
      if (take(state, fact)) changed.next()
      if (isMoreLost && isOfLost(fact)) (isCountKept(state, fact) ? shorter : incomplete).next()
    }),
  )
  const outdated = merge(
    incomplete.pipe(auditTime(ASK_AGAIN_MS)),
    shorter.pipe(auditTime(LISTED_AGAIN)),
    behind.pipe(auditTime(CAUGHT_UP)),
  )
  following.add(outdated.subscribe(() => void ask()))
  const paced = throttleTime<void>(STORM, asyncScheduler, { leading: true, trailing: true })
  following.add(changed.pipe(auditTime(TOGETHER), paced).subscribe(show))

  const incidentOf = (id: string): Incident | undefined => state.incidents && found(state.incidents, id)
  return {
    known,
    act: (action) => actOn(http, action, incidentOf, leaving.signal),
    take: async ({ notificationId: id }) =>
      void (await http.ask(NOTIFICATION_CALLS.take, { params: { id } })),
    release: async ({ notificationId: id }) =>
      void (await http.ask(NOTIFICATION_CALLS.release, { params: { id } })),
    unshelve: async ({ imei, type }) =>
      void (await http.ask(NOTIFICATION_CALLS.unshelve, { params: { imei, type } })),
    glances: (things, signal) =>
      http.ask(NOTIFICATION_CALLS.glances, { body: { things: [...things] } }, { signal, isBackground: true }),
    stop() {
      state.asking?.abort()
      leaving.abort()
      following.unsubscribe()
    },
  }
}

/** Of those that are lost and not listed, how many there are follows from this fact; and enough of the others are listed still. */
const isCountKept = ({ incidents }: DeskState, { type }: Fact): boolean =>
  type === 'device-status.changed' && (incidents?.lost.size ?? 0) > MOST_LOST / 2

/** @returns whether a fact changed what is known */
function take(state: DeskState, fact: Fact): boolean {
  if (state.incidents === undefined || fact.seq <= state.seq) return false
  state.seq = fact.seq
  return evolveIncidents(state.incidents, fact)
}

/** Several at once are done one after the other; what is over meanwhile needs nothing any more but may be commented. */
async function actOn(
  http: Http,
  { kind, ids, text, minutes }: IncidentAction,
  incidentOf: (id: string) => Incident | undefined,
  signal: AbortSignal,
): Promise<void> {
  const failed: { id: string; why: string }[] = []
  for (const id of ids) {
    signal.throwIfAborted()
    const incident = incidentOf(id)
    if (incident === undefined) {
      if (kind === 'comment') failed.push({ id, why: 'It is no longer listed' })
      continue
    }
    const { imei, type, notificationId, acknowledged, clearedAt } = incident
    if (clearedAt !== null && kind !== 'comment') continue
    const params = { id: notificationId }
    try {
      if (kind === 'comment')
        await http.ask(NOTIFICATION_CALLS.comment, { params, body: { comment: text } }, { signal })
      else if (kind === 'shelve') {
        const body = { minutes, reason: text }
        await http.ask(NOTIFICATION_CALLS.shelve, { params: { imei, type }, body }, { signal })
      } else if (acknowledged === null)
        await http.ask(NOTIFICATION_CALLS.acknowledge, { params, body: { reason: text } }, { signal })
    } catch (error) {
      failed.push({ id, why: wordsOf(error) })
    }
  }
  const [first] = failed
  if (first === undefined) return
  const why = ids.length === 1 ? first.why : `${failed.length} of ${ids.length} were not done: ${first.why}`
  const error: NotDone = Object.assign(new Error(why), { ids: failed.map(({ id }) => id) })
  throw error
}

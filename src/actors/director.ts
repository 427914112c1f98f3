import { useSelector } from '@xstate/react'
import { useEffect } from 'react'
import { type ActorRefFrom, createActor, fromCallback, fromPromise } from 'xstate'
import type { SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { directorMachine } from '#machines/director/director.machine.ts'
import type { Doing, Outcome, World } from '#machines/director/doings.ts'
import { createSim } from '../effects/sim.ts'
import { act } from './director-calls/act.ts'
import { directorCalls, fetchStatus, type MomentNow, momentNow } from './director-calls/calls.ts'
import { look } from './director-calls/look.ts'
import { stopJourney, watchProgress } from './director-calls/progress.ts'
import { travel } from './director-calls/travel.ts'
import { inspection } from './inspection.ts'
import type { Root } from './root.ts'
import { createStore, type Store, useStore } from './store.ts'
import { applyTimeZone } from './time-zone.ts'
import { useRoot } from './use-root.ts'

export type DirectorActor = ActorRefFrom<typeof directorMachine>

/** An address that leads to the world as it is now, for the page that is shown. */
export type MomentLink = Omit<MomentNow, 'query'> & {
  /** path and query alone where the server has no name that others know */
  link: string
  isForOthers: boolean
}

/** The director of a page, and what the world was last heard to be, also while the panel is closed. */
export type Director = {
  actor: DirectorActor
  status: Store<SimStatus | undefined>
  /** asks for it now; what is not answered changes nothing */
  askStatus(): Promise<void>
  momentLink(): Promise<MomentLink>
  /** shows the page that was asked for with a moment, in whatever world there is; who has to sign in first comes to it then */
  leaveMoment(): void
  /** somebody looks: the machine is open as long as anybody does */
  watch(): () => void
}

/** Hosts that each machine has for itself. */
const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/

const kept = new WeakMap<Root, Director>()

/** The page's one director. It outlives screens and sessions. */
export function directorOf(root: Root): Director {
  const known = kept.get(root)
  if (known !== undefined) return known
  const made = createDirector(root)
  kept.set(root, made)
  return made
}

function createDirector(root: Root): Director {
  const { baseUrl, fetch } = root
  applyTimeZone(root)
  const ask = createSim({ baseUrl, fetch, token: () => root.director.get().token })
  const calls = directorCalls(root, ask)
  const status = createStore<SimStatus | undefined>(undefined)
  const actor = createActor(
    directorMachine.provide({
      actors: {
        look: fromPromise<World>(({ signal }) => look(calls, signal)),
        act: fromPromise<Outcome, { doing: Doing | null }>(({ input, signal }) =>
          act(calls, input.doing, signal),
        ),
        travel: fromPromise<Outcome, { doing: Doing | null }>(({ input, signal }) =>
          travel(calls, input.doing, signal),
        ),
        stopJourney: fromPromise<void>(({ signal }) => stopJourney(calls, signal)),
        watchProgress: fromCallback(({ sendBack }) =>
          watchProgress(calls, (latest) => sendBack({ type: 'status.told', status: latest })),
        ),
      },
    }),
    { inspect: inspection.inspect },
  ).start()
  actor.subscribe(({ context: { world } }) => world && status.set(world.status))
  let watching = 0
  return {
    actor,
    status,
    async momentLink() {
      const { query, ...rest } = await momentNow(calls)
      const isForOthers = !LOOPBACK.test(location.hostname)
      return {
        ...rest,
        link: `${isForOthers ? location.origin : ''}${location.pathname}${query}`,
        isForOthers,
      }
    },
    leaveMoment() {
      const { moment, ...rest } = root.director.get()
      if (moment === undefined) return
      root.director.set({ ...rest, page: moment.path })
      // Back leads to where one came from, not to the moment again.
      history.replaceState(null, '', moment.path)
    },
    askStatus: () => fetchStatus(calls).then(status.set, () => {}),
    watch() {
      watching += 1
      if (watching === 1) actor.send({ type: 'open' })
      return () => {
        watching -= 1
        if (watching === 0) actor.send({ type: 'close' })
      }
    },
  }
}

/** The director, in a component that looks at the world as long as it is there. */
export function useDirector(): Director {
  const director = directorOf(useRoot())
  useEffect(() => director.watch(), [director])
  return director
}

/** Between two questions while the panel is closed, ms. */
const ASK_EVERY = 5000

/** Which world it is and how far, for as long as somebody looks at the page; undefined before it is known. */
export function useWorldStatus(): SimStatus | undefined {
  const director = directorOf(useRoot())
  useEffect(() => {
    const ask = (): void => {
      // While the panel is open, the world is looked at anyway.
      if (!document.hidden && director.actor.getSnapshot().matches('closed')) void director.askStatus()
    }
    ask()
    const timer = setInterval(ask, ASK_EVERY)
    return () => clearInterval(timer)
  }, [director])
  return useStore(director.status)
}

/** What is on the panel now. */
export function useDirectorState() {
  return useSelector(directorOf(useRoot()).actor, (state) => state)
}

import { setTimeout as pause } from 'node:timers/promises'
import type { App } from './app.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { ReplaceApp, Simulator, SimulatorSession } from './ports.ts'

type Parts = {
  infrastructure: Infrastructure
  /** undefined in production */
  simulator: Simulator | undefined
  /** from now on nobody answers */
  hide(): void
  /** an app that answers; `onStale`: its record is another by now, or not what this node has of it */
  build(simulator: SimulatorSession | undefined, onStale: (why: string) => void): Promise<App>
}

/** The app that answers, whichever it is now. */
export type AppReloader = {
  readonly app: App
  /** waits for what is under way and closes the app */
  close(): Promise<void>
}

/** What a reloader knows. */
type State = Parts & {
  app: App | undefined
  /** which build is the newest */
  builds: number
  /** the newest build whose record turned out not to be what this node has of it */
  staleBuild: number
  /** the replacement under way, and those that wait for it */
  queue: Promise<unknown>
  closing: AbortController
}

const RETRY_MS = 1_000

/** Builds the first app, and puts others in its place: one replacement after the other. */
export async function createAppReloader(parts: Parts): Promise<AppReloader> {
  const state: State = {
    ...parts,
    app: undefined,
    builds: 0,
    staleBuild: 0,
    queue: Promise.resolve(),
    closing: new AbortController(),
  }
  await inTurn(state, () => buildFirst(state))
  return {
    get app() {
      return state.app as App
    },
    async close() {
      state.closing.abort()
      await state.queue
      await state.app?.close()
    },
  }
}

function inTurn<T>(state: State, work: () => Promise<T>): Promise<T> {
  const done = state.queue.then(work)
  state.queue = done.catch(() => {})
  return done
}

async function build(state: State): Promise<void> {
  const number = ++state.builds
  const session = state.simulator?.session((steps) => replaceApp(state, steps))
  state.app = await state.build(session, (why) => {
    state.staleBuild = number
    void inTurn(state, () => renew(state, number, why))
  })
}

/** The first app. Its record may turn out to be another one before it answers, as after a restore. */
async function buildFirst(state: State): Promise<void> {
  try {
    await state.simulator?.prepare(state.infrastructure)
    await build(state)
  } catch (error) {
    if (state.staleBuild !== state.builds || state.builds === 0) throw error
    console.error('this node begins again: the record is not what it has of it')
    await buildAgain(state)
  }
}

/** The record is another by now, or not what this node has of it. */
async function renew(state: State, number: number, why: string): Promise<void> {
  // replaced meanwhile, as by a reset of this node's own
  if (number !== state.builds || state.closing.signal.aborted) return
  console.error(`this node begins again: ${why}`)
  await leave(state)
  await buildAgain(state)
}

const replaceApp = (state: State, steps: Parameters<ReplaceApp>[0]): Promise<void> =>
  inTurn(state, async () => {
    await steps.prepare?.()
    await leave(state)
    try {
      await steps.begin()
      await build(state)
    } catch (error) {
      await steps.takeBack().catch(() => {})
      await buildAgain(state)
      throw error
    }
    await steps.done?.()
  })

async function leave({ hide, app }: State): Promise<void> {
  hide()
  await app?.close()
}

/** With what all nodes know by now, as often as it takes. */
async function buildAgain(state: State): Promise<void> {
  const { signal } = state.closing
  while (!signal.aborted)
    try {
      await state.simulator?.prepare(state.infrastructure)
      return await build(state)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      console.error(`this node cannot begin again now: ${why}`)
      state.infrastructure.cluster.stepDown(why)
      await pause(RETRY_MS, undefined, { signal }).catch(() => {})
    }
}

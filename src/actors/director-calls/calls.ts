import { SIM_CALLS, type SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import type { People } from '#machines/director/doings.ts'
import { queryOf } from '#machines/director/moment.ts'
import type { AskSim } from '../../effects/sim.ts'
import type { Root } from '../root.ts'

/** What the panel's calls on the simulated world share: the page, the way to the world, and what need not be fetched again. */
export type DirectorCalls = {
  root: Root
  ask: AskSim
  /** whom the world holds; `of`: which world */
  people: { of: string; companies: { id: string; name: string }[]; users: People['users'] } | undefined
}

export const directorCalls = (root: Root, ask: AskSim): DirectorCalls => ({
  root,
  ask,
  people: undefined,
})

/** How the world stands now. */
export async function fetchStatus(calls: DirectorCalls, signal?: AbortSignal): Promise<SimStatus> {
  return noted(calls, await calls.ask(SIM_CALLS.simStatus, {}, signal))
}

/** Sets the page's clock by an answer, also where no live link does. Answers the same. */
export function noted<S extends SimStatus>({ root }: DirectorCalls, answer: S): S {
  const { now, speed, paused, journey } = answer
  root.clock.set({ now: journey?.at ?? now, speed, paused: paused || journey !== null })
  return answer
}

/** An address that leads to the world as it is now, by its query. */
export type MomentNow = {
  query: string
  /** what was done in the panel and stands: the world is made without it */
  done: number
  /** every server has the scenario's file */
  isShipped: boolean
}

/** Rejects as the calls do where the world does not answer. */
export async function momentNow(calls: DirectorCalls): Promise<MomentNow> {
  const [now, files, actions] = await Promise.all([
    fetchStatus(calls),
    calls.ask(SIM_CALLS.simScenarios, {}),
    calls.ask(SIM_CALLS.simActions, {}),
  ])
  const done = actions.filter(({ undoneAt }) => undoneAt === null).length
  return { query: queryOf(now, files), done, isShipped: now.isShipped }
}

import { SIM_CALLS, type SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import type { People, World } from '#machines/director/doings.ts'
import { queryOf } from '#machines/director/moment.ts'
import type { AskSim } from '../../effects/sim.ts'
import type { Root } from '../root.ts'

/** What the panel's calls on the simulated world share: the page, the way to the world, and what need not be fetched again. */
export type DirectorCalls = {
  root: Root
  ask: AskSim
  /** scenarios are files: they stay */
  scenarios: World['scenarios'] | undefined
  /** whom the world holds; `of`: which world, and what was done in it */
  people: { of: string; answer: People } | undefined
}

export const directorCalls = (root: Root, ask: AskSim): DirectorCalls => ({
  root,
  ask,
  scenarios: undefined,
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

export async function fetchScenarios(
  calls: DirectorCalls,
  signal?: AbortSignal,
): Promise<World['scenarios']> {
  calls.scenarios ??= await calls.ask(SIM_CALLS.simScenarios, {}, signal)
  return calls.scenarios
}

/** The query of an address that leads to the world as it is now, and how much of what was done in it the query leaves out. */
export async function momentNow(calls: DirectorCalls): Promise<{ query: string; done: number }> {
  const [now, files, actions] = await Promise.all([
    fetchStatus(calls),
    fetchScenarios(calls),
    calls.ask(SIM_CALLS.simActions, {}),
  ])
  return { query: queryOf(now, files), done: actions.filter(({ undoneAt }) => undoneAt === null).length }
}

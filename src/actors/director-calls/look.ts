import { array, boolean, type as open, optional, string } from 'superstruct'
import { SIM_CALLS, type SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import { Finite } from '#machines/contracts/scalars.ts'
import type { People, World } from '#machines/director/doings.ts'
import { type DirectorCalls, fetchScenarios, fetchStatus } from './calls.ts'

const ScriptEvent = open({ afterMinutes: Finite, do: string(), companyId: optional(string()) })

/** What the panel needs of a scenario file. */
const ScenarioPeople = open({
  companies: array(open({ id: string(), name: string(), suspended: boolean() })),
  users: array(open({ userName: string(), email: string(), companyId: string() })),
  events: optional(array(ScriptEvent)),
})

/** What the panel shows of the world. */
export async function look(calls: DirectorCalls, signal: AbortSignal): Promise<World> {
  const { ask } = calls
  const [status, faults, links, actions] = await Promise.all([
    fetchStatus(calls, signal),
    ask(SIM_CALLS.simFaults, {}, signal),
    ask(SIM_CALLS.simLinks, {}, signal),
    ask(SIM_CALLS.simActions, {}, signal),
  ])
  const scenarios = await fetchScenarios(calls, signal)
  const people = await peopleNow(calls, { status, actions }, signal)
  return { status, faults, links, actions, scenarios, people }
}

/** Fetched again where the world is another, or something was done or undone in it. */
async function peopleNow(
  calls: DirectorCalls,
  { status, actions }: Pick<World, 'status' | 'actions'>,
  signal: AbortSignal,
): Promise<People> {
  const { scenarioName, seed, start } = status
  const of = JSON.stringify([scenarioName, seed, start, actions.map(({ id, undoneAt }) => [id, undoneAt])])
  if (calls.people?.of === of) return calls.people.answer
  const answer = await fetchPeople(calls, status, signal)
  calls.people = { of, answer }
  return answer
}

async function fetchPeople({ ask }: DirectorCalls, status: SimStatus, signal: AbortSignal): Promise<People> {
  const script = decode(await ask(SIM_CALLS.simScript, {}, signal), ScenarioPeople, 'scenario')
  const { companies, users, events = [] } = script
  const past = events.filter(({ afterMinutes }) => status.start + afterMinutes * 60_000 <= status.now)
  const lastChangeOf = (id: string) =>
    past.filter(({ do: kind, companyId }) => companyId === id && kind.startsWith('company.')).at(-1)?.do
  return {
    companies: companies.map(({ id, name, suspended }) => {
      const change = lastChangeOf(id)
      return { id, name, suspended: change === undefined ? suspended : change === 'company.suspend' }
    }),
    users,
  }
}

import { array, type as open, string } from 'superstruct'
import { SIM_CALLS, type SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import type { People, World } from '#machines/director/doings.ts'
import { type DirectorCalls, fetchStatus } from './calls.ts'

/** What the panel needs of a scenario file; who is suspended now is in the status. */
const ScenarioPeople = open({
  companies: array(open({ id: string(), name: string() })),
  users: array(open({ userName: string(), email: string(), companyId: string() })),
})

/** What the panel shows of the world. */
export async function look(calls: DirectorCalls, signal: AbortSignal): Promise<World> {
  const { ask } = calls
  const [status, faults, links, actions, scenarios] = await Promise.all([
    fetchStatus(calls, signal),
    ask(SIM_CALLS.simFaults, { query: { inForce: 'true' } }, signal),
    ask(SIM_CALLS.simLinks, {}, signal),
    ask(SIM_CALLS.simActions, {}, signal),
    ask(SIM_CALLS.simScenarios, {}, signal),
  ])
  const people = await peopleNow(calls, status, signal)
  // by the clock of this machine
  const now = Date.now()
  const here = links.map((link) => ({ ...link, until: now + link.leftMs }))
  return { status, faults, links: here, actions, scenarios, people }
}

/** Whom the world holds stands in its file; which companies are suspended changes, by whomever. */
async function peopleNow(
  calls: DirectorCalls,
  { scenarioName, seed, start, suspended }: SimStatus,
  signal: AbortSignal,
): Promise<People> {
  const of = JSON.stringify([scenarioName, seed, start])
  if (calls.people?.of !== of) {
    const script = decode(await calls.ask(SIM_CALLS.simScript, {}, signal), ScenarioPeople, 'scenario')
    calls.people = { of, ...script }
  }
  const { companies, users } = calls.people
  return {
    companies: companies.map((company) => ({ ...company, suspended: suspended.includes(company.id) })),
    users,
  }
}

import { SERVER_CALLS } from '#machines/contracts/calls/server-calls.ts'
import { SIM_CALLS } from '#machines/contracts/calls/sim-calls.ts'
import type { Doing, Outcome } from '#machines/director/doings.ts'
import { applyTimeZone } from '../time-zone.ts'
import { type DirectorCalls, noted } from './calls.ts'
import { arrival } from './progress.ts'

/** Takes the world where the doing says, or waits for the way it is on. */
export async function travel(
  calls: DirectorCalls,
  doing: Doing | null,
  signal: AbortSignal,
): Promise<Outcome> {
  const { ask } = calls
  if (doing?.kind === 'step') {
    noted(calls, await ask(SIM_CALLS.setSimClock, { body: { advanceSeconds: doing.seconds } }, signal))
    return {}
  }
  if (doing?.kind === 'next-incident') {
    const answer = await ask(SIM_CALLS.setSimClock, { body: { toNextIncident: true } }, signal)
    noted(calls, answer)
    return answer.incident === undefined ? {} : { incident: answer.incident }
  }
  if (doing?.kind === 'start-over') await ask(SIM_CALLS.resetSim, {}, signal)
  if (doing?.kind === 'open') {
    const { kind: _, ...body } = doing
    await ask(SIM_CALLS.openSimScenario, { body }, signal)
  }
  if (doing !== null) await fetchTimeZone(calls, signal)
  await arrival(calls, signal)
  return {}
}

/** Another scenario may live in another time zone. */
async function fetchTimeZone({ root }: DirectorCalls, signal: AbortSignal): Promise<void> {
  const { simulator, timeZone } = await root.http.ask(SERVER_CALLS.time, {}, { signal, isBackground: true })
  root.server.set({ simulator, timeZone })
  applyTimeZone(root)
}

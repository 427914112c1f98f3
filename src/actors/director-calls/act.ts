import { SIM_CALLS } from '#machines/contracts/calls/sim-calls.ts'
import type { Doing, Outcome } from '#machines/director/doings.ts'
import { type DirectorCalls, fetchStatus } from './calls.ts'

/** Does something in the world that is done at once. */
export async function act(calls: DirectorCalls, doing: Doing | null, signal: AbortSignal): Promise<Outcome> {
  const { ask } = calls
  switch (doing?.kind) {
    case 'pause':
    case 'run':
      await ask(SIM_CALLS.setSimClock, { body: { paused: doing.kind === 'pause' } }, signal)
      break
    case 'speed':
      await ask(SIM_CALLS.setSimClock, { body: { speed: doing.speed, paused: false } }, signal)
      break
    case 'fault': {
      const { victims, fault, forSeconds } = doing
      const body = { ...victims, fault, forSeconds }
      const { devices } = await ask(SIM_CALLS.injectSimFault, { body }, signal)
      return { devices }
    }
    case 'fault.lift':
      for (const id of doing.ids) await ask(SIM_CALLS.liftSimFault, { params: { id } }, signal)
      break
    case 'link': {
      const { kind: _, ...body } = doing
      await ask(SIM_CALLS.breakSimLinks, { body }, signal)
      break
    }
    case 'link.lift':
      await ask(SIM_CALLS.mendSimLinks, { params: { id: doing.id } }, signal)
      break
    case 'company': {
      const { companyId, suspended } = doing
      await ask(SIM_CALLS.suspendSimCompany, { params: { companyId }, body: { suspended } }, signal)
      break
    }
    case 'user': {
      const request = { params: { userName: doing.userName }, body: { [doing.what]: true } }
      await ask(SIM_CALLS.changeSimUser, request, signal)
      break
    }
    case 'undo':
      await ask(SIM_CALLS.undoSimAction, { params: { id: doing.id } }, signal)
      break
    case 'save':
      await save(calls, signal)
  }
  return {}
}

/** Keeps the scenario, with what was done in it as its script, among those that the panel opens, and downloads it. */
async function save(calls: DirectorCalls, signal: AbortSignal): Promise<void> {
  const { root, ask } = calls
  const kept = await ask(SIM_CALLS.saveSimScenario, {}, signal)
  if (kept !== null) root.toasts.success(`Saved: «${kept.title}» is under World`)
  const [{ scenarioName }, file] = await Promise.all([
    fetchStatus(calls, signal),
    ask(SIM_CALLS.simScript, {}, signal),
  ])
  const text = `${JSON.stringify(file, null, 2)}\n`
  root.download(`${scenarioName}-played.json`, new Blob([text], { type: 'application/json' }))
}

import { array, boolean, type as open, optional, string } from 'superstruct'
import { SERVER_CALLS } from '#machines/contracts/calls/server-calls.ts'
import { SIM_CALLS, type SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import { Finite } from '#machines/contracts/scalars.ts'
import type { Doing, Outcome, People, World } from '#machines/director/doings.ts'
import { queryOf } from '#machines/director/moment.ts'
import { pause } from '../effects/pause.ts'
import type { AskSim } from '../effects/sim.ts'
import { setTimeZone } from '../format/time.ts'
import type { Root } from './root.ts'

/** Between two questions how far the world is on its way, ms. */
const PROGRESS_EVERY = 400

/** What the panel needs of a scenario file. */
const ScenarioPeople = open({
  companies: array(open({ id: string(), name: string(), suspended: boolean() })),
  users: array(open({ userName: string(), email: string(), companyId: string() })),
  events: optional(array(open({ afterMinutes: Finite, do: string(), companyId: optional(string()) }))),
})

/** The panel's effects on the simulated world. */
export function directorCalls(root: Root, ask: AskSim) {
  /** scenarios are files: they stay */
  let scenarios: World['scenarios'] | undefined
  let people: { of: string; answer: People } | undefined

  async function status(signal?: AbortSignal): Promise<SimStatus> {
    return noted(await ask(SIM_CALLS.simStatus, {}, signal))
  }

  /** Whoever asks the world learns what time it is there, also where no live link tells it. */
  function noted(answer: SimStatus): SimStatus {
    const { now, speed, paused, journey } = answer
    root.clock.set({ now: journey?.at ?? now, speed, paused: paused || journey !== null })
    return answer
  }

  async function look(signal: AbortSignal): Promise<World> {
    const [now, faults, links, actions] = await Promise.all([
      status(signal),
      ask(SIM_CALLS.simFaults, {}, signal),
      ask(SIM_CALLS.simLinks, {}, signal),
      ask(SIM_CALLS.simActions, {}, signal),
    ])
    const files = await scenariosKnown(signal)
    const of = JSON.stringify([
      now.scenarioName,
      now.seed,
      now.start,
      actions.map(({ id, undoneAt }) => [id, undoneAt]),
    ])
    if (people?.of !== of) people = { of, answer: await peopleOf(now, signal) }
    return { status: now, faults, links, actions, scenarios: files, people: people.answer }
  }

  async function scenariosKnown(signal?: AbortSignal): Promise<World['scenarios']> {
    scenarios ??= await ask(SIM_CALLS.simScenarios, {}, signal)
    return scenarios
  }

  async function peopleOf({ start, now }: SimStatus, signal: AbortSignal): Promise<People> {
    const {
      companies,
      users,
      events = [],
    } = decode(await ask(SIM_CALLS.simScript, {}, signal), ScenarioPeople, 'scenario')
    const isPast = (minutes: number): boolean => start + minutes * 60_000 <= now
    const lastWord = (id: string) =>
      events
        .filter(
          ({ do: kind, companyId, afterMinutes }) =>
            companyId === id && isPast(afterMinutes) && /^company\./.test(kind),
        )
        .at(-1)?.do
    return {
      companies: companies.map(({ id, name, suspended }) => {
        const word = lastWord(id)
        return { id, name, suspended: word === undefined ? suspended : word === 'company.suspend' }
      }),
      users,
    }
  }

  /** What was asked of a journey may be answered before its end, or it is somebody else's. */
  async function arrival(signal: AbortSignal): Promise<void> {
    while ((await status(signal)).journey !== null) await pause(PROGRESS_EVERY, signal)
  }

  async function travel(doing: Doing | null, signal: AbortSignal): Promise<Outcome> {
    if (doing?.kind === 'step') {
      noted(await ask(SIM_CALLS.setSimClock, { body: { advanceSeconds: doing.seconds } }, signal))
      return {}
    }
    if (doing?.kind === 'next-incident') {
      const answer = await ask(SIM_CALLS.setSimClock, { body: { toNextIncident: true } }, signal)
      noted(answer)
      return { incident: answer.incident ?? null }
    }
    if (doing?.kind === 'start-over') await ask(SIM_CALLS.resetSim, {}, signal)
    if (doing?.kind === 'open') {
      const { kind: _, ...body } = doing
      await ask(SIM_CALLS.openSimScenario, { body }, signal)
    }
    if (doing !== null) await askServer(signal)
    await arrival(signal)
    return {}
  }

  /** Another scenario may live in another time zone. */
  async function askServer(signal: AbortSignal): Promise<void> {
    const { simulator, timeZone } = await root.http.ask(SERVER_CALLS.time, {}, { signal, isBackground: true })
    setTimeZone(timeZone)
    root.server.set({ simulator, timeZone })
  }

  async function act(doing: Doing | null, signal: AbortSignal): Promise<Outcome> {
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
        const { devices } = await ask(
          SIM_CALLS.injectSimFault,
          { body: { ...victims, fault, forSeconds } },
          signal,
        )
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
      case 'user':
        await ask(
          SIM_CALLS.changeSimUser,
          { params: { userName: doing.userName }, body: { [doing.what]: true } },
          signal,
        )
        break
      case 'undo':
        await ask(SIM_CALLS.undoSimAction, { params: { id: doing.id } }, signal)
        break
      case 'save':
        await save(signal)
    }
    return {}
  }

  async function save(signal: AbortSignal): Promise<void> {
    const [{ scenarioName }, file] = await Promise.all([status(signal), ask(SIM_CALLS.simScript, {}, signal)])
    const text = `${JSON.stringify(file, null, 2)}\n`
    root.download(`${scenarioName}-played.json`, new Blob([text], { type: 'application/json' }))
  }

  /** Reports how far the world is, until it is stopped; what is not answered while worlds are exchanged is asked again. */
  function watchProgress(notify: (status: SimStatus) => void): () => void {
    const aborter = new AbortController()
    const { signal } = aborter
    const watch = async (): Promise<void> => {
      while (!signal.aborted) {
        const now = await status(signal).catch(() => undefined)
        if (now !== undefined && !signal.aborted) notify(now)
        await pause(PROGRESS_EVERY, signal).catch(() => {})
      }
    }
    void watch()
    return () => aborter.abort()
  }

  /** The query of an address that leads to the world as it is now. */
  async function momentQuery(): Promise<string> {
    const [now, files] = await Promise.all([status(), scenariosKnown()])
    return queryOf(now, files)
  }

  const stopJourney = (signal: AbortSignal) => ask(SIM_CALLS.stopSimJourney, {}, signal)

  return { status, look, act, travel, stopJourney, watchProgress, momentQuery }
}

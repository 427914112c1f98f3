import type { SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import type { DirectorAction } from '#machines/contracts/director-actions.ts'
import { deviceByImei } from '#machines/projections/directory.ts'
import type { Core, JobsOfLeader } from '../../server/ports.ts'
import { lasting, type NetworkFaults } from '../network/network-faults.ts'
import type { SimDeps } from '../routes/sim.ts'
import type { Action, Actions } from './actions.ts'
import { type Breakable, createDeviceFaults } from './device-faults.ts'
import { createFaultDeeds } from './fault-actions.ts'
import { type Run, runToNextIncident } from './incidents.ts'
import type { LogHash } from './log-hash.ts'
import type { People } from './people.ts'
import { createPeopleDeeds } from './people-actions.ts'
import { measureSpeed } from './reached.ts'
import { readScenarioFile, scenarioNameOf, scenariosThere } from './scenario-files.ts'
import { scriptFile } from './script-file.ts'
import { createUndo } from './undo.ts'
import { durationOf, incidentSaid, linkSaid } from './words.ts'

type World = Breakable & {
  readonly seed: number
  readonly start: number
  readonly size: number
  readonly registration: { devices: readonly { imei: string; key: number; fleet: { id: string } }[] }
  messagesSent(): number
  hash(): string
}
type Clock = {
  now(): number
  speed(): number
  paused(): boolean
  setSpeed(speed: number): void
  pause(): void
  resume(): void
}
/** What a director plays on. */
export type DirectorParts = JobsOfLeader & {
  /** the scenario's file */
  file: string
  scenario: { name: string; story: string; reportSeconds: number }
  world: World
  clock: Clock
  run: Run & {
    between<T>(change: () => T | Promise<T>): Promise<T>
    journey(): SimStatus['journey']
    halt(): boolean
  }
  core: Core
  logHash: Pick<LogHash, 'value' | 'facts'>
  actions: Actions
  people: People
  links: NetworkFaults
  reset: SimDeps['reset']
  open: SimDeps['open']
}

/** What the calls need, and what the server does with a world that it has just opened. */
export type Director = SimDeps & {
  /** sets out for an instant of the world; resolves when it is there, was stopped on its way, or the server closes */
  travelTo(at: number): Promise<void>
  stop(): void
}

/** The one who plays on the world: what is done is listed, and undone where that can be. */
export function createDirector(parts: DirectorParts): Director {
  const { world, clock, run, core, scheduler, actions, people, links } = parts
  const { directory } = core.readModels
  const faults = createDeviceFaults(world, directory)
  const undo = createUndo({ actions, clock, faults, links, people })
  const { canUndo } = undo
  const reached = measureSpeed(clock)
  const _nameOf = (imei: string): string => deviceByImei(directory, imei)?.name ?? imei
  const shown = ({ id, at, what, done, undoneAt }: Action, isUndoable: boolean) => ({
    id,
    at,
    what,
    kind: done.do,
    canUndo: isUndoable,
    undoneAt,
  })
  /** How a done went by that took the world from one instant to another. */
  const onTheWay = async <T>(
    travel: () => Promise<T>,
    told: (result: T, from: number, to: number) => [DirectorAction, string],
  ) => {
    const from = clock.now()
    const result = await travel()
    await core.settled()
    await scheduler.settled()
    await actions.note(...told(result, from, clock.now()))
    return result
  }
  const advance = (seconds: number, until?: number): Promise<void> =>
    onTheWay(
      () => run.advance(seconds, until === undefined ? {} : { until }),
      (_, from, to) => [
        { do: 'clock.advance', from, to },
        `Set forward by ${durationOf((to - from) / 1000)}`,
      ],
    )
  const undoNow = (action: Action) =>
    run.between(async () => {
      if (!canUndo(action)) return false
      await undo.undo(action)
      return true
    })
  return {
    status: () => ({
      scenario: parts.scenario.name,
      scenarioName: scenarioNameOf(parts.file),
      story: parts.scenario.story,
      seed: world.seed,
      start: world.start,
      now: clock.now(),
      speed: clock.speed(),
      reached: reached.speed(),
      paused: clock.paused(),
      devices: world.size,
      messagesSent: world.messagesSent(),
      hash: world.hash(),
      logHash: parts.logHash.value(),
      facts: parts.logHash.facts(),
      journey: run.journey(),
    }),
    async setSpeed(to) {
      const from = clock.speed()
      if (from === to) return
      clock.setSpeed(to)
      await actions.note({ do: 'clock.speed', from, to }, `Speed ×${to}`)
    },
    async setPaused(isPaused) {
      if (clock.paused() === isPaused) return
      if (isPaused) clock.pause()
      else clock.resume()
      await actions.note(
        { do: isPaused ? 'clock.pause' : 'clock.resume' },
        isPaused ? 'Clock stopped' : 'Clock going on',
      )
    },
    advance: (seconds) => advance(seconds),
    toNextIncident: () =>
      onTheWay(
        () => runToNextIncident(run, core, parts.evaluator, parts.scenario.reportSeconds),
        (incident, from, to) => [
          { do: 'clock.to-incident', from, to },
          incidentSaid(incident, (to - from) / 1000),
        ],
      ),
    stopJourney: run.halt,

    faults: createFaultDeeds({ run, world, directory, faults, actions, undo }),

    links: {
      list: links.list,
      async begin({ forSeconds, ...order }) {
        const link = links.begin(order, lasting(forSeconds * 1000))
        const done = { do: 'link.fault' as const, ...order, forSeconds }
        await actions.note(done, linkSaid(done), { id: link.id })
        return link
      },
      async end(id) {
        const action = actions.find(id)
        return action === undefined ? links.end(id) !== undefined : undoNow(action)
      },
    },

    ...createPeopleDeeds(people, actions),
    outbox: parts.notifier.outbox,

    actions: {
      list: () =>
        actions
          .all()
          .map((action) => shown(action, canUndo(action)))
          .reverse(),
      async undo(id) {
        const action = actions.find(id)
        if (action === undefined) return undefined
        return (await undoNow(action)) ? shown(action, false) : 'cannot'
      },
    },
    async script() {
      const written = await readScenarioFile(parts.file)
      return scriptFile({ written, file: parts.file, world, actions: actions.all() })
    },
    scenarios: scenariosThere,
    open: parts.open,
    reset: parts.reset,

    travelTo: async (at) => {
      const seconds = (at - clock.now()) / 1000
      if (seconds > 0) await advance(seconds, at)
    },
    stop: reached.stop,
  }
}

import type { SimAction, SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import type { SimDeps } from '../routes/sim.ts'
import type { Action } from './actions.ts'
import { advance, createClockActions } from './clock-actions.ts'
import { createDeviceFaults } from './device-faults.ts'
import type { DirectorParts } from './director-parts.ts'
import { createFaultActions } from './fault-actions.ts'
import { createNetworkActions } from './network-actions.ts'
import { createPeopleActions } from './people-actions.ts'
import { measureSpeed } from './reached.ts'
import {
  isShipped,
  readScenarioFile,
  saveScenario,
  scenarioNameOf,
  scenariosThere,
} from './scenario-files.ts'
import { scriptFile } from './script-file.ts'
import { createUndo, type Undo, undoNow } from './undo.ts'

/** What the calls need, and what the server does with a world that it has just opened. */
export type Director = SimDeps & {
  /** sets out for an instant of the world; resolves when it is there, was stopped on its way, or the server closes */
  travelTo(at: number): Promise<void>
  stop(): void
}

/** The one who plays on the world: what is done is listed, and undone where that can be. */
export function createDirector(parts: DirectorParts): Director {
  const { world, clock, run, core, actions, people, network } = parts
  const { directory } = core.readModels
  const faults = createDeviceFaults(world, directory)
  const undo = createUndo({ actions, clock, faults, network, people })
  const reached = measureSpeed(clock)
  return {
    status: () => statusOf(parts, reached.speed()),
    ...createClockActions(parts),
    faults: createFaultActions({ run, world, directory, faults, actions, undo }),
    network: createNetworkActions({ actions, network, run, undo }),
    ...createPeopleActions(people, actions),
    outbox: parts.notifier.outbox,
    actions: createActionList({ actions, run, undo }),
    script: () => scriptOf(parts),
    scenarios: () => scenariosThere(parts.savedScenarios),
    async save() {
      const { savedScenarios, file } = parts
      return savedScenarios === undefined ? null : saveScenario(savedScenarios, file, await scriptOf(parts))
    },
    open: parts.open,
    reset: parts.reset,
    travelTo: async (at) => {
      const seconds = (at - clock.now()) / 1000
      if (seconds > 0) await advance(parts, seconds, at)
    },
    stop: reached.stop,
  }
}

/** @param reached how fast the world's clock really goes; null: not known yet */
const statusOf = (parts: DirectorParts, reached: SimStatus['reached']): SimStatus => ({
  scenario: parts.scenario.name,
  scenarioName: scenarioNameOf(parts.file),
  isShipped: isShipped(parts.file),
  story: parts.scenario.story,
  seed: parts.world.seed,
  start: parts.world.start,
  now: parts.clock.now(),
  speed: parts.clock.speed(),
  reached,
  paused: parts.clock.paused(),
  devices: parts.world.size,
  messagesSent: parts.world.messagesSent(),
  hash: parts.world.hash(),
  logHash: parts.logHash.value(),
  facts: parts.logHash.facts(),
  suspended: parts.people.suspended(),
  journey: parts.run.journey(),
})

/** What was done, newest first, and taking it back. */
const createActionList = ({
  actions,
  run,
  undo,
}: Pick<DirectorParts, 'actions' | 'run'> & { undo: Undo }): SimDeps['actions'] => ({
  list: () =>
    actions
      .all()
      .map((action) => shown(action, undo.canUndo(action)))
      .reverse(),
  async undo(id) {
    const action = actions.find(id)
    if (action === undefined) return undefined
    return (await undoNow(run, undo, action)) ? shown(action, false) : 'cannot'
  },
})

const shown = ({ id, at, what, done, undoneAt }: Action, canUndo: boolean): SimAction => ({
  id,
  at,
  what,
  kind: done.do,
  canUndo,
  undoneAt,
})

/** The scenario's file with what was done to its world. */
async function scriptOf({ file, world, actions }: DirectorParts): ReturnType<SimDeps['script']> {
  return scriptFile({ written: await readScenarioFile(file), file, world, actions: actions.all() })
}

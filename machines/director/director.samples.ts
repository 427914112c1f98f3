import type { AnyMachineSnapshot } from 'xstate'
import type { SimStatus } from '../contracts/calls/sim-calls.ts'
import { directorMachine } from './director.machine.ts'
import type { Doing, World } from './doings.ts'

export const START = Date.UTC(2026, 5, 15, 1)

export const statusAt = (now: number, journey: SimStatus['journey'] = null): SimStatus => ({
  scenario: 'Dairy dawn',
  scenarioName: 'dairy-dawn',
  isShipped: true,
  story: 'A compressor fails before breakfast.',
  seed: 7,
  start: START,
  now,
  speed: 1,
  reached: null,
  paused: false,
  devices: 200,
  messagesSent: 0,
  hash: '0',
  logHash: '0123456789abcdef',
  facts: 0,
  suspended: [],
  journey,
})

export const worldAt = (now: number, journey: SimStatus['journey'] = null): World => ({
  status: statusAt(now, journey),
  faults: [],
  links: [],
  actions: [],
  scenarios: [
    { name: 'dairy-dawn', title: 'Dairy dawn', story: '', devices: 200, start: START },
    { name: 'heat-wave', title: 'Heat wave', story: '', devices: 500, start: START + 86_400_000 },
  ],
  people: { companies: [], users: [] },
})

/** How the portal says that a token is needed. */
export function tokenNeeded(): Error {
  const error = new Error('The device world is controlled from this machine, or with its token')
  error.name = 'TokenNeeded'
  return error
}

const underWay = { from: START, to: START + 3_600_000, at: START + 60_000 }
const pauseIt: Doing = { kind: 'pause' }
const oneHour: Doing = { kind: 'step', seconds: 3600 }

export const model = {
  name: 'director',
  kind: 'screen' as const,
  machine: directorMachine,
  serializeState: ({ value, context: { waiting } }: AnyMachineSnapshot): string =>
    JSON.stringify([value, waiting[0]?.kind]),
  events: [
    { type: 'open' },
    { type: 'close' },
    { type: 'retry' },
    { type: 'token.given' },
    { type: 'act', doing: pauseIt },
    { type: 'act', doing: oneHour },
    { type: 'stop' },
    { type: 'status.told', status: statusAt(START + 60_000, underWay) },
    { type: 'xstate.done.actor.look', output: worldAt(START) },
    { type: 'xstate.done.actor.look', output: worldAt(START, underWay) },
    { type: 'xstate.error.actor.look', error: new Error('The server did not answer') },
    { type: 'xstate.error.actor.look', error: tokenNeeded() },
    { type: 'xstate.done.actor.act', output: {} },
    { type: 'xstate.error.actor.act', error: new Error('There is no such fault in force') },
    { type: 'xstate.done.actor.travel', output: {} },
    { type: 'xstate.error.actor.travel', error: new Error('The world is on its way already') },
    { type: 'xstate.done.actor.stopJourney', output: undefined },
    { type: 'xstate.error.actor.stopJourney', error: new Error('The server did not answer') },
  ],
  describe: (event: { type: string; doing?: Doing; output?: unknown; error?: Error }) => {
    if (event.doing !== undefined) return event.doing.kind === 'pause' ? 'pause' : 'a step of an hour'
    if (event.type === 'xstate.done.actor.look')
      return (event.output as World).status.journey === null
        ? 'the world being told'
        : 'a world that is under way being told'
    if (event.type === 'xstate.error.actor.look')
      return event.error?.name === 'TokenNeeded' ? 'a token being asked for' : 'no answer'
    return WORDS[event.type]
  },
}

const WORDS: Record<string, string> = {
  open: 'the panel being opened',
  close: 'the panel being closed',
  retry: 'Try again',
  'token.given': 'a token',
  stop: 'Stop here',
  'status.told': 'word of how far it is',
  'xstate.done.actor.act': 'it being done',
  'xstate.error.actor.act': 'a refusal',
  'xstate.done.actor.travel': 'the world arriving',
  'xstate.error.actor.travel': 'a refusal of the journey',
  'xstate.done.actor.stopJourney': 'the journey being stopped',
  'xstate.error.actor.stopJourney': 'the journey not being stopped',
}

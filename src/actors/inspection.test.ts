import { describe, expect, test } from 'vitest'
import { type AnyStateMachine, assign, createActor, fromPromise, setup, waitFor } from 'xstate'
import { createInspection, type Inspection } from './inspection.ts'
import { followMachines, type NamedStep } from './machine-steps.ts'

const machine = setup({
  types: { context: {} as { rounds: number }, events: {} as { type: 'ask' } | { type: 'noise' } },
  actors: { answer: fromPromise<string>(async () => 'yes') },
  guards: { isTwice: ({ context }) => context.rounds === 2 },
}).createMachine({
  id: 'asking',
  context: { rounds: 0 },
  initial: 'idle',
  states: {
    idle: { on: { ask: 'waiting' } },
    waiting: {
      entry: assign({ rounds: ({ context }) => context.rounds + 1 }),
      invoke: { id: 'answer', src: 'answer', onDone: 'answered' },
    },
    answered: { always: { guard: 'isTwice', target: 'over' }, on: { ask: 'waiting' } },
    over: { type: 'final' },
  },
})

const shown = ({ machine: name, event, snapshot, transitions }: NamedStep) =>
  [name, event.type, snapshot.value, transitions] as const

const started = ({ inspect }: Inspection) => createActor(machine, { inspect }).start()

describe('what machines do', () => {
  test('is told step by step, with the transitions of the chart', async () => {
    const inspection = createInspection()
    inspection.allow(true)
    const steps: NamedStep[] = []
    followMachines(inspection, (step) => steps.push(step))
    const actor = started(inspection)
    actor.send({ type: 'ask' })
    await waitFor(actor, (state) => state.matches('answered'))
    actor.send({ type: 'noise' })
    actor.send({ type: 'ask' })
    await waitFor(actor, (state) => state.status === 'done')
    expect(steps.map(shown)).toEqual([
      ['asking', 'xstate.init', 'idle', []],
      ['asking', 'ask', 'waiting', ['idle: ask → waiting']],
      ['asking', 'xstate.done.actor.answer', 'answered', ['waiting: answer answers → answered']],
      ['asking', 'noise', 'answered', []],
      ['asking', 'ask', 'waiting', ['answered: ask → waiting']],
      [
        'asking',
        'xstate.done.actor.answer',
        'over',
        ['waiting: answer answers → answered', 'answered: at once [isTwice] → over'],
      ],
    ])
    expect(new Set(steps.map((step) => step.actor))).toEqual(new Set([actor.sessionId]))
  })

  test('that run now are known by their last step, and no longer when they stop', () => {
    const inspection = createInspection()
    inspection.allow(true)
    const [one, other] = [started(inspection), started(inspection)]
    one.send({ type: 'ask' })
    expect(inspection.running().map(({ actor, snapshot }) => [actor, snapshot.value])).toEqual([
      [one.sessionId, 'waiting'],
      [other.sessionId, 'idle'],
    ])
    one.stop()
    expect(inspection.running().map(({ actor }) => actor)).toEqual([other.sessionId])
  })

  test('is no longer told to who has stopped listening', () => {
    const inspection = createInspection()
    inspection.allow(true)
    const steps: NamedStep[] = []
    const stop = followMachines(inspection, (step) => steps.push(step))
    const actor = started(inspection)
    stop()
    actor.send({ type: 'ask' })
    expect(steps).toHaveLength(1)
  })
})

describe('before the server says that its world is simulated', () => {
  test('the first steps are kept, so many, and told to who asks for them', () => {
    const inspection = createInspection(2)
    const steps: NamedStep[] = []
    followMachines(inspection, (step) => steps.push(step))
    const actor = started(inspection)
    for (const type of ['noise', 'ask', 'noise'] as const) actor.send({ type })
    expect([steps, inspection.first(), inspection.running()]).toEqual([[], [], []])

    inspection.allow(true)
    const late: NamedStep[] = []
    followMachines(inspection, (step) => late.push(step), { alsoFirst: true })
    expect(late.map(({ event }) => event.type)).toEqual(['xstate.init', 'noise'])
    expect(inspection.running()[0]?.snapshot.value).toBe('waiting')
  })

  test('and where it is not, nothing is kept or told', () => {
    const inspection = createInspection()
    const steps: NamedStep[] = []
    const actor = started(inspection)
    inspection.allow(false)
    followMachines(inspection, (step) => steps.push(step), { alsoFirst: true })
    actor.send({ type: 'ask' })
    expect([steps, inspection.first(), inspection.running()]).toEqual([[], [], []])
    inspection.allow(true)
    expect([inspection.first(), inspection.running()]).toEqual([[], []])
  })
})

describe('nothing is left out', () => {
  const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}'], {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  /** The argument list that begins at this place. */
  function argumentsAt(source: string, from: number): string {
    let depth = 0
    for (let at = source.indexOf('(', from); at < source.length; at++) {
      if (source[at] === '(') depth++
      if (source[at] === ')' && --depth === 0) return source.slice(from, at)
    }
    return source.slice(from)
  }
  const starts = Object.entries(sources).flatMap(([path, source]) =>
    [...source.matchAll(/\b(?:createActor|useActorRef|useActor|useMachine|createActorContext)\(/g)].map(
      ({ index }) => ({ path, call: argumentsAt(source, index) }),
    ),
  )

  test('every actor of the portal is looked at', () => {
    expect(starts.length).toBeGreaterThan(15)
    expect(starts.filter(({ call }) => !/\binspect\b/.test(call)).map(({ path }) => path)).toEqual([])
  })

  test.each(
    Object.entries(
      import.meta.glob<{ model: { name: string; machine: AnyStateMachine } }>(
        '../../machines/*/*.samples.ts',
        { eager: true },
      ),
    ),
  )('a machine is called as its folder: %s', (path, { model }) => {
    const folder = path.split('/').at(-2)
    expect([model.name, model.machine.id]).toEqual([folder, folder])
  })
})

import { describe, expect, test } from 'vitest'
import { assign, emit, fromPromise, setup } from 'xstate'
import { decide, given } from './given.ts'
import { walk } from './paths.ts'
import { prose } from './prose.ts'

const door = setup({
  types: {
    context: {} as { pushes: number },
    events: {} as { type: 'push'; at: number } | { type: 'lock' } | { type: 'unlock' },
    emitted: {} as { type: 'door.opened'; at: number },
    input: {} as { pushes: number },
  },
  guards: { isWorn: ({ context }) => context.pushes >= 2 },
}).createMachine({
  context: ({ input }) => ({ pushes: input.pushes }),
  initial: 'shut',
  states: {
    shut: {
      on: {
        push: {
          target: 'open',
          actions: [
            assign({ pushes: ({ context }) => context.pushes + 1 }),
            emit(({ event }) => ({ type: 'door.opened' as const, at: event.at })),
          ],
        },
        lock: 'locked',
      },
    },
    open: { always: { guard: 'isWorn', target: 'broken' }, on: { push: 'shut' } },
    locked: { on: { unlock: 'shut' } },
    broken: { type: 'final' },
  },
})
const doorModel = {
  name: 'door',
  kind: 'domain' as const,
  machine: door,
  input: { pushes: 0 },
  events: [{ type: 'push', at: 5 }, { type: 'lock' }, { type: 'unlock' }],
  serializeState: (snapshot: { value: unknown; context: { pushes: number } }) =>
    JSON.stringify([snapshot.value, snapshot.context.pushes]),
}

const order = setup({
  types: {
    events: {} as { type: 'buy' } | { type: 'again' },
    context: {} as { paid: boolean },
  },
  actors: { pay: fromPromise<boolean, { amount: number }>(() => Promise.reject(new Error('never called'))) },
  actions: {
    ring: () => {
      throw new Error('an effect ran in a replay')
    },
  },
  guards: { wasPaid: ({ event }) => (event as unknown as { output: boolean }).output },
  delays: { patience: 30_000 },
}).createMachine({
  context: { paid: false },
  initial: 'idle',
  states: {
    idle: { on: { buy: 'paying' } },
    paying: {
      initial: 'quiet',
      states: { quiet: { after: { 500: 'spinning' } }, spinning: {} },
      invoke: {
        id: 'pay',
        src: 'pay',
        input: { amount: 3 },
        onDone: [{ guard: 'wasPaid', target: 'paid' }, { target: 'failed' }],
        onError: 'failed',
      },
      after: { patience: 'failed' },
    },
    failed: { entry: 'ring', on: { again: 'paying' } },
    paid: { entry: 'ring', type: 'final' },
  },
})
const orderModel = {
  name: 'order',
  kind: 'screen' as const,
  machine: order,
  events: [
    { type: 'buy' },
    { type: 'again' },
    { type: 'xstate.done.actor.pay', output: true },
    { type: 'xstate.done.actor.pay', output: false },
    { type: 'xstate.error.actor.pay', error: new Error('no route') },
  ],
}

describe('a domain machine', () => {
  test('is walked over every transition, also those without an event', () => {
    const found = walk(doorModel)
    expect(found.unreached).toEqual([])
    expect(found.transitions).toContain('open: at once [isWorn] → broken')
    expect(new Set(found.paths.flatMap((path) => path.takes))).toEqual(new Set(found.transitions))
  })

  test('names what its samples cannot reach', () => {
    const found = walk({ ...doorModel, events: [{ type: 'push', at: 5 }] })
    expect(found.unreached).toEqual(['state locked', 'shut: lock → locked', 'locked: unlock → shut'])
  })

  test('stops at the limit instead of walking for ever', () => {
    expect(() => walk({ ...doorModel, limit: 2 })).toThrow(/limit/)
  })

  test('tells its facts as data', () => {
    given(door, { pushes: 0 }, [{ type: 'lock' }, { type: 'unlock' }])
      .when({ type: 'push', at: 7 })
      .emits({ state: 'open', facts: [{ type: 'door.opened', at: 7 }] })
    const { snapshot } = given(door, { pushes: 1 }, []).when({ type: 'lock' })
    expect(decide(door, snapshot, { type: 'push', at: 1 }).facts).toEqual([])
  })
})

test('on each path stands the situation its own events lead to, however many count as the same', () => {
  const alike = { ...doorModel, serializeState: ({ value }: { value: unknown }) => JSON.stringify(value) }
  for (const { steps } of walk(alike).paths)
    for (const [i, { state }] of steps.entries()) {
      const opened = steps
        .slice(1, i + 1)
        .filter((step) => ['open', 'broken'].includes(String(step.state.value)))
      expect(state.context.pushes).toBe(opened.length)
    }
})

describe('a screen machine', () => {
  test('is walked over answers, failures and timers without a real effect or a real second', () => {
    const found = walk(orderModel)
    expect(found.unreached).toEqual([])
    expect(found.transitions).toContain('paying: after patience → failed')
    expect(found.transitions).toContain('paying: pay answers [otherwise] → failed')
    expect(found.transitions).toContain('paying.quiet: after 500 ms → paying.spinning')
  })

  test('is told in sentences', () => {
    const text = prose(orderModel, walk(orderModel))
    expect(text).toMatch(/^order: 6 states, 7 transitions, \d+ paths\n/)
    expect(text).toContain(
      'It is idle.\n   On buy it is paying.quiet.\n   On pay answers (output true) it is paid.',
    )
    expect(text).toContain('On pay fails (error "no route") it is failed.')
  })

  test('runs its paths on a system under test, and says where that differs', async () => {
    const [path] = walk(orderModel).paths.filter(({ takes }) => takes.some((one) => one.endsWith('→ paid')))
    const log: string[] = []
    await path?.run({
      events: { buy: () => void log.push('clicked') },
      states: { paid: () => void log.push('paid'), '#(machine).failed': () => void log.push('failed') },
    })
    expect(log).toEqual(['clicked', 'paid'])
    const refusal = path?.run({ states: { paid: () => Promise.reject(new Error('shows nothing')) } })
    await expect(refusal).rejects.toThrow(/shows nothing/)
  })
})

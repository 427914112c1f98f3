import { describe, expect, test } from 'vitest'
import { createActor, fromPromise, SimulatedClock, waitFor } from 'xstate'
import { directorMachine } from './director.machine.ts'
import { START, statusAt, tokenNeeded, worldAt } from './director.samples.ts'
import type { Doing, Outcome, World } from './doings.ts'

type Played = {
  look?: () => Promise<World>
  act?: (doing: Doing | null) => Promise<Outcome>
  travel?: (doing: Doing | null) => Promise<Outcome>
}

/** The open panel of a world that answers as the test says. */
function opened({ look = async () => worldAt(START), act, travel }: Played) {
  const done: (Doing | null)[] = []
  const clock = new SimulatedClock()
  const actor = createActor(
    directorMachine.provide({
      actors: {
        look: fromPromise(look),
        act: fromPromise(async ({ input: { doing } }: { input: { doing: Doing | null } }) => {
          done.push(doing)
          return (await act?.(doing)) ?? {}
        }),
        travel: fromPromise(async ({ input: { doing } }: { input: { doing: Doing | null } }) => {
          done.push(doing)
          return (await travel?.(doing)) ?? {}
        }),
        stopJourney: fromPromise(async () => {}),
      },
    }),
    { clock },
  ).start()
  actor.send({ type: 'open' })
  const rests = () => waitFor(actor, (state) => state.matches({ watching: 'resting' }))
  return { actor, clock, done, rests, context: () => actor.getSnapshot().context }
}

/** Does whatever it is told, but takes nothing back. */
const undoingNothing = async (doing: Doing | null) => {
  if (doing?.kind === 'undo') throw new Error('That cannot be undone any more')
  return {}
}

describe('the panel', () => {
  test('looks again every few seconds, and not while it is closed', async () => {
    let looks = 0
    const { actor, clock, rests } = opened({
      look: async () => {
        looks += 1
        return worldAt(START + looks)
      },
    })
    await rests()
    clock.increment(3000)
    await rests()
    expect([looks, actor.getSnapshot().context.world?.status.now]).toEqual([2, START + 2])
    actor.send({ type: 'close' })
    clock.increment(60_000)
    expect(looks).toBe(2)
  })

  test('does one thing at a time, and then what was pressed meanwhile, in that order', async () => {
    const { actor, done, rests } = opened({})
    await rests()
    const pressed: Doing[] = [
      { kind: 'pause' },
      { kind: 'step', seconds: 60 },
      { kind: 'run' },
      { kind: 'save' },
    ]
    for (const doing of pressed) actor.send({ type: 'act', doing })
    expect(done).toEqual(pressed.slice(0, 1))
    await rests()
    expect(done).toEqual(pressed)
  })

  test('does nothing of what waits once it is closed', async () => {
    const { actor, done, rests } = opened({})
    await rests()
    actor.send({ type: 'act', doing: { kind: 'pause' } })
    actor.send({ type: 'act', doing: { kind: 'run' } })
    actor.send({ type: 'close' })
    actor.send({ type: 'open' })
    await rests()
    actor.send({ type: 'act', doing: { kind: 'save' } })
    await rests()
    expect(done).toEqual([{ kind: 'pause' }, { kind: 'save' }])
  })

  test('says why something was not done, also where something waited that was', async () => {
    const { actor, rests, context } = opened({ act: undoingNothing })
    await rests()
    actor.send({ type: 'act', doing: { kind: 'undo', id: 'a1' } })
    actor.send({ type: 'act', doing: { kind: 'pause' } })
    await rests()
    expect(context()).toMatchObject({ doing: { kind: 'pause' }, refusal: { part: 'done' } })
  })

  test('says why something was not done where it was tried, until the next thing is', async () => {
    const { actor, rests, context } = opened({ act: undoingNothing })
    await rests()
    actor.send({ type: 'act', doing: { kind: 'undo', id: 'a1' } })
    await rests()
    expect(context().refusal).toEqual({ part: 'done', message: 'That cannot be undone any more' })
    actor.send({ type: 'act', doing: { kind: 'pause' } })
    await rests()
    expect(context().refusal).toBeNull()
  })

  test('shows how far the world is on its way, and what it came to', async () => {
    let arrive = (_: Outcome) => {}
    const { actor, rests, context } = opened({
      travel: () =>
        new Promise((resolve) => {
          arrive = resolve
        }),
    })
    await rests()
    actor.send({ type: 'act', doing: { kind: 'next-incident' } })
    expect(actor.getSnapshot().matches({ travelling: 'going' })).toBe(true)
    actor.send({ type: 'status.told', status: statusAt(START + 5000) })
    expect(context()).toMatchObject({ world: { status: { now: START + 5000 } }, isLookDue: true })
    const incident = {
      type: 'offline' as const,
      imei: '350000000000001',
      deviceName: 'LHR-1',
      at: START + 9000,
    }
    arrive({ incident })
    await rests()
    expect(context()).toMatchObject({ outcome: { incident }, isLookDue: false })
  })

  test('comes along on a journey that somebody else began', async () => {
    const worlds = [worldAt(START, { from: START, to: START + 10, at: START }), worldAt(START + 10)]
    const { done, rests, context } = opened({ look: async () => worlds.shift() as World })
    await rests()
    expect(done).toEqual([null])
    expect(context().world?.status.now).toBe(START + 10)
  })

  test('asks for the token where one is needed, and looks with it', async () => {
    let isLocked = true
    const { actor, rests } = opened({
      look: async () => {
        if (isLocked) throw tokenNeeded()
        return worldAt(START)
      },
    })
    const { context } = await waitFor(actor, (state) => state.matches('locked'))
    expect(context.error).toMatch(/token/)
    isLocked = false
    actor.send({ type: 'token.given' })
    expect((await rests()).context.error).toBeNull()
  })

  test('keeps what it shows when the world does not answer, and asks again', async () => {
    let isAway = false
    const { actor, clock, rests, done } = opened({
      look: async () => {
        if (isAway) throw new Error('The server did not answer')
        return worldAt(START)
      },
    })
    await rests()
    isAway = true
    clock.increment(3000)
    const { context } = await waitFor(actor, (state) => state.matches({ watching: 'failed' }))
    expect([context.world, context.error]).toEqual([worldAt(START), 'The server did not answer'])
    // what is pressed on what it shows is done
    actor.send({ type: 'act', doing: { kind: 'undo', id: '1' } })
    await waitFor(actor, (state) => state.matches({ watching: 'failed' }))
    expect(done).toEqual([{ kind: 'undo', id: '1' }])
    isAway = false
    clock.increment(3000)
    await rests()
  })
})

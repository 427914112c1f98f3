import { expect, test } from 'vitest'
import { createActor, fromPromise, waitFor } from 'xstate'
import { type Look, timeMachine } from './time-machine.machine.ts'

const MINUTE = 60_000
const NOW = 1_000 * MINUTE

/** A time machine that shows what it is asked for, but for what is before minute 100. */
function started() {
  const looks: Look[] = []
  const actor = createActor(
    timeMachine.provide({
      actors: {
        load: fromPromise(async ({ input }: { input: Look }) => {
          looks.push(input)
          if (input.at < 100 * MINUTE) throw new Error('Nothing was kept yet')
          return { shown: input.at }
        }),
      },
    }),
  ).start()
  return {
    actor,
    looks,
    context: () => actor.getSnapshot().context,
    settled: () => waitFor(actor, (state) => !state.matches({ past: 'seeking' })),
  }
}

test('nothing is to be seen of what is still to come, neither at once nor step by step', async () => {
  const { actor, context, looks, settled } = started()
  actor.send({ type: 'look.back', at: NOW + 1, now: NOW })
  expect(actor.getSnapshot().value).toBe('now')
  actor.send({ type: 'look.back', at: NOW, now: NOW })
  await settled()
  actor.send({ type: 'step', by: MINUTE, now: NOW + MINUTE - 1 })
  expect([context().at, looks.length]).toEqual([NOW, 1])
  actor.send({ type: 'step', by: MINUTE, now: NOW + MINUTE })
  await settled()
  expect(context().shown).toBe(NOW + MINUTE)
})

test('it stands at whole minutes', async () => {
  const { actor, context, settled } = started()
  actor.send({ type: 'look.back', at: 500 * MINUTE + 59_999, now: NOW })
  await settled()
  expect(context().shown).toBe(500 * MINUTE)
})

test('what cannot be shown is said, and what was shown stays until one goes back to now', async () => {
  const { actor, context, settled } = started()
  actor.send({ type: 'look.back', at: 100 * MINUTE, now: NOW })
  await settled()
  actor.send({ type: 'step', by: -MINUTE, now: NOW })
  await settled()
  expect(actor.getSnapshot().value).toEqual({ past: 'failed' })
  expect(context()).toMatchObject({ failure: 'Nothing was kept yet', shown: 100 * MINUTE })
  actor.send({ type: 'leave' })
  expect(context()).toMatchObject({ failure: null, shown: null })
})

test('who chooses a view leaves the differences of both', async () => {
  const { actor, looks, settled } = started()
  actor.send({ type: 'look.back', at: 200 * MINUTE, now: NOW, view: 'now' })
  await settled()
  actor.send({ type: 'differences.toggle' })
  await settled()
  actor.send({ type: 'view.choose', view: 'then' })
  await settled()
  expect(looks.map(({ view, isDifferencesOnly }) => [view, isDifferencesOnly])).toEqual([
    ['now', false],
    ['now', true],
    ['then', false],
  ])
})

test('a minute that is played and was not kept is shown by the last before it that was', async () => {
  const { actor, context, settled } = started()
  actor.send({ type: 'look.back', at: 500 * MINUTE, now: NOW })
  await settled()
  actor.send({ type: 'play' })
  actor.send({ type: 'played', to: 501 * MINUTE, shown: 500 * MINUTE })
  expect(context()).toMatchObject({ at: 501 * MINUTE, shown: 500 * MINUTE })
})

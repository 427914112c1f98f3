import { expect, test } from 'vitest'
import { createActor, fromPromise, waitFor } from 'xstate'
import { newVersionMachine } from './new-version.machine.ts'

/** The machine with effects that note what they did. */
function begin({
  isKept = true,
  build = 'same',
}: {
  isKept?: boolean
  build?: 'same' | 'other' | 'away'
} = {}) {
  const done: string[] = []
  const actor = createActor(
    newVersionMachine.provide({
      actors: {
        askServer: fromPromise<void>(async () => {
          if (build === 'away') throw new Error('no answer')
          if (build === 'other') actor.send({ type: 'build.changed' })
        }),
        keepTyped: fromPromise<boolean>(async () => isKept),
      },
      actions: {
        keepTypedNow: () => done.push('kept'),
        passOn: (_, { detail }) => done.push(`passed on ${detail}`),
        reloadPage: () => done.push('reloaded'),
      },
    }),
  )
  return { actor: actor.start(), done }
}

test('a newer build is offered, can be put off, and loads with what was typed', async () => {
  const { actor, done } = begin()
  actor.send({ type: 'build.changed' })
  actor.send({ type: 'later' })
  expect(actor.getSnapshot().value).toBe('putOff')
  actor.send({ type: 'protocol.refused' })
  actor.send({ type: 'reload' })
  await waitFor(actor, (state) => state.status === 'done')
  expect(done).toEqual(['reloaded'])
})

test('what may not be kept holds the page until Reload is pressed once more', async () => {
  const { actor, done } = begin({ isKept: false })
  actor.send({ type: 'build.changed' })
  actor.send({ type: 'reload' })
  await waitFor(actor, (state) => state.matches('unkept'))
  expect(done).toEqual([])
  actor.send({ type: 'reload' })
  expect(done).toEqual(['reloaded'])
})

test('a part that is missing is of the build before, or a matter of the network', async () => {
  const older = begin({ build: 'other' })
  older.actor.send({ type: 'part.missing', detail: 'help' })
  await waitFor(older.actor, (state) => state.matches('stuck'))
  expect(older.done).toEqual(['kept'])
  for (const build of ['same', 'away'] as const) {
    const { actor, done } = begin({ build })
    actor.send({ type: 'part.missing', detail: 'help' })
    await waitFor(actor, (state) => state.matches('current'))
    expect(done).toEqual(['kept', 'passed on help'])
  }
})

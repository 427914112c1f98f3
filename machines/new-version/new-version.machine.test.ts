import { expect, test } from 'vitest'
import { createActor, fromPromise, waitFor } from 'xstate'
import { newVersionMachine } from './new-version.machine.ts'

/** The machine with effects that note what they did. */
function begin(build: 'same' | 'other' | 'away' = 'same') {
  const done: string[] = []
  const actor = createActor(
    newVersionMachine.provide({
      actors: {
        askServer: fromPromise<void>(async () => {
          if (build === 'away') throw new Error('no answer')
          if (build === 'other') actor.send({ type: 'build.changed' })
        }),
      },
      actions: {
        passOn: (_, { detail }) => done.push(`passed on ${detail}`),
        reloadPage: () => done.push('reloaded'),
      },
    }),
  )
  return { actor: actor.start(), done }
}

test('a newer build is offered, can be put off, and loads with what was typed', () => {
  const { actor, done } = begin()
  actor.send({ type: 'build.changed' })
  actor.send({ type: 'later' })
  expect(actor.getSnapshot().value).toBe('putOff')
  actor.send({ type: 'protocol.refused' })
  actor.send({ type: 'reload', isKept: true })
  expect(done).toEqual(['reloaded'])
})

test('what may not be kept holds the page until Reload is pressed once more', () => {
  const { actor, done } = begin()
  actor.send({ type: 'build.changed' })
  actor.send({ type: 'reload', isKept: false })
  expect(actor.getSnapshot().value).toBe('unkept')
  expect(done).toEqual([])
  actor.send({ type: 'reload', isKept: false })
  expect(done).toEqual(['reloaded'])
})

test('a part that is missing is of the build before, or a matter of the network', async () => {
  const older = begin('other')
  older.actor.send({ type: 'part.missing', detail: 'help', isKept: true })
  await waitFor(older.actor, (state) => state.matches('stuck'))
  for (const build of ['same', 'away'] as const) {
    const { actor, done } = begin(build)
    actor.send({ type: 'part.missing', detail: 'help', isKept: true })
    await waitFor(actor, (state) => state.matches('current'))
    expect(done).toEqual(['passed on help'])
  }
})

test('a part that is missing while the page is held leaves no blank page, and what was not kept is not called so', () => {
  const { actor, done } = begin()
  actor.send({ type: 'build.changed' })
  actor.send({ type: 'reload', isKept: false })
  actor.send({ type: 'part.missing', detail: 'help', isKept: false })
  // another part of the same page; by now nothing is on it that was typed
  actor.send({ type: 'part.missing', detail: 'keys', isKept: true })
  expect(actor.getSnapshot()).toMatchObject({
    value: 'stuck',
    context: { missing: { detail: 'help', isKept: false } },
  })
  actor.send({ type: 'reload', isKept: true })
  expect(done).toEqual(['reloaded'])
})

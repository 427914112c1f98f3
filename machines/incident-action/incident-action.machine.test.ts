import { expect, test } from 'vitest'
import { createActor, fromPromise, waitFor } from 'xstate'
import { type IncidentAction, incidentActionMachine } from './incident-action.machine.ts'

function opened(act: (action: IncidentAction) => Promise<void> = async () => {}) {
  const done: IncidentAction[] = []
  const machine = incidentActionMachine.provide({
    actors: {
      act: fromPromise<void, IncidentAction>(({ input }) => {
        done.push(input)
        return act(input)
      }),
    },
  })
  return { actor: createActor(machine).start(), done }
}

test('an acknowledgement is asked why and done for all at once', async () => {
  const { actor, done } = opened()
  actor.send({ type: 'acknowledge', ids: ['v1', 'v2'] })
  actor.send({ type: 'say', text: 'Defrost' })
  await waitFor(actor, (state) => state.matches('closed'))
  expect(done).toEqual([{ kind: 'acknowledge', ids: ['v1', 'v2'], text: 'Defrost', minutes: 0 }])
})

test.each([
  ['an hour where nothing else is chosen', [], 60],
  ['as long as was chosen last', [15, 240], 240],
])('what is shelved is so for %s', async (_, chosen, minutes) => {
  const { actor, done } = opened()
  actor.send({ type: 'shelve', ids: ['v1'] })
  for (const one of chosen) actor.send({ type: 'last', minutes: one })
  actor.send({ type: 'say', text: 'Defrost' })
  await waitFor(actor, (state) => state.matches('closed'))
  expect(done).toEqual([{ kind: 'shelve', ids: ['v1'], text: 'Defrost', minutes }])
})

test('of nothing nothing is asked; what was not done says why and is tried again', async () => {
  let isDown = true
  const { actor, done } = opened(async () => {
    if (isDown) throw new Error('The store cannot write now')
  })
  actor.send({ type: 'comment', ids: [] })
  expect(actor.getSnapshot().value).toBe('closed')
  actor.send({ type: 'comment', ids: ['v1'] })
  actor.send({ type: 'say', text: 'Driver is called' })
  const failed = await waitFor(actor, (state) => state.matches('failed'))
  expect(failed.context.error).toBe('The store cannot write now')
  isDown = false
  actor.send({ type: 'retry' })
  await waitFor(actor, (state) => state.matches('closed'))
  expect(done).toHaveLength(2)
})

test('of several only those that were not done are tried again', async () => {
  const answers = [Object.assign(new Error('1 of 3 were not done'), { ids: ['v2'] }), undefined]
  const { actor, done } = opened(async () => {
    const error = answers.shift()
    if (error) throw error
  })
  actor.send({ type: 'comment', ids: ['v1', 'v2', 'v3'] })
  actor.send({ type: 'say', text: 'Driver is called' })
  await waitFor(actor, (state) => state.matches('failed'))
  actor.send({ type: 'retry' })
  await waitFor(actor, (state) => state.matches('closed'))
  expect(done.map(({ ids }) => ids)).toEqual([['v1', 'v2', 'v3'], ['v2']])
})

import { expect, test } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { confirmDeleteMachine } from './confirm-delete.machine.ts'

/** The question, and a server that answers when the test says so. */
function opened() {
  const deleted: string[] = []
  const announced: string[] = []
  let answer: { resolve(): void; reject(error: Error): void } | undefined
  const actor = createActor(
    confirmDeleteMachine.provide({
      actors: {
        deleteRecord: fromPromise(({ input: { id } }: { input: { id: string } }) => {
          deleted.push(id)
          return new Promise<void>((resolve, reject) => {
            answer = { resolve, reject }
          })
        }),
      },
      actions: { announce: () => announced.push('deleted') },
    }),
    { input: { id: 'lahore' } },
  ).start()
  const answered = () =>
    new Promise<void>((resolve) => {
      const check = () => !actor.getSnapshot().matches('deleting') && resolve()
      actor.subscribe({ next: check, complete: check })
    })
  return { actor, deleted, announced, answered, answer: () => answer }
}

test('deletes once however often it is confirmed, and says so', async () => {
  const { actor, deleted, announced, answered, answer } = opened()
  actor.send({ type: 'confirm' })
  actor.send({ type: 'confirm' })
  actor.send({ type: 'cancel' })
  answer()?.resolve()
  await answered()
  expect(deleted).toEqual(['lahore'])
  expect(announced).toEqual(['deleted'])
  expect(actor.getSnapshot().value).toBe('deleted')
})

test('Cancel deletes nothing', () => {
  const { actor, deleted } = opened()
  actor.send({ type: 'cancel' })
  expect([deleted, actor.getSnapshot().value]).toEqual([[], 'cancelled'])
})

test('says why it was refused, and can be tried again', async () => {
  const { actor, deleted, answered, answer } = opened()
  actor.send({ type: 'confirm' })
  answer()?.reject(new Error('Group not found'))
  await answered()
  expect(actor.getSnapshot().context.error).toBe('Group not found')
  actor.send({ type: 'confirm' })
  expect(actor.getSnapshot().context.error).toBeNull()
  expect(deleted).toEqual(['lahore', 'lahore'])
})

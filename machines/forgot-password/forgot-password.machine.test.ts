import { expect, test } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { forgotPasswordMachine } from './forgot-password.machine.ts'

/** The form, and a server that answers when the test says so. */
function opened() {
  const requests: string[] = []
  const did: string[] = []
  let answer: { resolve(): void; reject(error: unknown): void } | undefined
  const actor = createActor(
    forgotPasswordMachine.provide({
      actors: {
        askForMail: fromPromise(({ input }: { input: { email: string } }) => {
          requests.push(input.email)
          return new Promise<void>((resolve, reject) => {
            answer = { resolve, reject }
          })
        }),
      },
      actions: {
        focusOnEmail: () => void did.push('focus'),
        announce: () => void did.push('announce'),
        showFailure: (_, { error }) => void did.push(`failure ${error}`),
      },
    }),
  ).start()
  const left = () =>
    new Promise<void>((resolve) =>
      actor.subscribe((state) => !state.matches('sending') && resolve(undefined)),
    )
  return { actor, requests, did, left, answer: () => answer, now: () => actor.getSnapshot() }
}

test('an address is required', () => {
  const { actor, requests, did, now } = opened()
  actor.send({ type: 'email.changed', email: '  ' })
  actor.send({ type: 'submit' })
  expect(now().context.message).toBe('This field is required')
  expect([requests, did]).toEqual([[], ['focus']])
  actor.send({ type: 'email.changed', email: 'a' })
  expect(now().context.message).toBeNull()
})

test('is asked for once, without blanks, and may be asked for again', async () => {
  const { actor, requests, did, left, answer, now } = opened()
  actor.send({ type: 'email.changed', email: ' operator@indus.example ' })
  actor.send({ type: 'submit' })
  actor.send({ type: 'submit' })
  expect(requests).toEqual(['operator@indus.example'])
  answer()?.resolve()
  await left()
  expect([now().value, did]).toEqual(['sent', ['announce']])
  actor.send({ type: 'again' })
  expect(now().value).toBe('editing')
})

test('refused, it says why and keeps the address', async () => {
  const { actor, did, left, answer, now } = opened()
  actor.send({ type: 'email.changed', email: 'operator@indus.example' })
  actor.send({ type: 'submit' })
  answer()?.reject('Too many requests')
  await left()
  expect([now().value, now().context.email, did]).toEqual([
    'editing',
    'operator@indus.example',
    ['failure Too many requests'],
  ])
})

import { describe, expect, test } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { activationLinkMachine, type LinkAnswer, type SetAnswer } from './activation-link.machine.ts'

type Answering<T> = { resolve: (answer: T) => void; reject: (error: unknown) => void }

/** A link, and a server that answers when the test says so. */
function followed({ isSomebodyIn = false } = {}) {
  const did: string[] = []
  const waiting = {
    check: [] as Answering<LinkAnswer>[],
    resend: [] as Answering<{ message: string }>[],
    set: [] as Answering<SetAnswer>[],
  }
  const pending = <T>(list: Answering<T>[]) =>
    new Promise<T>((resolve, reject) => list.push({ resolve, reject }))
  const actor = createActor(
    activationLinkMachine.provide({
      actors: {
        checkLink: fromPromise(() => pending(waiting.check)),
        resendLink: fromPromise(() => pending(waiting.resend)),
        setPassword: fromPromise(({ input: { token, password } }) => {
          did.push(`set ${password} by ${token}`)
          return pending(waiting.set)
        }),
      },
      actions: {
        showSuccess: (_, { message }) => void did.push(`success ${message}`),
        showRefusal: (_, { message }) => void did.push(`refusal ${message}`),
        showFailure: (_, { error }) => void did.push(`failure ${error}`),
      },
    }),
    { input: { token: 'link-1', isSomebodyIn } },
  ).start()
  const state = () => actor.getSnapshot().value
  const answered = async (success: number) => {
    waiting.check.at(-1)?.resolve({ success, message: `says ${success}` })
    await settled()
  }
  return { actor, did, waiting, state, answered }
}

const settled = () => new Promise<void>((resolve) => queueMicrotask(() => queueMicrotask(resolve)))

test.each([
  [1, 'valid'],
  [0, { expired: 'offering' }],
  [-1, 'used'],
])('what the server says is where one is: %i', async (success, where) => {
  const { actor, state, answered } = followed()
  expect(state()).toBe('checking')
  await answered(success)
  expect(state()).toEqual(where)
  expect(actor.getSnapshot().context.message).toBe(`says ${success}`)
})

test('while another user is signed in the server is not even asked', async () => {
  const { actor, waiting, state, answered } = followed({ isSomebodyIn: true })
  expect([state(), waiting.check.length]).toEqual(['refused', 0])
  actor.send({ type: 'signed-out' })
  expect([state(), waiting.check.length]).toEqual(['checking', 1])
  await answered(1)
  expect(state()).toBe('valid')
})

test('a link nobody knows is the end of it; no answer may be asked for again', async () => {
  const unknown = followed()
  unknown.waiting.check[0]?.reject({ isRefusal: true })
  await settled()
  expect(unknown.state()).toBe('unknown')
  const silent = followed()
  silent.waiting.check[0]?.reject(new Error('no network'))
  await settled()
  expect(silent.state()).toBe('unanswered')
  silent.actor.send({ type: 'retry' })
  expect(silent.waiting.check).toHaveLength(2)
})

describe('a password for a link that works', () => {
  async function chosen() {
    const link = followed()
    await link.answered(1)
    link.actor.send({ type: 'password.chosen', password: 'Fr0st#line25' })
    link.actor.send({ type: 'password.chosen', password: 'Fr0st#line26' })
    expect(link.did).toEqual(['set Fr0st#line25 by link-1'])
    return link
  }

  test('is set', async () => {
    const { waiting, state, did } = await chosen()
    waiting.set[0]?.resolve({ success: true, message: 'welcome' })
    await settled()
    expect(state()).toBe('done')
    expect(did.at(-1)).toBe('success welcome')
  })

  test('too late: says so and looks again what the link is now', async () => {
    const { waiting, state, did, answered } = await chosen()
    waiting.set[0]?.resolve({ success: false, message: 'too late' })
    await settled()
    expect([state(), did.at(-1)]).toEqual(['checking', 'refusal too late'])
    await answered(0)
    expect(state()).toEqual({ expired: 'offering' })
  })

  test('not taken, may be chosen anew', async () => {
    const { actor, waiting, state } = await chosen()
    const failure = new Error('no answer')
    waiting.set[0]?.reject(failure)
    await settled()
    expect(state()).toBe('valid')
    expect(actor.getSnapshot().context.failure).toBe(failure)
  })
})

describe('a link that has run out', () => {
  test('is sent anew, once however often it is pressed', async () => {
    const { actor, waiting, state, did, answered } = followed()
    await answered(0)
    actor.send({ type: 'resend' })
    actor.send({ type: 'resend' })
    expect(waiting.resend).toHaveLength(1)
    waiting.resend[0]?.resolve({ message: 'on its way' })
    await settled()
    expect(state()).toEqual({ expired: 'resent' })
    expect(did).toEqual(['success on its way'])
  })

  test('says why it is not', async () => {
    const { actor, waiting, state, did, answered } = followed()
    await answered(0)
    actor.send({ type: 'resend' })
    waiting.resend[0]?.reject('too often')
    await settled()
    expect(state()).toEqual({ expired: 'offering' })
    expect(did).toEqual(['failure too often'])
  })
})

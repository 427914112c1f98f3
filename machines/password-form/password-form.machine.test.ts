import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { isPassword } from '../rules/password.ts'
import { type NewPassword, type PasswordFields, passwordFormMachine } from './password-form.machine.ts'
import { GOOD, OTHER, WEAK } from './password-form.samples.ts'

/** The form, and a server that answers when the test says so. */
function opened({ needsCode = false } = {}) {
  const requests: NewPassword[] = []
  const did: string[] = []
  let answer: { resolve(): void; reject(error: unknown): void } | undefined
  const actor = createActor(
    passwordFormMachine.provide({
      actors: {
        setPassword: fromPromise(({ input }: { input: NewPassword }) => {
          requests.push(input)
          return new Promise<void>((resolve, reject) => {
            answer = { resolve, reject }
          })
        }),
      },
      actions: {
        focusOn: (_, { field }) => void did.push(`focus ${field}`),
        showFailure: (_, { error }) => void did.push(`failure ${error}`),
        announce: () => void did.push('announce'),
      },
    }),
    { input: { needsCode } },
  ).start()
  const type = (fields: Partial<PasswordFields>) => {
    for (const [field, value] of Object.entries(fields))
      actor.send({ type: 'field.changed', field: field as keyof PasswordFields, value })
  }
  const submit = (fields: Partial<PasswordFields>) => {
    type(fields)
    actor.send({ type: 'submit' })
    return actor.getSnapshot().context.messages
  }
  const left = () =>
    new Promise<void>((resolve) => {
      const check = () => !actor.getSnapshot().matches('submitting') && resolve()
      actor.subscribe({ next: check, complete: check })
    })
  return { actor, requests, did, type, submit, left, answer: () => answer, now: () => actor.getSnapshot() }
}

describe('what is wrong is said in the documents’ words', () => {
  const required = 'This field is required'
  const rows: [string, Partial<PasswordFields>, [string | null, string | null, string | null], string][] = [
    ['nothing typed', {}, [required, required, required], 'code'],
    ['no code', { password: GOOD, confirmPassword: GOOD }, [required, null, null], 'code'],
    [
      'a password the rule refuses',
      { code: '1', password: WEAK, confirmPassword: WEAK },
      [null, 'Invalid Password', 'Invalid Password'],
      'password',
    ],
    ['not typed again', { code: '1', password: GOOD }, [null, null, required], 'confirmPassword'],
    [
      'typed differently',
      { code: '1', password: GOOD, confirmPassword: OTHER },
      [null, null, 'Password and confirm password does not match'],
      'confirmPassword',
    ],
  ]
  test.each(rows)('%s', (_, fields, [code, password, confirmPassword], focused) => {
    const { requests, did, submit } = opened({ needsCode: true })
    expect(submit(fields)).toEqual({ code, password, confirmPassword })
    expect(did).toEqual([`focus ${focused}`])
    expect(requests).toEqual([])
  })

  test('and no longer once the field is mended', () => {
    const { submit, type, now } = opened()
    submit({ password: WEAK, confirmPassword: WEAK })
    type({ password: GOOD })
    expect(now().context.messages).toEqual({ code: null, password: null, confirmPassword: null })
  })

  test('while what is still missing stays marked', () => {
    const { submit, type, now } = opened()
    submit({})
    type({ password: GOOD })
    expect(now().context.messages.confirmPassword).toBe('This field is required')
  })
})

test('is handed over once however often it is sent', () => {
  const { actor, requests, submit } = opened({ needsCode: true })
  submit({ code: ' 482913 ', password: GOOD, confirmPassword: GOOD })
  actor.send({ type: 'submit' })
  expect(requests).toEqual([{ code: '482913', password: GOOD }])
})

test('set, it says so and is done', async () => {
  const { did, submit, left, answer, now } = opened()
  submit({ password: GOOD, confirmPassword: GOOD })
  answer()?.resolve()
  await left()
  expect([did, now().status]).toEqual([['announce'], 'done'])
})

test('refused, it says why, keeps what was typed, and may be sent again', async () => {
  const { actor, requests, did, submit, left, answer, now } = opened()
  submit({ password: GOOD, confirmPassword: GOOD })
  answer()?.reject('This link has run out')
  await left()
  expect(now().value).toEqual({ editing: 'failed' })
  expect(now().context.now.password).toBe(GOOD)
  expect(did).toEqual(['focus null', 'failure This link has run out'])
  actor.send({ type: 'submit' })
  expect(requests).toHaveLength(2)
})

test('a password that the server finds easy to guess is said to be invalid at both fields until it is another', async () => {
  const { did, submit, left, answer, now, type } = opened()
  submit({ password: GOOD, confirmPassword: GOOD })
  answer()?.reject(new Error('Invalid Password'))
  await left()
  const { password, confirmPassword } = now().context.messages
  expect([password, confirmPassword]).toEqual(['Invalid Password', 'Invalid Password'])
  expect(did).toEqual(['focus password', 'failure Error: Invalid Password'])
  type({ password: OTHER })
  expect(now().context.messages).toEqual({ code: null, password: null, confirmPassword: null })
})

test('what is handed over is always a password the rule allows, typed twice alike', () => {
  const typed = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(GOOD, OTHER, WEAK, 'Passw0rd', ''))
  fc.assert(
    fc.property(typed, typed, (password, confirmPassword) => {
      const { requests, submit } = opened()
      submit({ password, confirmPassword })
      const may = isPassword(password) && password === confirmPassword
      expect(requests).toEqual(may ? [{ code: '', password }] : [])
    }),
  )
})

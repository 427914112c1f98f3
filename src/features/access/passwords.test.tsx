import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Route } from 'wouter'
import type { Server } from '../../layout/testing/test-root.ts'
import ConfirmCode from './confirm-code.tsx'
import ForgotPassword from './forgot-password.tsx'
import Reset from './reset.tsx'
import { type AccessHarness, mountAccess } from './testing/mount-access.tsx'
import { GOOD, operator } from './testing/samples.ts'

let harness: AccessHarness
afterEach(() => harness.unmount())

const code = page.getByLabelText('Confirmation code')
const password = page.getByLabelText('New password')
const again = page.getByLabelText('Confirm password')
const texts = (text: string) => page.getByText(text, { exact: true }).elements().length

describe('asking for a mail', () => {
  const email = page.getByLabelText('Email')
  const send = page.getByRole('button', { name: 'Reset Password' })
  const MAIL = 'Please check your resgistered email to reset password'
  const opened = (server: Server) => {
    harness = mountAccess(<ForgotPassword />, { at: '/forgot-password', server })
    return harness
  }

  test('needs an address', async () => {
    const { requests } = opened({})
    await send.click()
    await expect.element(page.getByText('This field is required')).toBeVisible()
    await expect.element(email).toHaveFocus()
    expect(requests).toEqual([])
  })

  test('says the same to everybody, and leads on to the code', async () => {
    const { toasts, calls, went } = opened({ 'POST /auth/forgot-password': { body: { message: MAIL } } })
    await email.fill(' operator@indus.example')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('heading', { name: 'Request received' })).toHaveFocus()
    expect(texts(MAIL), 'the toast says it').toBe(0)
    expect(toasts).toEqual([MAIL])
    expect(calls('POST /auth/forgot-password')).toEqual([{ email: 'operator@indus.example' }])
    await page.getByRole('link', { name: 'I have a code' }).click()
    expect(went().at(-1)).toBe('/confirm-code/operator%40indus.example')
  })

  test('refused, says the server’s words and keeps the address', async () => {
    const { toasts } = opened({
      'POST /auth/forgot-password': { status: 429, body: { code: 429, message: 'Too many requests' } },
    })
    await email.fill('operator@indus.example')
    await send.click()
    await expect.poll(() => toasts).toEqual(['Too many requests'])
    await expect.element(email).toHaveValue('operator@indus.example')
  })

  test('asks once while it waits', async () => {
    const { calls } = opened({ 'POST /auth/forgot-password': 'hang' })
    await email.fill('operator@indus.example')
    await send.click()
    await expect.element(page.getByRole('button', { name: 'Sending…' })).toBeVisible()
    await email.click()
    await userEvent.keyboard('{Enter}')
    expect(calls('POST /auth/forgot-password')).toHaveLength(1)
  })
})

describe('a new password with a code', () => {
  const set = page.getByRole('button', { name: 'Set Password' })
  const opened = (server: Server = {}) => {
    harness = mountAccess(<Route path="/confirm-code/:userName" component={ConfirmCode} />, {
      at: '/confirm-code/bilal%40indus.example',
      server,
    })
    return harness
  }

  test('says for whom the code is, and claims no mail that perhaps nobody sent', async () => {
    opened()
    await expect.element(page.getByText(/the mail for bilal@indus\.example\./)).toBeVisible()
    expect(document.body.textContent).not.toMatch(/we sent/i)
  })

  test('needs all three, and puts the cursor in the first that is missing', async () => {
    const { requests } = opened()
    await set.click()
    await expect.poll(() => texts('This field is required')).toBe(3)
    await expect.element(code).toHaveFocus()
    await code.fill('482913')
    await set.click()
    await expect.poll(() => texts('This field is required')).toBe(2)
    await expect.element(password).toHaveFocus()
    expect(requests).toEqual([])
  })

  test('says on both fields that the rule refuses it', async () => {
    opened()
    await code.fill('482913')
    await password.fill('password')
    await again.fill('password')
    await set.click()
    await expect.poll(() => texts('Invalid Password')).toBe(2)
    await expect.element(password).toHaveFocus()
    await expect.element(password).toHaveAccessibleDescription(/Invalid Password/)
  })

  test('says that the two differ', async () => {
    opened()
    await code.fill('482913')
    await password.fill(GOOD)
    await again.fill(`${GOOD}x`)
    await set.click()
    await expect.element(page.getByText('Password and confirm password does not match')).toBeVisible()
    await expect.element(again).toHaveFocus()
  })

  test('set, says so and leads to the sign-in form', async () => {
    const { toasts, calls, went } = opened({ 'POST /auth/confirm-user': { body: { message: 'ok' } } })
    await code.fill('482913')
    await password.fill(GOOD)
    await again.fill(GOOD)
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => toasts).toEqual(['New password is set successfully'])
    expect(went().at(-1)).toBe('/login')
    expect(calls('POST /auth/confirm-user')).toEqual([
      { userName: 'bilal@indus.example', code: '482913', password: GOOD },
    ])
  })

  test('refused, keeps what was typed; even a first 404 is told here', async () => {
    const { toasts } = opened({
      'POST /auth/confirm-user': { status: 404, body: { code: 404, message: 'This code is not right' } },
    })
    await code.fill('1')
    await password.fill(GOOD)
    await again.fill(GOOD)
    await set.click()
    await expect.poll(() => toasts).toEqual(['This code is not right'])
    await expect.element(password).toHaveValue(GOOD)
    await expect.element(set).toBeVisible()
  })

  test('easy to guess, as the server says, is said at both fields, and why, until another one is typed', async () => {
    opened({ 'POST /auth/confirm-user': { status: 400, body: { code: 400, message: 'Invalid Password' } } })
    await code.fill('482913')
    await password.fill(GOOD)
    await again.fill(GOOD)
    await set.click()
    await expect.poll(() => texts('Invalid Password')).toBe(2)
    await expect.element(page.getByText(/^Easy to guess/)).toBeVisible()
    await expect.element(password).toHaveFocus()
    await password.fill(`${GOOD}x`)
    await expect.poll(() => texts('Invalid Password')).toBe(0)
    await expect.element(page.getByText(/^Easy to guess/)).not.toBeInTheDocument()
  })

  test('can be looked at, and tells what keeps passwords what it is', async () => {
    opened()
    await expect.element(code).toHaveAttribute('autocomplete', 'one-time-code')
    for (const field of [password, again]) {
      await expect.element(field).toHaveAttribute('autocomplete', 'new-password')
      await expect.element(field).toHaveAttribute('type', 'password')
    }
    await page.getByRole('button', { name: 'Show password' }).first().click()
    await expect.element(password).toHaveAttribute('type', 'text')
  })

  test('the rule is ticked off while one types, and strength is a hint', async () => {
    opened()
    await password.fill('Fr0st')
    await expect.element(page.getByText('A number, there')).toBeInTheDocument()
    await expect.element(page.getByText('A special character, missing')).toBeInTheDocument()
    await expect.element(page.getByText('Not complete yet')).toBeVisible()
    await password.fill('Aaaaaaa1!')
    await expect.element(page.getByText(/^Fair/)).toBeVisible()
    await password.fill('v8#Kq!2zRw@9Lm')
    await expect.element(page.getByText('Strong')).toBeVisible()
  })
})

describe('a forced reset', () => {
  // the fields of an activation, as the documents have it
  const password = page.getByLabelText('Set password')
  const again = page.getByLabelText('Retype password')
  const reset = page.getByRole('button', { name: 'Reset Password' })
  const opened = (given: Parameters<typeof mountAccess>[1]) => {
    harness = mountAccess(<Route path="/user/reset" component={Reset} />, { at: '/user/reset', ...given })
    return harness
  }

  test('is only for who was told so', async () => {
    const { went } = opened({})
    await expect.poll(() => went().at(-1)).toBe('/login')
  })

  test('is nothing to who is signed in', async () => {
    const { went } = opened({ session: operator })
    await expect.poll(() => went().at(-1)).toBe('/login')
  })

  test('takes the new password, forgets its token and leads to the sign-in form', async () => {
    const { toasts, calls, went, stored } = opened({
      reset: 'reset-1',
      server: { 'POST /auth/set-password': { body: { message: 'Password is set' } } },
    })
    await password.fill(GOOD)
    await again.fill(GOOD)
    await reset.click()
    await expect.poll(() => went().at(-1)).toBe('/login')
    expect(toasts).toEqual(['Password is set'])
    expect(stored).toEqual([null])
    expect(calls('POST /auth/set-password')).toEqual([
      { password: GOOD, token: 'reset-1', confirmation: GOOD },
    ])
  })

  test('refused, stays and says why', async () => {
    const { toasts, went } = opened({
      reset: 'reset-1',
      server: { 'POST /auth/set-password': { status: 401, body: { code: 401, message: 'Too late' } } },
    })
    await password.fill(GOOD)
    await again.fill(GOOD)
    await reset.click()
    await expect.poll(() => toasts).toEqual(['Too late'])
    expect(went()).toEqual(['/user/reset'])
  })

  test('can be left', async () => {
    const { went, stored } = opened({ reset: 'reset-1' })
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect.poll(() => went().at(-1)).toBe('/login')
    expect(stored).toEqual([null])
  })
})

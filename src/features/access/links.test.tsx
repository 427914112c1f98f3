import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Route } from 'wouter'
import type { Server } from '../../layout/testing/test-root.ts'
import Activate from './activate.tsx'
import SetPassword from './set-password.tsx'
import { type AccessHarness, mountAccess } from './testing/mount-access.tsx'
import { GOOD, operator } from './testing/samples.ts'

let harness: AccessHarness
afterEach(() => harness.unmount())

const user = { _id: 'u7', name: 'Sana Mir', userName: 'sana', email: 'sana@indus.example' }
const says = (success: number, message = '') => ({
  'POST /auth/checkLinkValidity/link-1': { body: { success, message } },
  'POST /auth/getUserByToken/link-1': { body: { user } },
})
const password = page.getByLabelText('Set password', { exact: true })
const again = page.getByLabelText('Retype password')

function activation(server: Server, session: typeof operator | null = null) {
  harness = mountAccess(<Route path="/user/activate/:token" component={Activate} />, {
    at: '/user/activate/link-1',
    server,
    session,
  })
  return harness
}

async function choose(button: string): Promise<void> {
  await password.fill(GOOD)
  await again.fill(GOOD)
  await page.getByRole('button', { name: button }).click()
}

describe('an activation link', () => {
  test('that works takes the first password of whom it is for', async () => {
    const { toasts, calls } = activation({
      ...says(1),
      'POST /auth/activate/link-1': { body: { success: true, message: 'Account activated' } },
    })
    await expect.element(page.getByText('Sana Mir')).toBeVisible()
    await choose('Activate')
    await expect.element(page.getByRole('heading', { name: 'Your account is ready' })).toHaveFocus()
    expect(toasts).toEqual(['Account activated'])
    expect(calls('POST /auth/activate/link-1')).toEqual([{ password: GOOD }])
    await page.getByRole('link', { name: 'Goto Login Page' }).click()
    expect(harness.went().at(-1)).toBe('/login')
  })

  test('keeps what was typed when the server does not take it', async () => {
    const { toasts } = activation({
      ...says(1),
      'POST /auth/activate/link-1': { status: 400, body: { code: 400, message: 'Invalid Password' } },
    })
    await choose('Activate')
    await expect.poll(() => toasts).toEqual(['Invalid Password'])
    await expect.element(password).toHaveValue(GOOD)
  })

  test('that ran out while they typed becomes what it is now', async () => {
    let success = 1
    const { toasts } = activation({
      ...says(1),
      'POST /auth/checkLinkValidity/link-1': () => ({ body: { success, message: '' } }),
      'POST /auth/activate/link-1': () => {
        success = 0
        return { body: { success: false, message: 'This link has expired' } }
      },
    })
    await choose('Activate')
    await expect.element(page.getByRole('button', { name: 'Resend Link' })).toBeVisible()
    expect(toasts).toEqual(['This link has expired'])
  })

  test('that has run out is sent anew, once', async () => {
    const { toasts, calls } = activation({
      ...says(0),
      'POST /auth/resendLink/link-1': { body: { message: 'A new link is on its way' } },
    })
    await page.getByRole('button', { name: 'Resend Link' }).click()
    await expect.poll(() => toasts).toEqual(['A new link is on its way'])
    expect(calls('POST /auth/resendLink/link-1')).toHaveLength(1)
    await expect.element(page.getByRole('status').getByText(/A new link is on its way/)).toBeVisible()
  })

  test('that was used says so with a control that does nothing, and another that leads to the login', async () => {
    activation(says(-1))
    const control = page.getByRole('button', { name: 'Account already created. Goto Login Page' })
    await expect.element(control).toBeDisabled()
    await page.getByRole('link', { name: 'Goto Login Page' }).click()
    expect(harness.went().at(-1)).toBe('/login')
  })

  test('that nobody knows shows the server’s words', async () => {
    activation({
      'POST /auth/checkLinkValidity/link-1': {
        status: 404,
        body: { code: 404, message: 'This link is not valid' },
      },
    })
    await expect.element(page.getByRole('heading', { name: 'This link is not valid' })).toBeVisible()
  })

  test('is refused while somebody is signed in, who can log out on the spot', async () => {
    const { requests, stored, calls } = activation(
      { ...says(1), 'POST /auth/logout': { body: { message: 'Logged out' } } },
      operator,
    )
    const refusal = 'Another user already logged in, please logout and activate your account.'
    await expect.element(page.getByRole('heading', { name: refusal })).toBeVisible()
    await expect.element(page.getByRole('alert').getByText('Bilal Ahmed', { exact: true })).toBeVisible()
    expect(requests).toEqual([])
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect.element(password).toBeVisible()
    expect(calls('POST /auth/logout')).toHaveLength(1)
    expect([stored, harness.went()]).toEqual([[null], ['/user/activate/link-1']])
  })
})

describe('a link to set a password', () => {
  function opened(server: Server, session: typeof operator | null = null) {
    harness = mountAccess(<Route path="/set-password/:id/:token" component={SetPassword} />, {
      at: '/set-password/u7/link-1',
      server,
      session,
    })
    return harness
  }

  test('that works takes another password, whoever is signed in', async () => {
    const { toasts, calls } = opened(
      {
        ...says(1),
        'POST /auth/set-password/u7/link-1': { body: { success: true, message: 'Password is set' } },
      },
      operator,
    )
    await choose('Set Password')
    await expect.element(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible()
    expect([toasts, calls('POST /auth/set-password/u7/link-1')]).toEqual([
      ['Password is set'],
      [{ password: GOOD }],
    ])
  })

  test.each([
    [0, 'This link has expired'],
    [-1, 'This link was already used'],
  ])('that no longer works (%i) leads to another', async (success, title) => {
    opened(says(success))
    await expect.element(page.getByRole('heading', { name: title })).toBeVisible()
    await page.getByRole('link', { name: 'Ask for another' }).click()
    expect(harness.went().at(-1)).toBe('/forgot-password')
  })
})

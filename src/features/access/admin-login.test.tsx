import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Route } from 'wouter'
import AdminLogin from './admin-login.tsx'
import { type AccessHarness, mountAccess } from './testing/mount-access.tsx'
import { administrator, handOff, operator } from './testing/samples.ts'

let harness: AccessHarness
afterEach(() => harness.unmount())

function arrived(given: Parameters<typeof mountAccess>[1]) {
  harness = mountAccess(<Route path="/adminLogin" component={AdminLogin} />, { at: '/adminLogin', ...given })
  return harness
}

const refusal = page.getByRole('heading', { name: 'This link does not let you in' })

test('says Loading.... while the server is asked', async () => {
  const { requests } = arrived({ handOff, server: { 'GET /auth/me': 'hang' } })
  await expect.element(page.getByText('Loading....', { exact: true })).toBeVisible()
  const headers = requests[0]?.headers
  expect([headers?.get('authorization'), headers?.get('token'), headers?.get('isSuperAdminUser')]).toEqual([
    'Bearer access-9',
    'refresh-9',
    'true',
  ])
})

test('keeps the administrator with their flag, ends whose session it was, and goes to the root', async () => {
  const { stored, calls, went } = arrived({
    handOff,
    session: operator,
    server: { 'GET /auth/me': { body: administrator }, 'POST /auth/logout': { body: { message: '' } } },
  })
  await expect.poll(() => went().at(-1)).toBe('/')
  expect(stored).toMatchObject([
    {
      user: { _id: 'admin', groupId: 'karakoram' },
      accessToken: 'access-9',
      refreshToken: 'refresh-9',
      groupInfo: { name: 'Karakoram Foods' },
      isSuperAdminUser: true,
    },
  ])
  expect(calls('POST /auth/logout')).toHaveLength(1)
})

test.each([
  ['an ordinary user', { ...administrator, superAdmin: false }],
  ['an administrator at home', { ...administrator, handoff: false }],
  ['somebody else', { ...administrator, _id: 'other' }],
  ['another company', { ...administrator, companyId: 'indus' }],
])('lets nobody in whom the server calls %s', async (_, me) => {
  const { stored } = arrived({ handOff, server: { 'GET /auth/me': { body: me } } })
  await expect.element(refusal).toBeVisible()
  expect(stored).toEqual([])
})

test('tells what the server has against it, and leads to the login', async () => {
  const { went } = arrived({
    handOff,
    server: { 'GET /auth/me': { status: 401, body: { code: 401, message: 'Please login first' } } },
  })
  await expect.element(page.getByText('Please login first')).toBeVisible()
  await page.getByRole('button', { name: 'Goto Login Page' }).click()
  expect(went()).toContain('/login')
})

test('an incomplete address asks nobody', async () => {
  const { requests } = arrived({ handOff: null })
  await expect.element(refusal).toBeVisible()
  expect(requests).toEqual([])
})

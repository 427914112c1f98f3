import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { KeyInfo } from '#machines/contracts/entities/device-keys.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import CompanyKeys from './company-keys.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const SECRET = 'wUr8Q2-the-key-itself'
const keyOf = (_id: string, rest: Partial<KeyInfo> = {}): KeyInfo => ({
  _id,
  name: `Gateway ${_id}`,
  scopes: ['ingest'],
  createdAt: '2026-05-04T06:00:00.000Z',
  createdBy: 'Bilal Ahmed',
  lastUsedAt: null,
  expiresAt: null,
  isGood: true,
  ...rest,
})
const ENDED = keyOf('lahore', { isGood: false, expiresAt: '2026-05-05T06:00:00.000Z' })
const KEYS = 'GET /companies/indus/keys'
const mayKeep = (keepsKeys: boolean) => ({
  body: {
    ...{ _id: 'u1', name: 'Bilal Ahmed', userName: 'bilal', groupId: 'top', companyId: 'indus' },
    ...{ exp: 2e9, companyName: 'Indus', superAdmin: false, handoff: false, keepsKeys },
  },
})

async function shown(server: Server = {}) {
  harness = await mountPage(<CompanyKeys />, {
    at: '/company/keys',
    fleet: createFleet((call) => call()),
    server: { 'GET /auth/me': mayKeep(true), [KEYS]: { body: [] }, ...server },
  })
}
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('a key is shown once: copied from there, and nowhere on the page afterwards', async () => {
  const keys: KeyInfo[] = []
  await shown({
    [KEYS]: () => ({ body: keys }),
    'POST /companies/indus/keys': () => {
      keys.push(keyOf('lahore'))
      return { status: 201, body: { ...keyOf('lahore'), key: SECRET } }
    },
  })
  await expect.element(page.getByText('No keys yet')).toBeVisible()
  await button('New key').click()
  await expect.element(button('Make key')).toBeDisabled()
  await page.getByRole('textbox', { name: 'Name' }).fill('Gateway lahore')
  await button('Make key').click()
  await expect.element(page.getByRole('textbox', { name: 'Key' })).toHaveValue(SECRET)
  await expect.element(page.getByText(/it is not shown again/)).toBeVisible()
  await button('Copy').click()
  await expect.poll(() => harness.toasts).toEqual(['The key is copied'])
  await button('I have kept it').click()
  await expect.element(page.getByText('Gateway lahore')).toBeVisible()
  await expect.element(page.getByText('not used yet')).toBeVisible()
  expect(document.body.innerHTML).not.toContain(SECRET)
  expect(harness.calls('POST /companies/indus/keys').map(({ body }) => body)).toEqual([
    { name: 'Gateway lahore', scopes: ['ingest'], expiresAt: null },
  ])
})

test('a press beside it does not lose a key that is shown', async () => {
  await shown({ 'POST /companies/indus/keys': { status: 201, body: { ...keyOf('lahore'), key: SECRET } } })
  await button('New key').click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Gateway lahore')
  await userEvent.keyboard('{Tab}')
  await button('Make key').click()
  const key = page.getByRole('textbox', { name: 'Key' })
  await expect.element(key).toBeVisible()
  await userEvent.click(document.elementFromPoint(3, 3) as Element)
  await expect.element(key).toHaveValue(SECRET)
})

test('a refusal is told, and what was typed stays', async () => {
  const message = 'There are fifty keys already: revoke one first'
  await shown({ 'POST /companies/indus/keys': { status: 409, body: { code: 409, message } } })
  await button('New key').click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Gateway')
  await button('Make key').click()
  await expect.poll(() => harness.toasts).toEqual([message])
  await expect.element(name).toHaveValue('Gateway')
})

test('a key is revoked by the keyboard alone, after a question; what is over offers nothing', async () => {
  let isGood = true
  await shown({
    [KEYS]: () => ({
      body: [
        isGood ? keyOf('lahore') : ENDED,
        keyOf('old', { isGood: false, expiresAt: '2026-05-04T06:00:00.000Z' }),
      ],
    }),
    'DELETE /companies/indus/keys/lahore': () => {
      isGood = false
      return { body: ENDED }
    },
  })
  await expect.element(button('Revoke Gateway lahore')).toBeVisible()
  expect(button('Revoke Gateway old').query()).toBeNull()
  ;(button('Revoke Gateway lahore').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/It opens nothing from now on/)).toBeVisible()
  const revoke = button('Revoke').element()
  while (document.activeElement !== revoke) await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => page.getByText('Over').elements().length).toBe(2)
  expect(button('Revoke Gateway lahore').query()).toBeNull()
})

test('keys that cannot be loaded are loaded again', async () => {
  let isBroken = true
  await shown({
    [KEYS]: () =>
      isBroken ? { status: 500, body: { code: 500, message: 'broken' } } : { body: [keyOf('lahore')] },
  })
  await expect.element(page.getByText('The keys could not be loaded')).toBeVisible()
  isBroken = false
  await button('Try again').click()
  await expect.element(page.getByText('Gateway lahore')).toBeVisible()
})

test('who may not keep keys is told who does, and no key is asked for', async () => {
  await shown({ 'GET /auth/me': mayKeep(false) })
  await expect.element(page.getByText('You may not keep keys')).toBeVisible()
  expect(harness.calls(KEYS)).toEqual([])
  expect(button('New key').query()).toBeNull()
})

test('on a phone nothing is wider than the screen', async () => {
  await page.viewport(390, 844)
  const long = {
    name: `Gateway ${'of the northern yards '.repeat(6)}`,
    scopes: ['ingest', 'read', 'events'] as const,
  }
  await shown({ [KEYS]: { body: [keyOf('lahore', { ...long, scopes: [...long.scopes] })] } })
  await expect.element(page.getByText(/northern yards/)).toBeVisible()
  const place = document.querySelector('main') as HTMLElement
  expect(place.scrollWidth).toBeLessThanOrEqual(place.clientWidth)
})

import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { mountPage, type PageHarness, SESSION } from '../../../layout/testing/mount-page.tsx'
import { createFleet } from '../../../read-model/fleet.ts'
import NoFleet from './no-fleet.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const SINCE = '2026-05-04T06:00:00.000Z'
const knock = (imei: string) => ({
  imei,
  door: 'teltonika',
  address: '10.0.0.9',
  firstAt: SINCE,
  lastAt: SINCE,
  times: 1,
})
const mount = async (answer: { status?: number; body: unknown }) => {
  harness = await mountPage(<NoFleet />, {
    at: '/',
    server: { 'GET /unknown-devices': answer },
    fleet: createFleet((call) => call()),
  })
}

test('leads whoever may add devices to adding one, to a list of them and to those that are sending already', async () => {
  const devices = [knock('356307042441013'), knock('356307042441021')]
  await mount({ body: { mayRegister: true, since: SINCE, devices } })
  await expect
    .element(page.getByRole('link', { name: 'Import a list' }))
    .toHaveAttribute('href', '/devices/import')
  await page.getByRole('link', { name: '2 devices that nobody knows are sending' }).click()
  await page.getByRole('link', { name: 'Add Device' }).click()
  expect(harness.went()).toEqual(['/', '/devices', '/devices/add'])
})

test.each([
  ['somebody who may not add devices', { body: { mayRegister: false, since: SINCE, devices: [] } }],
  ['somebody of whom it is not known', { status: 500, body: { code: 500, message: 'broken' } }],
])('tells %s whom to ask', async (_who, answer) => {
  await mount(answer)
  await expect.element(page.getByText(/^An administrator of the server adds them/)).toBeVisible()
  expect(page.getByRole('link', { name: 'Add Device' }).query()).toBeNull()
})

test('leads an administrator who is in no company to the companies: a device added there would be nobody’s', async () => {
  const accessToken = `h.${btoa(JSON.stringify({ exp: 1_900_000_000, superAdmin: true }))}.s`
  harness = await mountPage(<NoFleet />, {
    at: '/',
    server: { 'GET /unknown-devices': { body: { mayRegister: true, since: SINCE, devices: [] } } },
    fleet: createFleet((call) => call()),
    session: { ...SESSION, accessToken },
  })
  await page.getByRole('link', { name: 'Companies' }).click()
  expect(harness.went()).toEqual(['/', '/admin/companies'])
  expect(page.getByRole('link', { name: 'Add Device' }).query()).toBeNull()
})

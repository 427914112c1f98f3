import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { clock, threeDevices } from '../../layout/incidents/testing.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Answer } from '../../layout/testing/test-root.ts'
import Devices from './devices.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const SINCE = '2026-06-15T04:00:00.000Z'
const UNKNOWN = {
  ...{ imei: '356307042441021', door: 'teltonika', address: '10.0.0.9' },
  ...{ firstAt: SINCE, lastAt: SINCE, times: 1 },
}

test.each([390, 1280])(
  '%s px wide, devices that nobody knows move nothing one can press: they stand beneath the list, and above it is said that they are there',
  async (width) => {
    await page.viewport(width, 844)
    const unknown = Promise.withResolvers<Answer>()
    harness = await mountPage(<Devices />, {
      at: '/devices',
      fleet: threeDevices(),
      clock,
      server: { 'GET /unknown-devices': () => unknown.promise },
    })
    const row = page.getByRole('table', { name: 'Devices' }).getByRole('link').last()
    const search = page.getByRole('textbox', { name: 'Search devices' })
    await expect.element(row).toBeVisible()
    const places = () => [search, row].map((one) => one.element().getBoundingClientRect().top)
    const before = places()
    unknown.resolve({ body: { mayRegister: true, since: SINCE, devices: [UNKNOWN] } })
    const add = page.getByRole('button', { name: `Add ${UNKNOWN.imei}` })
    await expect.element(add).toBeInTheDocument()
    expect(places()).toEqual(before)
    await page.getByRole('link', { name: '1 that nobody knows' }).click()
    await expect.element(add).toBeInViewport()
  },
)

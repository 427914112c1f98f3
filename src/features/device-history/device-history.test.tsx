import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Route } from 'wouter'
import type { DeviceHistory as History } from '#machines/contracts/entities/devices.ts'
import { setTimeZone } from '../../format/time.ts'
import { clock, deskWith, lostDevice, threeDevices } from '../../layout/incidents/testing.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Answer } from '../../layout/testing/test-root.ts'
import DeviceHistory from './device-history.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const { imei } = lostDevice(2)
const CALL = `GET /things/${imei}/observations`
const NOTHING_MEASURED: History = {
  points: [],
  latest: null,
  thresholds: {
    ...{ lowTemperatureThreshold: 2, highTemperatureThreshold: 8 },
    ...{ lowHumidityThreshold: 20, highHumidityThreshold: 80 },
    ...{ tmin: -30, tmax: 70, hmin: -40, hmax: 100 },
  },
}
const UNAVAILABLE: Answer = { status: 503, body: { code: 503, message: 'The store cannot read now' } }
const known = page.getByText('Nothing was measured in this range. Choose another start or end date.')
const outOfDate = page.getByText('This history could not be brought up to date.')
const failed = page.getByText('This history could not be loaded')
const again = page.getByRole('button', { name: 'Try again' })

/** The page of a lost device against a server that answers as `is` says. */
async function shown(is: { answer: Answer } = { answer: { body: NOTHING_MEASURED } }) {
  setTimeZone('Asia/Karachi')
  harness = await mountPage(
    <Route path="/temperature/:imei">
      <DeviceHistory />
    </Route>,
    {
      at: `/temperature/${imei}`,
      fleet: threeDevices(),
      clock,
      server: {
        [CALL]: () => is.answer,
        'GET /groups/top/incidents': { body: deskWith({ open: [lostDevice(2)] }) },
      },
    },
  )
  return is
}

test('what is known, and a reason that is being typed, stay where it cannot be loaded again when the link is back', async () => {
  const is = await shown()
  await expect.element(known).toBeVisible()
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  const reason = page.getByLabelText('Another reason')
  await reason.fill('In the workshop until noon')
  is.answer = UNAVAILABLE
  harness.link('offline')
  harness.link('live')
  await expect.element(outOfDate).toBeVisible()
  await expect.element(reason).toHaveValue('In the workshop until noon')
  await expect.element(known).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  is.answer = { body: NOTHING_MEASURED }
  await again.click()
  await expect.element(outOfDate).not.toBeInTheDocument()
  await expect.element(known).toBeVisible()
})

test('what was asked for by hand and failed is not what was known before', async () => {
  const is = await shown()
  await expect.element(known).toBeVisible()
  is.answer = UNAVAILABLE
  await page.getByText('1 h').click()
  await expect.element(failed).toBeVisible()
  expect(known.query()).toBeNull()
  is.answer = { body: NOTHING_MEASURED }
  await again.click()
  await expect.element(known).toBeVisible()
})

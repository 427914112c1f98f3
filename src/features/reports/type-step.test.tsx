import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Route } from 'wouter'
import { setTimeZone } from '../../format/time.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { keptDrafts, noDrafts } from '../../layout/testing/no-drafts.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { imeiOf, plainDevice, plainGroup, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import TypeStep from './type-step.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const REPORTS = 'POST /groups/top/company/indus/reports'
const DAY = 86_400_000

async function shown(type: string, now = 0, drafts = noDrafts) {
  const fleet = createFleet((call) => call())
  const groups = [plainGroup('top'), plainGroup('Lahore', 'top'), plainGroup('Cantt', 'Lahore')]
  fleet.load(snapshotOf(1, [plainDevice(1, { group: 1 }), plainDevice(2, { group: 2 })], groups))
  const screen = <Route path="/reports/:type" component={TypeStep} />
  const clock = { now: () => now, isKnown: () => true, set: () => {}, until: () => Number.POSITIVE_INFINITY }
  const server = { [REPORTS]: { status: 202, body: { _id: 'r', message: 'ok' } } }
  harness = await mountPage(screen, { at: `/reports/${type}`, server, fleet, clock, drafts })
}

test('a group ticks its vehicles and child groups; a vehicle that is let go unticks them', async () => {
  await shown('TripDetailReport')
  await page.getByRole('tab', { name: 'Groups' }).click()
  await page.getByRole('row', { name: 'Lahore' }).click()
  await expect.element(page.getByText('The report will be of 2 vehicles.')).toBeVisible()
  await page.getByRole('tab', { name: 'Vehicles' }).click()
  await page.getByRole('option', { name: /Reefer 2/ }).click()
  await page.getByRole('tab', { name: 'Groups' }).click()
  await expect.element(page.getByRole('row', { name: 'Cantt' }).getByRole('checkbox')).not.toBeChecked()
  await page.getByRole('button', { name: 'Export' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Report Request' })).toBeVisible()
  expect(harness.calls(REPORTS).map(({ body }) => body)).toEqual([
    { reportType: 'TripDetailReport', things: [imeiOf(1)], groups: [], startDate: -DAY, endDate: 0 },
  ])
})

test('a vehicle travel report carries its distance', async () => {
  await shown('vehicleTravelReport')
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('textbox', { name: 'Min distance travelled' }).fill('40')
  await page.getByRole('button', { name: 'Export' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Report Request' })).toBeVisible()
  expect(harness.calls(REPORTS)[0]?.body).toMatchObject({ minDistance: 40, things: [imeiOf(1), imeiOf(2)] })
})

test('what was chosen comes back after no answer, an emptied limit too', async () => {
  const drafts = keptDrafts()
  await shown('OverSpeedingVehiclesReport', 0, drafts)
  await page.getByRole('button', { name: 'Select all' }).click()
  const speed = page.getByRole('textbox', { name: 'Speed limit' })
  await speed.clear()
  expect(drafts.keep()).toBe(true)
  harness.unmount()
  await shown('OverSpeedingVehiclesReport', 0, drafts)
  await expect.element(page.getByText('The report will be of 2 vehicles.')).toBeVisible()
  await expect.element(speed).toHaveValue('')
})

test('over-speeding carries its limit, brought within the documents’ bounds', async () => {
  await shown('OverSpeedingVehiclesReport')
  await page.getByRole('button', { name: 'Select all' }).click()
  const speed = page.getByRole('textbox', { name: 'Speed limit' })
  await expect.element(speed).toHaveValue('80')
  await speed.fill('900')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('dialog', { name: 'Report Request' })).toBeVisible()
  expect(harness.calls(REPORTS)[0]?.body).toMatchObject({
    reportType: 'OverSpeedingVehiclesReport',
    speed: 200,
  })
})

test('vehicle history has neither groups nor select all', async () => {
  await shown('vehicleHistoryReport')
  await expect.element(page.getByRole('tab', { name: 'Vehicles' })).toBeVisible()
  await expect.element(page.getByRole('tab', { name: 'Groups' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Select all' })).not.toBeInTheDocument()
})

test('24 hours that read so may be asked for, whatever second it is', async () => {
  setTimeZone('Asia/Karachi')
  await shown('vehicleHistoryReport', Date.UTC(2026, 5, 15, 21, 30, 40))
  await page.getByRole('option', { name: /Reefer 1/ }).click()
  await page.getByRole('button', { name: 'Last night' }).click()
  const start = page.getByRole('group', { name: 'Start date and time' })
  await start.getByRole('spinbutton', { name: /^hour/ }).click()
  await userEvent.keyboard('0230')
  await page.getByRole('button', { name: 'Export' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Report Request' })).toBeVisible()
  const endDate = Date.UTC(2026, 5, 15, 21, 30)
  expect(harness.calls(REPORTS)[0]?.body).toMatchObject({ startDate: endDate - DAY, endDate })
})

test('a performance report is never sent without a geofence, and there is none', async () => {
  await shown('performanceReport')
  await expect.element(page.getByText('No geofences')).toBeVisible()
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  await expect.element(page.getByText('Please select geofence')).toBeVisible()
  expect(harness.calls(REPORTS)).toHaveLength(0)
})

test('what cannot be made says why, and where the nearest thing is', async () => {
  await shown('OilChangeReport')
  await expect.element(page.getByText('This report cannot be made')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Distance Report' }))
    .toHaveAttribute('href', '/reports/distanceReport')
})

test('a name that is none leads back to the list', async () => {
  await shown('nothing')
  await expect.element(page.getByText('There is no such report')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Reports' })).toHaveAttribute('href', '/reports')
})

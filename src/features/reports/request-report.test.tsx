import { afterEach, beforeAll, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { setTimeZone } from '../../format/time.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { imeiOf, plainDevice, plainGroup, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import { ClockContext } from '../../ui/clock-context.ts'
import type { RequestKind } from './request-kinds.ts'
import RequestReport from './request-report.tsx'

let harness: PageHarness
beforeAll(() => setTimeZone('Asia/Karachi'))
afterEach(() => harness.unmount())

const REPORTS = '/groups/top/company/indus/reports'
const taken = { status: 202, body: { _id: 'r1', message: 'ok' } }
/** The harness's clock stands at the beginning of 1970: five in the morning in Karachi. */
const HOUR = 3_600_000

async function shown(kind: RequestKind, server: Server = {}, search = '') {
  const fleet = createFleet((call) => call())
  const groups = [plainGroup('top'), plainGroup('Lahore', 'top'), plainGroup('Cantt', 'Lahore')]
  const devices = [
    plainDevice(1, { group: 1 }),
    plainDevice(2, { group: 2 }),
    plainDevice(3, { group: 0, kind: 1 }),
  ]
  fleet.load(snapshotOf(1, devices, groups))
  const screen = (
    <ClockContext value={{ now: () => 0 }}>
      <RequestReport kind={kind} />
    </ClockContext>
  )
  harness = await mountPage(screen, { at: `/${kind}Report${search}`, server, fleet })
}

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog', { name: 'Report Request' })

async function pickAll(): Promise<void> {
  await page.getByRole('button', { name: /^Devices/ }).click()
  await page.getByRole('option', { name: 'ALL' }).click()
  await userEvent.keyboard('{Escape}')
}

test('devices that the address names are chosen as the page opens', async () => {
  await shown(
    'temperature',
    { [`POST ${REPORTS}/generateTemperatureReport`]: taken },
    `?devices=${imeiOf(2)},${imeiOf(3)}`,
  )
  await expect.element(page.getByText('The report will be of 2 devices.')).toBeVisible()
  await button('Export').click()
  await expect.element(dialog).toBeVisible()
  expect(harness.calls(`POST ${REPORTS}/generateTemperatureReport`)[0]?.body).toMatchObject({
    things: [imeiOf(2), imeiOf(3)],
    groups: [],
  })
})

test('ALL is every device, of the last two days, sent once, and the log is the next step', async () => {
  await shown('distance', { [`POST ${REPORTS}/distanceReport`]: taken })
  await pickAll()
  await expect.element(page.getByText('The report will be of 3 devices.')).toBeVisible()
  await button('Search').dblClick()
  await expect
    .element(dialog)
    .toMatchTextContent(/Your report is being generated\. Please check log section\./)
  expect(harness.calls(`POST ${REPORTS}/distanceReport`).map(({ body }) => body)).toEqual([
    {
      things: [imeiOf(1), imeiOf(2), imeiOf(3)],
      groups: [],
      // 30-12-1969 to 01-01-1970 in Karachi
      startDate: -2 * 24 * HOUR - 5 * HOUR,
      endDate: 19 * HOUR - 1,
    },
  ])
  await dialog.getByRole('button', { name: 'View Reports' }).click()
  await expect.poll(() => harness.went().at(-1)).toBe('/download/reports')
})

test('a group goes with all below it; the visitor’s own is not among them', async () => {
  await shown('power', { [`POST ${REPORTS}/powerReport`]: taken })
  await page.getByRole('button', { name: /^Groups/ }).click()
  await expect.element(page.getByRole('row', { name: 'top' })).not.toBeInTheDocument()
  await page.getByRole('row', { name: 'Lahore' }).click()
  await userEvent.keyboard('{Escape}')
  await button('Search').click()
  await expect.element(dialog).toBeVisible()
  expect(harness.calls(`POST ${REPORTS}/powerReport`)[0]?.body).toMatchObject({
    things: [],
    groups: ['Lahore'],
  })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByText('The report will be of 2 devices.')).toBeVisible()
})

test('an event report names its types', async () => {
  await shown('event', { [`POST ${REPORTS}`]: taken })
  await button('Search').click()
  await expect.element(page.getByText('Please select at least one group or device.')).toBeVisible()
  await pickAll()
  await page.getByRole('button', { name: /^Event types/ }).click()
  await page.getByRole('option', { name: 'High temperature' }).click()
  await userEvent.keyboard('{Escape}')
  await button('Search').click()
  await expect.element(dialog).toBeVisible()
  expect(harness.calls(`POST ${REPORTS}`)[0]?.body).toMatchObject({
    reportType: 'eventReport',
    type: ['HIGH_TEMPERATURE_DETECTED'],
  })
})

test('an observation report is of every device, for 12 hours', async () => {
  await shown('observation', { [`POST ${REPORTS}/observationReport`]: taken })
  await expect.element(page.getByRole('button', { name: /Duration \(Hours\)/ })).toMatchTextContent(/12/)
  await button('Export').click()
  await expect.element(page.getByText('Please Select Vehicle.')).toBeVisible()
  await pickAll()
  await button('Export').click()
  await expect.element(dialog).toBeVisible()
  expect(harness.calls(`POST ${REPORTS}/observationReport`)[0]?.body).toEqual({
    vehicels: [imeiOf(1), imeiOf(2), imeiOf(3)],
    interval: { startDate: -12 * HOUR, endDate: 0 },
  })
})

test.each(['power', 'temperature'] as const)('ALL is every vehicle on a %s report', async (kind) => {
  await shown(kind)
  await pickAll()
  await expect.element(page.getByRole('button', { name: /^Devices/ })).toMatchTextContent(/All vehicles/)
  await expect.element(page.getByText('The report will be of 2 devices.')).toBeVisible()
})

test('what the server does not take is told, with what to do, and is still there', async () => {
  await shown('temperature', {
    [`POST ${REPORTS}/generateTemperatureReport`]: {
      status: 422,
      body: { code: 422, message: 'Start date cannot be in the future.' },
    },
  })
  await pickAll()
  await button('Export').click()
  await expect
    .element(page.getByText(/The report is not requested: Start date cannot be in the future\./))
    .toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Devices/ })).toMatchTextContent(/All vehicles/)
  await button('Export').click()
  await expect.poll(() => harness.calls(`POST ${REPORTS}/generateTemperatureReport`)).toHaveLength(2)
  expect(harness.went()).toEqual(['/temperatureReport'])
})

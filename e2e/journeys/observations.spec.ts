import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import readXlsxFile from 'read-excel-file/node'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import type { Thing } from '#machines/contracts/entities/devices.ts'
import { isAccessible, LOOKS } from '../accessible.ts'
import { type App, CALM, DESK, expect, test } from '../app.ts'

test.use({ world: CALM, viewport: DESK })

const HOUR = 3_600_000

test.beforeAll(async ({ app }) => app.sim.pause())

test('the rows of a device are those of the API, and so is every cell of the file', async ({
  signedInAt,
  app,
}) => {
  const { page } = await signedInAt('/devices/tempchiller-observation')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page.getByText('Id is required.')).toBeVisible()
  const device = await reefer(app)
  await picked(page, device)
  const table = page.getByRole('table', { name: 'Observation List' })
  await expect(table).toBeVisible()

  const { now } = await app.sim.status()
  const start = Math.floor((now - 12 * HOUR) / 60_000) * 60_000
  const all = await app.api.ask(DEVICE_CALLS.tempObservationsLogs, {
    params: { id: device.imei },
    query: { data: { startDate: start, endDate: start + 12 * HOUR } },
  })
  const [first] = all
  await expect(table.getByRole('row').nth(1).getByRole('cell').first()).toHaveText(device.imei)
  await expect(table.getByRole('row').nth(1).getByRole('cell').last()).toHaveText(first?.location ?? '')
  expect(first?.location).toMatch(/ km [NESW]+ of |^in |^near |[A-Z]/)
  await expect(table.getByRole('row')).toHaveCount(1 + Math.min(100, all.length))

  const arriving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const file = await arriving
  expect(file.suggestedFilename()).toMatch(/^Observation-\d{8}-\d{6}\.xlsx$/)
  const [sheet] = await readXlsxFile(readFileSync(await file.path()))
  const [head, ...rows] = sheet?.data ?? []
  expect(head?.join(' ')).toBe(
    'Imei Name Temperature Humidity Timestamp LatLng GSM_Signal GNSS_Status External_Voltage Battery_Voltage Ignition Unplug Door Location',
  )
  // A day is a number in a spreadsheet: its thousandths of a second are not kept to the last.
  const times = rows.map((cells) => Number(cells[4]) - 5 * HOUR)
  for (const [i, { timestamp }] of all.entries())
    expect(Math.abs((times[i] ?? 0) - Date.parse(timestamp ?? ''))).toBeLessThan(5)
  expect(rows.map((cells) => cells.toSpliced(4, 1))).toEqual(
    all.map((row) => [
      row.imei,
      row.name ?? null,
      row.temperature,
      row.humidity,
      row.lat === null || row.lng === null ? null : `${row.lat.toFixed(6)}, ${row.lng.toFixed(6)}`,
      row.GSM_Signal,
      row.GNSS_Status,
      row.External_Voltage,
      row.Battery_Voltage,
      row.Ignition,
      row.Unplug,
      row.Door,
      row.location,
    ]),
  )
})

for (const { colorScheme, width } of LOOKS)
  test(`the table is accessible, ${colorScheme} at ${width}, and scrolls sideways by itself`, async ({
    signedInAt,
    app,
  }) => {
    const { page } = await signedInAt('/devices/chiller-observation')
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page.getByText('Please Select Vehicle.')).toBeVisible()
    await picked(page, await reefer(app))
    await expect(page.getByRole('table', { name: 'Observation List' })).toBeVisible()
    await isAccessible(page)
    const [inside, outside] = await page.evaluate(() => [window.innerWidth, document.body.scrollWidth])
    expect(outside).toBeLessThanOrEqual(inside as number)
  })

async function picked(page: Page, device: Thing): Promise<void> {
  await page.getByRole('button', { name: /^Vehicle/ }).click()
  await page.getByRole('combobox', { name: 'Search devices' }).fill(device.imei)
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: 'Search', exact: true }).click()
}

async function reefer(app: App): Promise<Thing> {
  const fleet = await app.api.fleet()
  const found = fleet.find(({ type, thingStatus }) => type === 'vehicle' && thingStatus === 'online')
  if (found === undefined) throw new Error('no vehicle is online')
  return found
}

import { readFileSync } from 'node:fs'
import type { Download, Locator } from '@playwright/test'
import readWorkbook from 'read-excel-file/node'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import { lastWholeDays, REPORT_DAYS } from '#machines/rules/date-range.ts'
import { isAccessible, LOOKS } from '../accessible.ts'
import { type App, DESK, expect, test } from '../app.ts'
import { holdBack } from '../held.ts'
import { ReportsScreen } from '../screens/reports.screen.ts'

test.use({ world: { of: 'reports', devices: 60 }, viewport: DESK, isMapDrawn: false })

test.beforeAll(({ app }) => app.sim.pause())

const DAY = 86_400_000
const GROUP = 'Lahore'

test('a distance report is asked for once, seen in the log, completed before one’s eyes, and opened', async ({
  signedInAt,
  app,
}) => {
  const { page } = await signedInAt('/reports')
  const reports = new ReportsScreen(page)
  await expect(page.getByRole('link', { name: /^Select / })).toHaveCount(5)
  await expect(page.getByText('Total distance travelled in a time duration.')).toBeVisible()
  await reports.select('Distance Report')
  await reports.tickGroup(GROUP)
  const held = await holdBack(page, /\/reports\/distanceReport$/)
  await reports.send.click()
  await held.isHeld()
  await reports.form.getByRole('button', { name: 'Requesting…' }).click()
  await keepWorkerBusy(app)
  await held.release()
  await expect(reports.dialog).toContainText('Your report is being generated. Please check log section.')
  await reports.dialog.getByRole('button', { name: 'View Reports' }).click()
  await expect(page).toHaveURL(/\/download\/reports$/)

  const line = reports.line(0)
  await expect(line).toContainText('Distance Report')
  await expect(line).toContainText('by Imran Qureshi')
  // its turn may be over sooner than anybody looks
  await expect(line).toContainText(/Pending|Completed/)
  await expect(line, 'without a reload').toContainText('Completed')

  const [, devices, days] = await sheetsOf(await reports.download(line, 'XLSX'))
  const inGroup = await devicesOf(app)
  expect(columnOf(devices, 'IMEI').toSorted()).toEqual(inGroup.map(({ imei }) => imei).toSorted())
  const km = columnOf(devices, 'Distance (km)') as number[]
  const kmOfDays = columnOf(days, 'Distance (km)') as number[]
  expect(sum(km)).toBeGreaterThan(1)
  expect(sum(kmOfDays)).toBeCloseTo(sum(km), 0)
  expect(columnOf(days, 'Date').every((date) => date instanceof Date)).toBe(true)
})

test('a temperature report has the minimum and the maximum that the API tells, and a PDF beside it', async ({
  signedInAt,
  app,
}) => {
  const [device] = await devicesOf(app, 'vehicle')
  const { page } = await signedInAt('/temperatureReport')
  const reports = new ReportsScreen(page)
  await reports.pick('Devices', device?.name ?? '')
  await expect(reports.form).toContainText('The report will be of 1 device.')
  await reports.send.click()
  await reports.dialog.getByRole('button', { name: 'View Reports' }).click()
  const line = reports.line(0)
  await expect(line).toContainText('Temperature Report')
  await expect(line).toContainText('Completed')

  const [, devices] = await sheetsOf(await reports.download(line, 'XLSX'))
  const measured = await temperaturesOf(app, device?.imei ?? '')
  expect(columnOf(devices, 'IMEI')).toEqual([device?.imei])
  expect(columnOf(devices, 'Minimum (°C)')).toEqual([Math.min(...measured)])
  expect(columnOf(devices, 'Maximum (°C)')).toEqual([Math.max(...measured)])
  const book = await reports.download(line, 'PDF')
  expect(
    readFileSync(await book.path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')
})

test('a temperature report of the last week of all devices is asked for in eight presses', async ({
  operator,
}) => {
  const { page } = operator
  const reports = new ReportsScreen(page)
  const devices = page.getByRole('dialog', { name: 'Devices' })
  let presses = 0
  const press = async (what: Locator): Promise<void> => {
    presses++
    await what.click()
  }
  await press(page.getByRole('link', { name: 'All reports' }))
  await press(page.getByRole('link', { name: 'Select Temperature Report' }))
  await press(reports.form.getByRole('button', { name: '7 d' }))
  await press(reports.form.getByRole('button', { name: /^Devices/ }))
  await press(devices.getByRole('option', { name: 'ALL' }))
  await page.keyboard.press('Escape')
  presses++
  await press(reports.send)
  await press(reports.dialog.getByRole('button', { name: 'View Reports' }))
  await expect(reports.line(0)).toContainText('Temperature Report')
  expect(presses).toBeLessThanOrEqual(8)
})

test('a report that fails says why, and is made again by Retry', async ({ signedInAt, app }) => {
  const empty = await app.api.ask(GROUP_CALLS.createGroup, {
    body: {
      ...{ name: 'Nothing Here', description: '', parentId: app.api.groupId, companyId: 'indus' },
      ...{ lowTemperatureThreshold: 2, highTemperatureThreshold: 8 },
      ...{ lowHumidityThreshold: 20, highHumidityThreshold: 90 },
    },
  })
  const { page } = await signedInAt('/powerReport')
  const reports = new ReportsScreen(page)
  await reports.tickGroup('Nothing Here')
  await expect(reports.form).toContainText('There are no devices in what is chosen.')
  await reports.send.click()
  await reports.dialog.getByRole('button', { name: 'View Reports' }).click()
  const line = reports.line(0)
  await expect(line).toContainText('Failed')
  await expect(line).toContainText('There is no device left to report on')
  const [device] = await app.api.fleet()
  await app.api.ask(DEVICE_CALLS.updateThing, {
    params: { imei: device?.imei ?? '' },
    body: { groupId: empty._id, name: device?.name ?? '' },
  })
  await line.getByRole('button', { name: 'Retry Power Report' }).click()
  await expect(line).toContainText('Completed')
})

test('what is missing or too much is said, and what was chosen stays when the server does not take it', async ({
  signedInAt,
}) => {
  const { page, trouble } = await signedInAt('/eventReport')
  trouble.allow(/503/)
  const reports = new ReportsScreen(page)
  await reports.pick('Event types', 'High temperature')
  await reports.pick('Event types', 'High temperature')
  await reports.send.click()
  await reports.says('Please select at least one group or device.')
  await reports.says('Please select violations')
  await reports.pick('Event types', 'ALL')
  await reports.pick('Devices', 'ALL')
  await reports.type('From', 'month', '01')
  await reports.send.click()
  await expect(reports.form.getByText('End date can be at most one month')).toBeHidden()

  await expect(reports.dialog).toBeVisible()
  await reports.dialog.getByRole('button', { name: 'Cancel' }).click()
  const held = await holdBack(page, /\/company\/[^/]+\/reports$/)
  await reports.send.click()
  await held.isHeld()
  await held.refuse(503, 'The reports are out of order')
  await expect(reports.form.getByRole('alert').last()).toContainText('The reports are out of order')
  await expect(reports.form.getByRole('button', { name: /^Devices/ })).toContainText('All devices')

  await page.goto('/observationReport')
  await expect(reports.form.getByRole('button', { name: /Duration \(Hours\)/ })).toContainText('12')
  await page
    .getByRole('group', { name: 'Date', exact: true })
    .getByRole('spinbutton', { name: /day/i })
    .click()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await reports.send.click()
  await reports.says('Please Select Vehicle.')
  await reports.says('Start date is required.')
})

test('vehicles and interval: ticks of groups, the rules of each type, and what cannot be made', async ({
  signedInAt,
  app,
}) => {
  const { page } = await signedInAt('/reports/vehicleHistoryReport')
  const reports = new ReportsScreen(page)
  await expect(page.getByRole('tab', { name: 'Groups' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Select all' })).toHaveCount(0)
  const [device] = await devicesOf(app, 'vehicle')
  const row = page.getByRole('option', { name: device?.name ?? '' })
  await page.getByRole('combobox', { name: 'Search vehicles' }).fill(device?.plateNumber ?? '')
  await expect(row).toContainText(device?.plateNumber ?? '-')
  await expect(row).toContainText(device?.vehicleMakeAndModel ?? '-')
  await reports.send.click()
  await reports.says('Please select at least one vehicle.')
  await row.click()
  await reports.type('Start date and time', 'day', '10')
  await reports.send.click()
  await reports.says('Please select interval of maximum 24 hours')

  await page.goto('/reports/pjpReport')
  await page.getByRole('tab', { name: 'Groups' }).click()
  const group = page.getByRole('treegrid', { name: 'Groups' }).getByRole('row', { name: GROUP, exact: true })
  await group.locator('label').click()
  const inGroup = await devicesOf(app, 'vehicle')
  await expect(reports.form).toContainText(`The report will be of ${inGroup.length} vehicles.`)
  await reports.type('Start date and time', 'day', '10')
  await reports.send.click()
  await reports.says('Please select interval of maximum two days')

  await page.goto('/reports/PerformanceReport')
  await expect(page.getByText('No geofences')).toBeVisible()
  await page.getByRole('button', { name: 'Select all' }).click()
  await reports.send.click()
  await reports.says('Please select geofence')

  await page.goto('/reports/vehicleTravelReport')
  await page.getByRole('textbox', { name: 'Min distance travelled' }).fill('far')
  await page.getByRole('button', { name: 'Select all' }).click()
  await reports.send.click()
  await reports.says('Enter a distance of 0 to 100,000 km')
  await page.getByRole('textbox', { name: 'Min distance travelled' }).fill('25')
  await reports.send.click()
  await expect(reports.dialog).toBeVisible()
  await reports.dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('link', { name: 'Previous' }).click()
  await expect(page).toHaveURL(/\/reports$/)

  await page.goto('/reports/fuelConsumptionReport')
  await expect(page.getByText('This report cannot be made')).toBeVisible()
  await page.goto('/reports/nothing')
  await expect(page.getByText('There is no such report')).toBeVisible()
})

test('by keys alone', async ({ signedInAt }) => {
  const { page } = await signedInAt('/observationReport')
  const reports = new ReportsScreen(page)
  await reports.form.getByRole('button', { name: /^Devices/ }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('option', { name: 'ALL' })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(reports.form.getByRole('button', { name: /^Devices/ })).toContainText('All devices')
  await reports.send.focus()
  await page.keyboard.press('Enter')
  await expect(reports.dialog.getByRole('button', { name: 'View Reports' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(reports.line(0)).toContainText('Observation Report')
})

for (const { colorScheme, width } of LOOKS) {
  test.describe(`${colorScheme}, ${width} px wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 780 } })

    test('the screens of reports pass the rules a machine can check', async ({ signedInAt }) => {
      const { page } = await signedInAt('/reports')
      const reports = new ReportsScreen(page)
      await expect(page.getByRole('link', { name: 'Select Power Report' })).toBeVisible()
      await isAccessible(page)
      await page.goto('/eventReport')
      await reports.send.click()
      await reports.says('Please select at least one group or device.')
      await isAccessible(page)
      await reports.pick('Devices', 'ALL')
      await reports.send.click()
      await expect(reports.dialog).toBeVisible()
      await isAccessible(page)
      await reports.dialog.getByRole('button', { name: 'View Reports' }).click()
      await expect(reports.line(0)).toContainText('Event Report')
      await isAccessible(page)
    })

    test('and so do vehicles and interval', async ({ signedInAt }) => {
      const { page } = await signedInAt('/reports/PerformanceReport')
      const reports = new ReportsScreen(page)
      await reports.send.click()
      await reports.says('Please select geofence')
      await isAccessible(page)
      await page.getByRole('tab', { name: 'Groups' }).click()
      await expect(page.getByRole('treegrid', { name: 'Groups' })).toBeVisible()
      await isAccessible(page)
      await page.goto('/reports/fuelConsumptionReport')
      await expect(page.getByText('This report cannot be made')).toBeVisible()
      await isAccessible(page)
    })
  })
}

/** A report of a month of everything is being made: the next one waits, and is seen to. */
async function keepWorkerBusy(app: App): Promise<void> {
  const { now } = await app.sim.status()
  for (const days of [30, 29])
    await app.api.ask(REPORT_CALLS.requestTemperatureReport, {
      params: { groupId: app.api.groupId, companyId: 'indus' },
      body: { things: [], groups: [app.api.groupId], startDate: now - days * DAY, endDate: now },
    })
}

type Sheet = { sheet: string; data: unknown[][] }

/** The cover, then the tables. */
async function sheetsOf(file: Download): Promise<Sheet[]> {
  return (await readWorkbook(readFileSync(await file.path()))) as Sheet[]
}

function columnOf(sheet: Sheet | undefined, heading: string): unknown[] {
  const [heads = [], ...rows] = sheet?.data ?? []
  const column = heads.indexOf(heading)
  expect(column, `${heading} is among ${heads.join(', ')}`).toBeGreaterThanOrEqual(0)
  return rows.map((row) => row[column])
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)

/** Devices in the group of these tests and below it. */
async function devicesOf(app: App, type?: 'vehicle') {
  const things = await app.api.ask(DEVICE_CALLS.groupThings, { params: { groupId: 'indus-lahore' } })
  return things.filter((thing) => type === undefined || thing.type === type)
}

/** Every temperature of a device in the range the screens begin with: the last two days, and today up to now. */
async function temperaturesOf(app: App, imei: string): Promise<number[]> {
  const { now } = await app.sim.status()
  const found: number[] = []
  for (let from = lastWholeDays(REPORT_DAYS, now, 'Asia/Karachi').from; from < now; from += DAY) {
    const data = { startDate: from, endDate: Math.min(from + DAY - 1, now) }
    const { points } = await app.api.ask(DEVICE_CALLS.observations, { params: { imei }, query: { data } })
    for (const { temperature } of points) if (temperature !== null) found.push(temperature)
  }
  return found
}

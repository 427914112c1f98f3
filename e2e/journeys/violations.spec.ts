import { readFileSync } from 'node:fs'
import type { Download, Page } from '@playwright/test'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import { VIOLATION_CALLS } from '#machines/contracts/calls/violation-calls.ts'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import { isAccessible, LOOKS } from '../accessible.ts'
import { type App, DESK, expect, test } from '../app.ts'
import { NotificationsScreen } from '../screens/notifications.screen.ts'
import { VisualizationScreen } from '../screens/visualization.screen.ts'
import { isPastEvaluated } from '../trial.ts'

test.use({ world: { of: 'violations', devices: 80 }, viewport: DESK })

const VIOLATIONS = '/visualization/violations'
const SUMMARY = '/visualization/summary'
const KINDS = [
  'HIGH_TEMPERATURE_DETECTED',
  'LOW_TEMPERATURE_DETECTED',
  'HIGH_HUMIDITY_DETECTED',
  'LOW_HUMIDITY_DETECTED',
] as const
type Range = { startDate: number; endDate: number }

test.beforeAll(async ({ app }) => {
  await app.sim.pause()
  const fleet = await app.api.fleet()
  const reefers = fleet.filter(({ type, thingStatus }) => type === 'vehicle' && thingStatus === 'online')
  for (const { imei } of reefers.slice(0, 3)) await app.sim.inject(imei, 'compressor-off', 3 * 3600)
  await app.sim.advance(2 * 3600)
  await isPastEvaluated(app)
})

test('counters equal the API and a recount of the notifications, and a bar leads to those behind it', async ({
  signedInAt,
  app,
}) => {
  const { page } = await signedInAt(VIOLATIONS)
  const screen = new VisualizationScreen(page)
  await screen.isDrawn()
  const worst = screen.bars.getByRole('link').first()
  const href = (await worst.getAttribute('href')) ?? ''
  const [start = '', end = ''] = new URL(href, app.url).searchParams.get('date')?.split('..') ?? []
  const range = { startDate: Date.parse(start), endDate: Date.parse(end) }
  const counted = await recount(app, range)
  const byKind = KINDS.map((kind) => counted.filter(({ type }) => type === kind).length)
  expect(counted.length).toBeGreaterThan(0)
  expect(await screen.counts()).toEqual([...byKind, counted.length])
  const { counts, data } = await app.api.ask(VIOLATION_CALLS.violationStats, {
    params: { groupId: app.api.groupId },
    body: { devices: ['ALL'], violations: [...KINDS], startDate: start, endDate: end },
  })
  expect(KINDS.map((kind) => counts[kind])).toEqual(byKind)
  expect(data.length).toBe(new Set(counted.map(({ thing }) => thing)).size)

  const imei = new URL(href, app.url).searchParams.get('thing')
  const ofWorst = counted.filter(({ thing }) => thing === imei).length
  await expect(worst).toHaveAccessibleName(new RegExp(`: ${ofWorst} violation`))
  await worst.click()
  const notifications = new NotificationsScreen(page)
  await notifications.isLoaded()
  expect(new URL(page.url()).searchParams.get('thing')).toBe(imei)
  await page.goBack()
  await screen.isDrawn()
  await screen.counters.getByRole('link', { name: /High temperature/ }).click()
  await expect(page).toHaveURL(/type=HIGH_TEMPERATURE_DETECTED$/)
})

test('what a filter lacks is said in the documents’ words, and where there was nothing a picture says so', async ({
  signedInAt,
}) => {
  const { page } = await signedInAt(VIOLATIONS)
  const screen = new VisualizationScreen(page)
  await screen.isDrawn()
  await screen.filter.getByRole('button', { name: /^Violations All/ }).click()
  await page.getByRole('option', { name: 'ALL' }).click()
  await page.keyboard.press('Escape')
  await screen.filter.getByRole('button', { name: 'Clear', exact: true }).click()
  await screen.type('Start Date', '01-01-2031 00:00')
  await screen.apply()
  for (const text of [
    'Please select violations',
    'Start date cannot be greater than end date',
    'Please select Devices',
  ])
    await expect(screen.filter.getByText(text)).toBeVisible()
  await expect(screen.filter.getByRole('button', { name: /^Violations No/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'ALL' }).click()
  await page.keyboard.press('Escape')
  await screen.filter.getByRole('button', { name: 'Select all' }).click()
  await screen.type('Start Date', '01-01-2020 00:00')
  await screen.type('End Date', '02-01-2020 00:00')
  await screen.apply()
  await expect(page.getByText('No Violations found.')).toBeVisible()
  await expect(page.getByRole('img', { name: 'A line within its limits' })).toBeVisible()
  expect(await screen.counts()).toEqual([0, 0, 0, 0, 0])
})

test('chart and pie are saved as images, and the summary counts what the API counts', async ({
  signedInAt,
  app,
}) => {
  const { page } = await signedInAt(VIOLATIONS)
  const screen = new VisualizationScreen(page)
  await screen.isDrawn()
  const chart = await screen.download()
  expect(chart.suggestedFilename()).toBe('violations-chart.png')
  expect(await sizeOf(page, chart)).toEqual({ width: expect.any(Number), height: expect.any(Number) })
  await page.goto(SUMMARY)
  await screen.isDrawn()
  const total = page.getByText('Total Violations').locator('..')
  const [, from, to] =
    /^(.*?) to (.*)$/.exec((await page.getByText(/ to /).first().textContent()) ?? '') ?? []
  expect([from, to]).toEqual([expect.any(String), expect.any(String)])
  // the page began by its own clock
  const shown = page.getByRole('link', { name: 'Show their notifications' })
  const [startDate = 0, endDate = 0] =
    new URL((await shown.getAttribute('href')) ?? '', app.url).searchParams
      .get('date')
      ?.split('..')
      .map((at) => Date.parse(at)) ?? []
  const summary = await app.api.ask(VIOLATION_CALLS.summaryChart, {
    params: { groupId: app.api.groupId },
    body: { startDate, endDate },
  })
  await expect(total).toHaveText(`${summary.totalViolations.toLocaleString('en')}Total Violations`)
  await expect(page.getByText('Number Of Devices').locator('..')).toHaveText(
    `${summary.numOfDevices.toLocaleString('en')}Number Of Devices`,
  )
  await expect(screen.pie).toHaveAccessibleName(
    new RegExp(`^Violation Devices: ${summary.data[0]?.value},.*Normal Devices: ${summary.data[1]?.value},`),
  )
  const pie = await screen.download()
  expect(pie.suggestedFilename()).toBe('violation-summary.png')
  expect((await sizeOf(page, pie)).width).toBeGreaterThan(500)
})

for (const { colorScheme, width } of LOOKS)
  test(`both pages are accessible, ${colorScheme} at ${width}`, async ({ signedInAt }) => {
    const { page } = await signedInAt(VIOLATIONS)
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    const screen = new VisualizationScreen(page)
    await screen.isDrawn()
    await isAccessible(page)
    await page.goto(SUMMARY)
    await screen.isDrawn()
    await isAccessible(page)
  })

/** Every violation of a range, one page of notifications after the other. */
async function recount({ api }: App, range: Range): Promise<Notification[]> {
  const found: Notification[] = []
  for (;;) {
    const page = await api.ask(NOTIFICATION_CALLS.notifications, {
      params: { groupId: api.groupId },
      body: { ...range, types: [...KINDS], skip: found.length, limit: 100 },
    })
    found.push(...page.notifications)
    if (!page.hasMore) return found
  }
}

/** Of the image in a file, as a browser decodes it. */
async function sizeOf(page: Page, download: Download): Promise<{ width: number; height: number }> {
  const bytes = [...readFileSync(await download.path())]
  return page.evaluate(async (all) => {
    const { width, height } = await createImageBitmap(new Blob([new Uint8Array(all)], { type: 'image/png' }))
    return { width, height }
  }, bytes)
}

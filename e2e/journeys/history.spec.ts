import { readFileSync } from 'node:fs'
import type { Thing } from '#machines/contracts/entities/devices.ts'
import { type App, DESK, expect, test } from '../app.ts'

test.use({ world: { of: 'history', devices: 80 }, viewport: DESK, isMapDrawn: false })

test.beforeAll(async ({ app }) => app.sim.pause())

/** In the demo's zone, as the fields are written. */
const written = (at: number): string => {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Asia/Karachi',
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(at)
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? ''
  return `${of('day')}-${of('month')}-${of('year')} ${of('hour')}:${of('minute')}`
}
const HOUR = 3_600_000

test('a double press in the list opens the history, with both charts and the latest reading', async ({
  operator,
  app,
}) => {
  const device = await reefer(app)
  await operator.dashboard.search(device.imei)
  await operator.dashboard.line(device.name).dblclick()
  await expect(operator.page).toHaveURL(new RegExp(`/temperature/${device.imei}$`))
  await operator.history.isDrawn()
  await expect(operator.page.getByRole('heading', { name: device.name })).toBeVisible()
  await expect(operator.history.search, 'the panel names the device').toContainText(device.name)
  await expect(operator.history.latest).toContainText(celsius(device.temperature))
  await expect(operator.history.latest).toContainText(`${(device.humidity as number).toFixed(2)} %`)
  await expect(operator.history.latest.getByRole('time').first()).toHaveAttribute(
    'datetime',
    device.timestamp ?? '',
  )
})

test('more than 24 hours are refused in the documents’ words', async ({ signedIn: operator, app }) => {
  const device = await reefer(app)
  const { now } = await app.sim.status()
  await operator.history.open(device.imei)
  await operator.history.type('Start date', written(now - 25 * HOUR))
  await operator.history.type('End date', written(now))
  await operator.history.find()
  await expect(operator.history.search.getByText('Duration Should be 1 Day Maximum')).toBeVisible()
  await operator.history.type('Start date', written(now - 24 * HOUR))
  await operator.history.find()
  await expect(operator.history.search.getByText('Duration Should be 1 Day Maximum')).toBeHidden()
  await operator.history.isDrawn()
})

test('yesterday can be looked at, and a time before the record has no data', async ({
  signedIn: operator,
  app,
}) => {
  const device = await reefer(app)
  const { now } = await app.sim.status()
  await operator.history.open(device.imei)
  await operator.history.type('Start date', written(now - 40 * HOUR))
  await operator.history.type('End date', written(now - 30 * HOUR))
  await operator.history.find()
  await operator.history.isDrawn()
  await operator.history.type('Start date', '01-01-2020 00:00')
  await operator.history.type('End date', '01-01-2020 12:00')
  await operator.history.find()
  await expect(operator.page.getByText('There is no data').first()).toBeVisible()
})

test('a span is one press away, a week too, and what is out is told first', async ({
  signedIn: operator,
  app,
}) => {
  const device = await reefer(app)
  const { now } = await app.sim.status()
  await operator.history.open(device.imei)
  await expect(operator.history.summary).toContainText(/now .* °C/)
  await operator.history.preset('7 d')
  await operator.history.isDrawn()
  const start = operator.history.search.getByRole('group', { name: 'Start date' })
  await expect(start).toContainText(written(now - 7 * 24 * HOUR).slice(0, 2))
  await expect(operator.history.drawn(operator.history.temperatureChart)).toContainText(/Mon \d+/)
  await operator.history.preset('1 h')
  await operator.history.isDrawn()
  await expect(operator.history.drawn(operator.history.temperatureChart)).not.toContainText(/Mon \d+/)
})

test.describe('with its map', () => {
  test.use({ isMapDrawn: true })

  test('an instant is looked at on both charts and the map, and up to three others beside the device', async ({
    signedIn: operator,
    app,
  }) => {
    const { page, history } = operator
    const device = await reefer(app)
    await history.open(device.imei)
    await expect(history.map.getByRole('img', { name: `${device.name} is here` })).toBeVisible()
    const instant = page.getByRole('slider', { name: 'Instant on the temperature chart' })
    await instant.press('Home')
    await instant.press('ArrowRight')
    await expect(instant).toHaveAttribute('aria-valuetext', /°C, /)
    await expect(page.getByRole('slider', { name: 'Instant on the humidity chart' })).toHaveAttribute(
      'aria-valuetext',
      /%, /,
    )
    await expect(history.map.getByRole('img', { name: /^It was here at/ })).toBeVisible()

    const others = (await app.api.fleet()).filter(({ imei }) => imei !== device.imei).slice(0, 3)
    for (const { name } of others) {
      await page.getByRole('button', { name: 'Compare with another device' }).press('Enter')
      await page.getByRole('combobox', { name: 'Search devices' }).fill(name)
      await page.getByRole('option', { name }).first().click()
    }
    const legend = page.getByRole('list', { name: 'Compared devices' })
    await expect(legend.getByRole('listitem')).toHaveCount(4)
    await expect(page.getByRole('button', { name: 'Compared with 3, the most' })).toBeDisabled()
    await instant.press('End')
    await expect(instant).toHaveAttribute('aria-valuetext', /A .*, B .*, C /)
    await legend.getByRole('button', { name: `Compare no more with ${others[0]?.name}` }).press('Enter')
    await expect(legend.getByRole('listitem')).toHaveCount(3)
  })

  test('the proof is seen without scrolling', async ({ signedIn: operator, app }) => {
    const device = await reefer(app)
    await operator.page.setViewportSize({ width: 1280, height: 800 })
    await operator.history.open(device.imei)
    await expect(operator.history.summary).toBeInViewport({ ratio: 1 })
    await expect(operator.history.drawn(operator.history.temperatureChart)).toBeInViewport({ ratio: 1 })
    await expect(operator.page.getByText('Standing', { exact: true })).toBeInViewport({ ratio: 1 })
    await operator.page.setViewportSize({ width: 390, height: 780 })
    await expect(operator.history.drawn(operator.history.temperatureChart)).toBeInViewport({ ratio: 1 })
  })
})

test('each chart is a file of its own', async ({ signedIn: operator, app }) => {
  const device = await reefer(app)
  await operator.history.open(device.imei)
  for (const [chart, file] of [
    [operator.history.temperatureChart, 'temperature-chart.png'],
    [operator.history.humidityChart, 'humidity-chart.png'],
  ] as const) {
    const download = await operator.history.download(chart)
    expect(download.suggestedFilename()).toBe(file)
    const png = readFileSync(await download.path())
    expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    const box = await operator.history.drawn(chart).boundingBox()
    expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(2 * Math.floor(box?.width ?? 0))
    expect(png.length).toBeGreaterThan(5000)
  }
})

test('an open chart goes on as readings come in', async ({ signedIn: operator, app }) => {
  const device = await reefer(app)
  await operator.history.open(device.imei)
  const latest = operator.history.latest.getByRole('time').first()
  const before = await latest.getAttribute('datetime')
  await app.sim.advance(60)
  const now = (await app.api.fleet()).find(({ imei }) => imei === device.imei)
  await expect(latest).toHaveAttribute('datetime', now?.timestamp ?? '')
  expect(now?.timestamp).not.toBe(before)
  await expect(operator.history.latest).toContainText(celsius(now?.temperature ?? null))
})

test('a device nobody knows says so', async ({ signedIn: operator }) => {
  operator.trouble.allow(/404/)
  await operator.page.goto('/temperature/100000000000000')
  await expect(operator.page.getByText('This history could not be loaded')).toBeVisible()
})

const celsius = (value: number | null): string =>
  value === null ? 'N/A' : `${value.toFixed(1).replace('-', '\u2212')} °C`

async function reefer(app: App): Promise<Thing> {
  const fleet = await app.api.fleet()
  const found = fleet.find(
    (one) =>
      one.type === 'vehicle' &&
      one.thingStatus === 'online' &&
      one.temperature !== null &&
      one.humidity !== null,
  )
  if (found === undefined) throw new Error('No vehicle is online')
  return found
}

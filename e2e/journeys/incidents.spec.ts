import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { Thing } from '#machines/contracts/entities/devices.ts'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import { isAccessible } from '../accessible.ts'
import { type App, DESK, expect, OPERATOR, PASSWORD, test, type Visitor } from '../app.ts'
import { DashboardScreen } from '../screens/dashboard.screen.ts'
import { IncidentsScreen } from '../screens/incidents.screen.ts'
import { bringSession } from '../session.ts'

test.use({ world: { of: 'incidents', devices: 120 }, viewport: DESK, isMapDrawn: false })

const HOUR = 3600
const ACKNOWLEDGE = /\/acknowledge$/
/** They warm without their compressors, each some hours long. */
let warm: Thing[]
/** Nothing is wrong with them at first. */
let untouched: Thing[]

test.beforeAll(async ({ app }) => {
  await app.sim.pause()
  const frozen = (await app.api.fleet()).filter(
    ({ thingStatus, groupName, temperature }) =>
      thingStatus === 'online' && temperature !== null && /Frozen/.test(groupName),
  )
  warm = frozen.slice(0, 5)
  untouched = frozen.slice(5, 11)
  for (const { imei } of warm) await app.sim.inject(imei, 'compressor-off', 12 * HOUR)
  await app.sim.advance(1.5 * HOUR)
})

test.describe('beside the map', () => {
  test.use({ isMapDrawn: true })

  test('the worst is seen at once; it is acknowledged with a reason in three presses, and other windows see who has it', async ({
    operator,
    newVisitor,
    app,
  }) => {
    await expect(operator.dashboard.rows.first()).toContainText(/Too hot|Too cold/)
    await expect(operator.page).toHaveTitle(/^\(\d+\) Dashboard · Frostline$/)
    const other = await deskOf(newVisitor, app)
    await other.look('Open')

    const desk = new IncidentsScreen(operator.page)
    desk.begin()
    await desk.look('Open')
    const worst = await nameOf(desk, 0)
    await desk.act('Acknowledge')
    await desk.answer('Door open')
    await expect(desk.row(worst)).toContainText(/has it, acknowledged/)
    expect(desk.presses).toBeLessThanOrEqual(3)

    await expect(other.row(worst)).toContainText(/has it, acknowledged/)
    await expect.poll(() => new DashboardScreen(other.page).onMap()).toContain('IQ')
  })
})

test('a device that is lost is one row, is taken like any other, and is over when it is heard', async ({
  signedIn: operator,
  app,
}) => {
  const lost = (await app.api.fleet()).filter(({ thingStatus }) => thingStatus === 'online').at(-1) as Thing
  const fault = await app.sim.inject(lost.imei, 'offline', 12 * HOUR)
  await app.sim.advance(HOUR / 6)
  const desk = new IncidentsScreen(operator.page)
  await operator.page.goto(`/?q=${lost.imei}&show=nobodys`)
  await expect(desk.rows).toHaveText([/Offline.*lost/])
  await desk.act('Take')
  await desk.look('Mine')
  await expect(desk.rows).toHaveText([/Offline.*lost.*has it/])
  await app.sim.lift(fault)
  await app.sim.advance(HOUR / 6)
  await expect(desk.rows).toHaveCount(0)
  await desk.look('Over')
  await expect(desk.rows.first()).toContainText(/Back.*over.*has it/)
})

test('the worst is there without a press; why it is, its last 24 h and what happened last night are one press away, its proof is sent with three', async ({
  operator,
}) => {
  const { dashboard, history, page } = operator
  const desk = new IncidentsScreen(page)
  desk.begin()
  const edit = await dashboard.rows
    .first()
    .getByRole('button', { name: /^Edit / })
    .getAttribute('aria-label')
  const worst = dashboard.row((edit ?? '').replace('Edit ', ''))
  await expect(worst).toContainText(/Too hot|Too cold/)
  expect(desk.presses).toBe(0)
  await desk.press(worst.getByRole('button').first())
  await expect(worst).toContainText(/(Above|Below) −?\d+\.\d °C for \d+ (min|h)/)
  await expect(worst).toContainText(/since .*\d\d:\d\d · now /)
  const lastDay = worst.getByRole('link', { name: /^(Above|Below) .*, its last 24 h$/ })
  await expect(lastDay.locator('svg')).toBeVisible()
  expect(desk.presses).toBe(1)
  await desk.press(worst.getByRole('button', { name: 'Share' }))
  await desk.press(page.getByRole('button', { name: 'Copy a link' }))
  await expect(page.getByRole('textbox', { name: 'The link' })).toHaveValue(/\/shared\/[\w-]{43}$/)
  expect(desk.presses).toBe(3)
  await page.keyboard.press('Escape')
  await lastDay.click()
  await history.isDrawn()
})

test('on a phone, and at 200 % zoom of a desk, the worst are in sight without a press', async ({
  signedIn: operator,
}) => {
  const { page, dashboard, shell } = operator
  const inSight = async (width: number, height: number, rows: number): Promise<void> => {
    await page.setViewportSize({ width, height })
    await page.goto('/')
    await dashboard.isShown()
    await shell.isLive()
    await expect(dashboard.rows.nth(rows - 1)).toBeInViewport({ ratio: 0.95 })
    await expect(dashboard.rows.first()).toContainText(/Too hot|Too cold/)
  }
  await inSight(390, 844, 3)
  await inSight(640, 400, 1)
})

test('whoever comes back after the night is told what happened meanwhile, and is one press from all of it', async ({
  operator,
  app,
}) => {
  const { page, shell } = operator
  await acknowledgeOne(app, 'Door open')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => document.cookie)).toContain('frostline-visits')
  await app.sim.advance(HOUR / 6)
  // the sign of life they gave was ten hours ago
  await page.evaluate(
    (night) => {
      const kept = decodeURIComponent(document.cookie.match(/frostline-visits=([^;]*)/)?.[1] ?? '')
      const before = kept.replace(/"wall":(\d+)/, (_, wall) => `"wall":${Number(wall) - night}`)
      // biome-ignore lint/suspicious/noDocumentCookie: as the portal keeps it
      document.cookie = `frostline-visits=${encodeURIComponent(before)}; Path=/`
    },
    10 * HOUR * 1000,
  )
  await page.goto('/')
  const line = page.getByRole('complementary', { name: 'Since you left' })
  await expect(line).toContainText(/Since you left on .* \(PKT\): /)
  await line.getByRole('button', { name: 'Show' }).click()
  await expect(page).toHaveURL(/\/shift\?since=2026-/)
  await expect(line).toBeHidden()
  await page.getByRole('button', { name: '24 h' }).click()
  const open = page.getByRole('list', { name: 'New, still open' }).getByRole('listitem')
  await expect(open.first()).toContainText(/above −?\d/)
  await expect(page.getByRole('list', { name: 'Done' })).toContainText(
    /acknowledged High temperature: Door open/,
  )
  await isAccessible(page)
  const address = page.url()
  await page.goto('/groups')
  await page.goto(address)
  await expect(open.first()).toContainText(/above −?\d/)
  await shell.isLive()
})

test('a known one is shelved in three presses, is listed with its end, and can be brought back', async ({
  operator,
}) => {
  const desk = new IncidentsScreen(operator.page)
  desk.begin()
  await desk.look('Nobody’s')
  const first = await nameOf(desk, 0)
  await desk.act('Shelve')
  await desk.answer('Defrost')
  await expect(desk.row(first)).toBeHidden()
  expect(desk.presses).toBeLessThanOrEqual(3)

  await desk.look('Known')
  await expect(desk.row(first)).toContainText('Shelved until')
  await expect(desk.shelved).toContainText('Defrost')
  await desk.press(desk.shelved.getByRole('button', { name: /^End early/ }).first())
  await expect(desk.page.getByText('Defrost')).toBeHidden()
})

test('several are taken by keys, and said something of', async ({ operator }) => {
  const desk = new IncidentsScreen(operator.page)
  await desk.look('Nobody’s')
  const names = [await nameOf(desk, 0), await nameOf(desk, 1)]
  await desk.rows.first().getByRole('button').focus()
  desk.begin()
  for (const key of ['x', 'j', 'x', 't']) await desk.key(key)
  for (const name of names) await expect(desk.row(name)).toBeHidden()
  expect(desk.presses).toBe(4)
  await desk.look('Mine')
  for (const name of names) await expect(desk.row(name)).toContainText('has it')
  await desk.rows.first().getByRole('button').focus()
  await desk.key('c')
  await desk.dialog.getByLabel('Your comment').fill('The driver was called')
  await desk.answer('Post')
  await expect(desk.dialog).toBeHidden()
})

test('on a wall there is nothing but the map, the time and what is open; Escape leaves', async ({
  signedIn: operator,
}) => {
  const { page, dashboard, shell } = operator
  await page.goto('/?wall')
  const open = page.getByRole('list', { name: 'Open' })
  await expect(open.getByRole('listitem').first()).toContainText(/(above|below) −?\d/)
  await expect(page.getByRole('heading', { name: /^Open \d+/ })).toBeVisible()
  await expect(page.getByRole('status')).toHaveText('live')
  await expect(page.getByRole('main')).toContainText('Asia/Karachi')
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await isAccessible(page)
  await page.keyboard.press('Escape')
  await dashboard.isShown()
  await shell.isLive()
  await expect(page).not.toHaveURL(/wall/)
})

test('what the server cannot write now is said, and done with Try again', async ({ operator }) => {
  operator.trouble.allow(/503/)
  const { page } = operator
  const desk = new IncidentsScreen(page)
  await desk.look('Nobody’s')
  const first = await nameOf(desk, 0)
  await page.route(ACKNOWLEDGE, (route) =>
    route.fulfill({ status: 503, json: { code: 503, message: 'The store cannot write now' } }),
  )
  await desk.act('Acknowledge')
  await desk.answer('Loading')
  await expect(desk.dialog.getByRole('alert')).toContainText('The store cannot write now')
  await page.unroute(ACKNOWLEDGE)
  await desk.answer('Try again')
  await expect(desk.dialog).toBeHidden()
  await desk.look('Mine')
  await expect(desk.row(first)).toContainText('has it, acknowledged')
})

test('on the page of a device stands who has what is wrong there, and it is acknowledged, taken and shelved from it', async ({
  signedIn: operator,
  app,
}) => {
  const { page, history } = operator
  for (const { imei } of untouched) await app.sim.inject(imei, 'compressor-off', 12 * HOUR)
  await app.sim.advance(1.5 * HOUR)
  // a lorry may be where nobody hears it just then
  const heard = (await app.api.fleet()).find(
    ({ imei, thingStatus }) => thingStatus === 'online' && untouched.some((one) => one.imei === imei),
  )
  await history.open(heard?.imei ?? '')
  await expect(history.summary).toContainText(/Above .*since .* now .* °C.*nobody has it/)
  await page.keyboard.press('a')
  const desk = new IncidentsScreen(page)
  await desk.answer('Repair on its way')
  await expect(history.summary).toContainText('has it: Repair on its way')
  await expect(history.summary.getByRole('button', { name: 'Acknowledge' })).toBeHidden()
  await expect(desk.dialog).toBeHidden()
  await page.keyboard.press('s')
  await desk.answer('Repair on its way')
  await expect(history.summary).toContainText(/shelved by .* until \d\d:\d\d/)
  await isAccessible(page)
  await history.summary.getByRole('button', { name: 'Tell again' }).click()
  await history.summary.getByRole('button', { name: 'Give up' }).click()
  await expect(history.summary).toContainText('nobody has it')
})

async function nameOf(desk: IncidentsScreen, at: number): Promise<string> {
  const label = await desk.rows.nth(at).getByRole('checkbox').getAttribute('aria-label')
  return (label ?? '').replace('Pick ', '')
}

/** One of those that warm is taken care of by somebody of the API. */
async function acknowledgeOne({ api, sim }: App, reason: string): Promise<void> {
  const { now } = await sim.status()
  const body = { startDate: now - 24 * HOUR * 1000, endDate: now, things: warm.map(({ imei }) => imei) }
  let found: Notification | undefined
  const find = async () => {
    const { notifications } = await api.ask(NOTIFICATION_CALLS.notifications, {
      params: { groupId: api.groupId },
      body,
    })
    found = notifications.find(
      ({ type, clearedAt, acknowledged }) =>
        type === 'HIGH_TEMPERATURE_DETECTED' && clearedAt === null && !acknowledged,
    )
    return found
  }
  await expect.poll(find).toBeDefined()
  await api.ask(NOTIFICATION_CALLS.acknowledge, { params: { id: found?._id ?? '' }, body: { reason } })
}

/** The dashboard on another machine. */
async function deskOf(newVisitor: () => Promise<Visitor>, app: App): Promise<IncidentsScreen> {
  const { page, dashboard, shell } = await newVisitor()
  await bringSession(page, app.url, OPERATOR, PASSWORD)
  await page.goto('/')
  await dashboard.isShown()
  await shell.isLive()
  return new IncidentsScreen(page)
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { Thing } from '#machines/contracts/entities/devices.ts'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import { startApp } from '../../tools/build/running-app.ts'
import { isAccessible, LOOKS } from '../accessible.ts'
import { type App, expect, OPERATOR, PASSWORD, test, type Visitor } from '../app.ts'
import { layCable } from '../cable.ts'
import { hasMoreNotificationsThan, unplugOne } from '../company.ts'
import { type Caller, type Control, controlOf, signedInCaller } from '../control.ts'
import { NotificationsScreen } from '../screens/notifications.screen.ts'
import { bringSession } from '../session.ts'
import { CUT_OFF } from '../trouble.ts'

test.use({ world: { of: 'notifications', devices: 120 }, isMapDrawn: false })

test.beforeAll(async ({ app }) => app.sim.pause())

const LAHORE = 'lahore@indus.example'
const KARAKORAM = 'operator@karakoram.example'
const DAY = 86_400_000
/** So long until a failed compressor is a violation, s. */
const UNTIL_TOO_HOT = 5400
/** What a server answers while it starts. */
const STARTING = /status of 503/

test('a violation is in every list that may have it, once, and in no other', async ({
  signedInAt,
  newVisitor,
  app,
}) => {
  const lahore = await signedInCaller(app.url, LAHORE, PASSWORD)
  const karakoram = await signedInCaller(app.url, KARAKORAM, PASSWORD)
  const device = await healthy(lahore, ({ groupName }) => /Frozen/.test(groupName))
  const since = await now(app.sim)
  const operator = await signedInAt(since.address)
  const others = await Promise.all([LAHORE, KARAKORAM].map((who) => at(app, newVisitor, who, since.address)))
  const looking: [Visitor, Caller][] = [
    [operator, app.api],
    [others[0] as Visitor, lahore],
    [others[1] as Visitor, karakoram],
  ]
  for (const [visitor] of looking) {
    // Tokens run out on the way and are renewed.
    visitor.trouble.allow(/401/)
    await new NotificationsScreen(visitor.page).isLoaded()
    await visitor.shell.isLive()
  }
  await app.sim.inject(device.imei, 'compressor-off', 4 * 3600)
  await app.sim.advance(UNTIL_TOO_HOT)

  for (const [visitor, api] of looking) {
    const screen = new NotificationsScreen(visitor.page)
    const { notifications, notificationsCount } = await listOf(api, since)
    await expect(screen.shown).toContainText(`of ${notificationsCount.toLocaleString('en')}`)
    const first = notifications.slice(0, 5)
    for (const [i, one] of first.entries())
      await expect(screen.list.getByRole('listitem').nth(i)).toContainText(one.thingName)
    const theirs = notifications.filter(({ thing }) => thing === device.imei)
    expect(theirs.map(({ type }) => type)).toEqual(api === karakoram ? [] : ['HIGH_TEMPERATURE_DETECTED'])
    if (api === karakoram) {
      await expect(screen.entries(device.name)).toHaveCount(0)
      continue
    }
    await visitor.page.goto(`${since.address}&thing=${device.imei}`)
    await screen.isLoaded()
    await expect(screen.entries(device.name)).toHaveCount(1)
  }
})

test('what is said and done in one window is seen in the others, and after a reload', async ({
  signedInAt,
  newVisitor,
  app,
}) => {
  const one = await violationOf(app)
  const address = `/notifications?thing=${one.thing}`
  const operator = await signedInAt(address)
  const mine = new NotificationsScreen(operator.page)
  const other = await at(app, newVisitor, OPERATOR, address)
  const theirs = new NotificationsScreen(other.page)
  const entryOf = (screen: NotificationsScreen) =>
    screen.list.getByRole('listitem').filter({ hasText: one.name }).last()
  for (const [visitor, screen] of [
    [operator, mine],
    [other, theirs],
  ] as const) {
    await screen.isLoaded()
    await visitor.shell.isLive()
    await screen.open(entryOf(screen))
  }

  await mine.comment(entryOf(mine), 'Driver is called')
  await expect(entryOf(theirs).getByRole('list', { name: 'Comments' })).toContainText('Driver is called')
  await theirs.page.getByRole('textbox', { name: 'Another reason' }).fill('Door is closed')
  await theirs.page.getByRole('button', { name: 'Say so' }).click()
  await expect(entryOf(mine)).toContainText(/Acknowledged by .+ since .+: Door is closed/)

  // the address says which is open
  await mine.page.reload()
  await mine.isLoaded()
  await expect(entryOf(mine)).toContainText('Driver is called')
  await expect(entryOf(mine)).toContainText(/Acknowledged by .+ since .+: Door is closed/)
  await mine.page.getByRole('button', { name: 'Why' }).click()
  const why = mine.page.getByRole('region', { name: 'Why' })
  await expect(why).toContainText(/It was (above|below) the (high|low) threshold/)
  await expect(why).toContainText('Who was notified')
  await expect(why.getByRole('img')).toBeVisible()
})

test('filters and Load More show the server’s list', async ({ signedInAt, app }) => {
  // those of before the start are fifty or so
  for (let more = 0; more < 3; more++) await unplugOne(app)
  await hasMoreNotificationsThan(50, app)
  const { page } = await signedInAt('/notifications')
  const screen = new NotificationsScreen(page)
  await screen.isLoaded()
  const answer = () =>
    page.waitForResponse(async (response) => {
      if (!response.url().endsWith('/notifications') || response.request().method() !== 'POST') return false
      return response.request().postDataJSON().limit === 50
    })
  const next = answer()
  await screen.loadMore.click()
  const more = await (await next).json()
  expect(more.notifications.length).toBeGreaterThan(0)
  await expect(screen.shown).toHaveText(
    new RegExp(`^${50 + more.notifications.length} of ${more.notificationsCount.toLocaleString('en')}$`),
  )
  const narrowed = answer()
  await screen.pick('Types', 'Low temperature')
  const cold = await (await narrowed).json()
  await expect(screen.shown).toContainText(`of ${cold.notificationsCount.toLocaleString('en')}`)
  await expect(screen.list.getByText('High temperature')).toHaveCount(0)
  await expect(screen.list.getByText('Low temperature')).not.toHaveCount(0)
})

test('a burst pops up once; what nobody saw is counted in every tab until somebody did', async ({
  signedInAt,
  app,
}) => {
  const operator = await signedInAt('/aboutus')
  const mine = new NotificationsScreen(operator.page)
  await operator.shell.isLive()
  await mine.bell.click()
  await expect(mine.todays).toBeVisible()
  await mine.hasUnread(0)
  await operator.page.keyboard.press('Escape')
  const tab = await operator.context.newPage()
  const theirs = new NotificationsScreen(tab)
  await tab.goto('/aboutus')
  await expect(tab.getByRole('banner').getByRole('status')).toContainText(/^live/)

  const since = await now(app.sim)
  const before = (await listOf(app.api, since)).notificationsCount
  for (let i = 0; i < 3; i++) {
    const { imei } = await healthy(app.api)
    await app.sim.inject(imei, 'device-unplugged', 3600)
  }
  // it is gone after some seconds
  await Promise.all([hasPoppedUpOnce(mine), app.sim.advance(120)])
  const came = (await listOf(app.api, since)).notificationsCount - before
  expect(came).toBeGreaterThanOrEqual(3)
  await mine.hasUnread(came)
  await theirs.hasUnread(came)
  await tab.reload()
  await theirs.hasUnread(came)

  await mine.bell.click()
  await expect(mine.todays.getByRole('listitem').first()).toBeVisible()
  await mine.hasUnread(0)
  await theirs.hasUnread(0)
  await operator.page.reload()
  await mine.hasUnread(0)
  // what came before a page is live is counted, and does not pop up
  await operator.shell.isLive()
  const { imei, name } = await healthy(app.api)
  await app.sim.inject(imei, 'device-unplugged', 3600)
  const view = async () => {
    await stays(mine.popup)
    await expect(mine.popup).toContainText(new RegExp(`${name}|notifications`))
    await mine.popup.getByRole('button', { name: /^View/ }).click()
  }
  await Promise.all([view(), app.sim.advance(120)])
  await expect(operator.page).toHaveURL(/\/notifications/)
})

test('the buzzer sounds as the setting says, from the first press anywhere on', async ({ signedIn, app }) => {
  const { page, shell } = signedIn
  const screen = new NotificationsScreen(page)
  await page.goto('/aboutus')
  await page.evaluate(() => {
    const { dataset } = document.documentElement
    const start = OscillatorNode.prototype.start
    dataset.tones = ''
    OscillatorNode.prototype.start = function (...at) {
      dataset.tones += 'beep '
      start.apply(this, at)
    }
  })
  await shell.isLive()
  const close = async () => {
    await stays(screen.popup)
    await expect(shell.toasts, 'nothing is asked').toHaveCount(1)
    await screen.popup.getByRole('button', { name: 'Close toast' }).click()
  }
  await Promise.all([close(), unplugOne(app)])
  await unplugOne(app)
  await expect
    .poll(() => page.evaluate(() => document.documentElement.dataset.tones))
    .toMatch(/^(beep beep )+$/)
})

test('a link that is cut and a server that starts again lose nothing and tell nothing twice', async ({
  newVisitor,
}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'frostline-'))
  let server = await startApp({ devices: 60, dataDir })
  const { port, teltonikaPort } = server
  const sim = controlOf(server.url)
  await sim.pause()
  const cable = await layCable(server)
  const visitor = await newVisitor(cable.url)
  visitor.trouble.allow(CUT_OFF)
  visitor.trouble.allow(STARTING)
  await bringSession(visitor.page, cable.url, OPERATOR, PASSWORD)
  const since = await now(sim)
  await visitor.page.goto(since.address)
  const screen = new NotificationsScreen(visitor.page)
  await screen.isLoaded()
  await visitor.shell.isLive()
  const showsAll = async () => {
    const api = await signedInCaller(server.url, OPERATOR, PASSWORD)
    const { notifications, notificationsCount } = await listOf(api, since)
    await expect(screen.shown).toContainText(`of ${notificationsCount.toLocaleString('en')}`)
    for (const [i, one] of notifications.slice(0, 6).entries())
      await expect(screen.list.getByRole('listitem').nth(i)).toContainText(one.thingName)
    return notificationsCount
  }
  const before = await showsAll()
  const api = await signedInCaller(server.url, OPERATOR, PASSWORD)
  const unplug = async () => sim.inject((await healthy(api)).imei, 'device-unplugged', 1200)

  cable.cut()
  await expect(visitor.shell.link).toContainText(/offline/)
  for (let i = 0; i < 3; i++) await unplug()
  await sim.advance(120)
  cable.mend()
  // its own link may be back before the other, and what it tells is gone after some seconds
  await hasPoppedUpOnce(screen)
  await visitor.shell.isLive()
  expect(await showsAll()).toBeGreaterThanOrEqual(before + 3)

  await unplug()
  await sim.advance(120)
  await server.stop()
  server = await startApp({ devices: 60, dataDir, port, teltonikaPort })
  await sim.pause()
  await visitor.shell.isLive()
  await showsAll()
  await visitor.context.close()
  await cable.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

for (const { colorScheme, width } of LOOKS)
  test.describe(`${colorScheme}, ${width} px wide`, () => {
    test.use({ colorScheme, viewport: { width, height: width === 390 ? 780 : 620 } })

    test('the list, an open entry, its place and the bell can be used by all', async ({
      signedInAt,
      app,
    }) => {
      const one = await violationOf(app)
      const { page } = await signedInAt(`/notifications?thing=${one.thing}`)
      const screen = new NotificationsScreen(page)
      await screen.isLoaded()
      const entry = screen.list.getByRole('listitem').filter({ hasText: one.name }).last()
      await screen.open(entry)
      await entry.getByRole('button', { name: 'Why' }).click()
      await expect(page.getByRole('region', { name: 'Why' }).getByRole('img')).toBeVisible()
      await isAccessible(page)
      await entry.getByRole('button', { name: /Location Details/ }).click()
      const location = page.getByRole('dialog', { name: 'Location Details' })
      await expect(location).toContainText('This browser cannot draw the map')
      await expect(location.getByRole('alert')).toContainText(/was here: -?\d+\.\d+, -?\d+\.\d+\./)
      await isAccessible(page)
      await page.keyboard.press('Escape')
      await screen.bell.click()
      await expect(screen.todays.getByRole('listitem').first()).toBeVisible()
      await isAccessible(page)
    })
  })

type Newcomer = (address?: string) => Promise<Visitor>

/** Somebody else, signed in on a page. */
async function at(app: App, newcomer: Newcomer, who: string, path = '/notifications'): Promise<Visitor> {
  const visitor = await newcomer()
  await bringSession(visitor.page, app.url, who, PASSWORD)
  await visitor.page.goto(path)
  return visitor
}

type Since = { from: number; to: number; address: string }

/** From a little before now on: what is found of before the record began comes to nobody's window by itself. */
async function now(sim: Control): Promise<Since> {
  const { now } = await sim.status()
  const from = now - 10 * 60_000
  const to = now + 8 * 3_600_000
  return {
    from,
    to,
    address: `/notifications?date=${new Date(from).toISOString()}..${new Date(to).toISOString()}`,
  }
}

const listOf = (api: Caller, { from, to }: Pick<Since, 'from' | 'to'>) =>
  api.ask(NOTIFICATION_CALLS.notifications, {
    params: { groupId: api.groupId },
    body: { startDate: from, endDate: to, skip: 0, limit: 500 },
  })

/** The newest violation that nobody takes care of: those of before the start are found little by little. */
async function violationOf(app: App): Promise<Notification> {
  const { now: to } = await app.sim.status()
  let found: Notification | undefined
  const find = async () => {
    const { notifications } = await listOf(app.api, { from: to - DAY, to })
    found = notifications.find(({ violationId, acknowledged }) => violationId !== null && !acknowledged)
    return found
  }
  await expect.poll(find).toBeDefined()
  return found as unknown as Notification
}

/** A vehicle with nothing wrong about it, which no other test has. */
async function healthy(api: Caller, also: (device: Thing) => boolean = () => true): Promise<Thing> {
  const found = (await api.fleet()).find(
    (one) =>
      one.type === 'vehicle' &&
      one.thingStatus === 'online' &&
      one.temperature !== null &&
      also(one) &&
      !taken.has(one.imei),
  )
  if (found === undefined) throw new Error('Every device has something wrong')
  taken.add(found.imei)
  return found
}
const taken = new Set<string>()

async function hasPoppedUpOnce({ popup }: NotificationsScreen): Promise<void> {
  await expect(popup).toHaveText([/\d+ notifications/])
}

/** What pops up is gone after some seconds, but not while the pointer is on it. */
async function stays(popup: Locator): Promise<void> {
  await popup.hover()
}

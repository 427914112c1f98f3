import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { LIVE_CLOSE } from '#machines/contracts/live-messages.ts'
import { DESK, expect, OPERATOR, PASSWORD, test } from '../app.ts'
import { layCable } from '../cable.ts'
import { stopClock } from '../clock.ts'
import { bringSession } from '../session.ts'
import { CUT_OFF } from '../trouble.ts'
import { holdWire } from '../wire.ts'

test.use({ world: { of: 'link', devices: 120 }, viewport: DESK })

test('the link breaks and comes back, and nothing of what happened meanwhile is missing', async ({
  newVisitor,
  app,
}) => {
  await app.sim.pause()
  const cable = await layCable(app)
  const visitor = await newVisitor(cable.url)
  const { dashboard, shell } = visitor
  visitor.trouble.allow(CUT_OFF)
  await visitor.login.open()
  await visitor.login.signIn(OPERATOR, PASSWORD)
  await dashboard.isShown()
  await shell.isLive()
  await dashboard.landIsThere()

  cable.cut()
  await expect(shell.link).toContainText(/offline since \d\d:\d\d/)
  const before = await app.api.fleet()
  await app.sim.advance(180)
  const [renamed] = before
  if (renamed === undefined) throw new Error('There is no fleet')
  await app.api.ask(DEVICE_CALLS.updateThing, {
    params: { imei: renamed.imei },
    body: { name: 'Renamed in the dark', groupId: renamed.groupId ?? '' },
  })
  await dashboard.search(renamed.imei)
  await expect(dashboard.row(renamed.name)).toBeVisible()

  cable.mend()
  await shell.isLive()
  await expect(dashboard.row('Renamed in the dark')).toBeVisible()
  const after = await app.api.fleet()
  const changed = after.filter(
    (now) => before.find(({ imei }) => imei === now.imei)?.temperature !== now.temperature,
  )
  expect(changed.length).toBeGreaterThan(20)
  await dashboard.search('')
  for (const status of ['Online', 'Offline', 'Disconnected'] as const)
    await expect
      .poll(() => dashboard.count(status), status)
      .toBe(after.filter(({ thingStatus }) => thingStatus === status.toLowerCase()).length)
  for (const now of changed.slice(0, 6)) {
    await dashboard.search(now.imei)
    await expect(dashboard.row(now.name)).toBeVisible()
    const shown = await dashboard.reading(now.name)
    expect(shown.temperature ?? Number.NaN, now.name).toBeCloseTo(now.temperature as number, 0)
    if (now.humidity !== null) expect(shown.humidity, now.name).toBeCloseTo(now.humidity, 1)
  }
  await visitor.context.close()
  await cable.close()
})

test('the browser itself goes offline and comes back', async ({ operator, app }) => {
  operator.trouble.allow(CUT_OFF)
  await app.sim.pause()
  await operator.context.setOffline(true)
  await expect(operator.shell.link).toContainText(/offline since \d\d:\d\d/)
  await app.sim.advance(60)
  await operator.context.setOffline(false)
  await operator.shell.isLive()
  const device = (await app.api.fleet()).find(
    ({ type, temperature }) => type === 'vehicle' && temperature !== null,
  )
  await operator.dashboard.search(device?.imei ?? '')
  const { temperature } = await operator.dashboard.reading(device?.name ?? '')
  expect(temperature).toBeCloseTo(device?.temperature as number, 0)
})

test('a link that is not let in again with a new token says since when it is gone', async ({
  visitor,
  app,
}) => {
  visitor.trouble.allow(CUT_OFF)
  const { page, shell } = visitor
  await bringSession(page, app.url, OPERATOR, PASSWORD)
  const wire = await holdWire(page)
  const clock = await stopClock(page, async () => {
    await page.goto('/aboutus')
    await wire.letIn()
    wire.flow()
    await shell.isLive()
  })
  await wire.hangUp(LIVE_CLOSE.refused, 'token ran out')
  await wire.isTried()
  // longer than it waits to be let in
  await clock.pass(11_000)
  await expect(shell.link).toContainText(/offline since \d\d:\d\d/)
})

test('a portal that slept until its token ran out is back as soon as it has another', async ({
  newVisitor,
  app,
}) => {
  await app.sim.pause()
  const cable = await layCable(app)
  const { page, shell, trouble, context } = await newVisitor(cable.url)
  trouble.allow(CUT_OFF)
  await bringSession(page, cable.url, OPERATOR, PASSWORD)
  // asked for once the page has been there for a while: that would find out about the token too
  const listed = page.waitForResponse(/\/notifications$/)
  const clock = await stopClock(page, async () => {
    await page.goto('/aboutus')
    await shell.isLive()
    await listed
  })
  cable.cut()
  await expect(shell.link).toContainText(/^offline/)
  await app.sim.advance(3_700)
  cable.mend()
  const refused = page.waitForEvent('websocket', {
    predicate: async (socket) =>
      socket.url().endsWith('/live') && (await socket.waitForEvent('close')) !== undefined,
  })
  let isRenewed = false
  const renewed = page.waitForResponse(/\/auth\/refresh-token/).then(() => {
    isRenewed = true
  })
  // one that was cut is tried again soon; one that is refused after that waits for ten seconds
  await clock.pass(300)
  await refused
  await expect(async () => {
    // the page may hear of that after us
    await clock.pass(200)
    expect(isRenewed).toBe(true)
  }).toPass({ intervals: [50] })
  await renewed
  await expect(async () => {
    // what is new is painted in a frame of the screen
    await clock.pass(20)
    await expect(shell.link).toContainText(/^live/, { timeout: 250 })
  }).toPass()
  await context.close()
  await cable.close()
})

test('an open dashboard says how old its data is when the fleet falls silent', async ({ operator, app }) => {
  await app.sim.pause()
  await expect(operator.shell.link).toContainText(/^live/)
  await app.sim.resume()
  await expect(operator.shell.page.getByRole('banner').getByTitle(/Newest data/)).toBeVisible()
})

import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { Thing } from '#machines/contracts/entities/devices.ts'
import { decodeFleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import { type App, DESK, expect, OPERATOR, PASSWORD, test } from '../app.ts'
import { signIn } from '../control.ts'
import { NotificationsScreen } from '../screens/notifications.screen.ts'
import { PastScreen } from '../screens/past.screen.ts'

test.use({ world: { of: 'past', devices: 120 }, viewport: DESK })

const MINUTE = 60_000
/** It warms without its compressor. */
let warm: Thing

test.beforeAll(async ({ app }) => {
  await app.sim.pause()
  const frozen = (await app.api.fleet()).find(
    ({ thingStatus, groupName, temperature }) =>
      thingStatus === 'online' && (temperature ?? 0) < -15 && /Frozen/.test(groupName),
  )
  if (frozen === undefined) throw new Error('no cold room is cold')
  warm = frozen
  await app.sim.inject(warm.imei, 'compressor-off', 12 * 3600)
  await app.sim.advance(15 * 60)
  // each minute is kept from here on, to some after it has become too warm
  for (let after = 0; after < 3; after += (await isTooWarm(app)) ? 1 : 0) await passMinute(app)
})

async function isTooWarm({ api }: App): Promise<boolean> {
  const { open } = await api.ask(NOTIFICATION_CALLS.incidents, { params: { groupId: api.groupId } })
  return open.some(({ imei }) => imei === warm.imei)
}

/** A minute goes by, and is kept. */
async function passMinute({ url, sim }: App): Promise<void> {
  await sim.advance(60)
  const { now } = await sim.status()
  const minute = Math.floor(now / MINUTE) * MINUTE
  const { access_token: token } = await signIn(url, OPERATOR, PASSWORD)
  const kept = async (): Promise<number> => {
    const answer = await fetch(`${url}/api/asof?at=${new Date(now).toISOString()}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return decodeFleetSnapshot(await answer.arrayBuffer()).head.now
  }
  await expect.poll(kept).toBe(minute)
}

test('a morning meeting goes from a notification to what was seen then, to before it, and back to now', async ({
  signedIn: operator,
}) => {
  const { page, dashboard, shell } = operator
  const past = new PastScreen(page)
  const notifications = new NotificationsScreen(page)
  await page.goto('/notifications')
  await notifications.isLoaded()
  const entry = notifications.entries(warm.name).first()
  await notifications.open(entry)
  await entry.getByRole('link', { name: 'Look back' }).click()

  await expect(past.words).toContainText('Nothing here is live.')
  await expect(page).toHaveURL(/\?device=\d+&asOf=2026-/)
  await expect(dashboard.row(warm.name)).toContainText('Too hot')
  await expect(dashboard.markerCard).toContainText(warm.name)

  await page.keyboard.press('Shift+ArrowLeft')
  await expect(dashboard.row(warm.name)).not.toContainText('Too hot')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await past.press('Copy link')
  await expect(page.getByText(/^Link to .* copied$/)).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await page.goto('/groups')
  await page.goto(link)
  await expect(dashboard.row(warm.name)).not.toContainText('Too hot')
  await past.press('Event after')
  await expect(past.words).toContainText('Nothing here is live.')

  await dashboard
    .row(warm.name)
    .getByRole('button', { name: `Edit ${warm.name}` })
    .click()
  await expect(page.getByText('Go back to now to change something')).toBeVisible()
  await expect(dashboard.deviceUpdate).toBeHidden()

  await past.press('Back to now')
  await expect(past.bar).toBeHidden()
  await expect(page).not.toHaveURL(/asOf/)
  await shell.isLive()
  await expect(dashboard.row(warm.name)).toContainText('Too hot')
})

test('it plays up to now, shows what is known now and where that differs, and each page says what it shows of then', async ({
  operator,
}) => {
  const { page, dashboard, history } = operator
  const past = new PastScreen(page)
  await page.keyboard.press('t')
  await expect(past.words).toContainText('Nothing here is live.')
  await page.keyboard.press('Shift+ArrowLeft')
  await past.choose('×600')
  await past.press('Play')
  await expect(past.bar.getByRole('button', { name: 'Play' })).toBeEnabled()

  await page.keyboard.press('ArrowLeft')
  await past.choose('As known now')
  await expect(page).toHaveURL(/view=now/)
  await expect(dashboard.row(warm.name)).toContainText('Too hot')
  await past.choose('Differences only')
  await expect(dashboard.row(warm.name)).toBeHidden()
  await past.choose('As known then')
  await expect(dashboard.row(warm.name)).toBeVisible()

  await dashboard.row(warm.name).getByRole('button').first().click()
  await page.getByRole('link', { name: 'History' }).first().click()
  await history.isDrawn()
  await expect(page).toHaveURL(/\/temperature\/\d+\?asOf=/)
  await expect(history.verdict).toContainText(/^Above/)
  await page.getByRole('button', { name: 'Share' }).click()
  const shared = page.getByRole('dialog', { name: 'Share what is shown' })
  const minute = await shared.getByRole('textbox', { name: 'The link' }).inputValue()
  await page.goto('/groups')
  await page.goto(minute)
  await history.isDrawn()
  await expect(past.words).toContainText('Nothing here is live.')
  await expect(history.verdict).toContainText(/^Above/)

  await page.getByRole('link', { name: 'Users' }).click()
  await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
  await expect(past.words).toContainText('Nothing here is live.')
  await page.getByRole('link', { name: 'Reports' }).first().click()
  await expect(page.getByText('This page has no past')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Reports' })).toBeVisible()
  await expect(page).toHaveURL(/\/reports$/)
})

test('notifications of then are those there were, and nothing can be said of them', async ({
  signedIn: operator,
}) => {
  const { page } = operator
  const past = new PastScreen(page)
  const notifications = new NotificationsScreen(page)
  await page.goto('/notifications')
  await notifications.isLoaded()
  await page.keyboard.press('t')
  await expect(past.words).toContainText('Nothing here is live.')
  const entry = notifications.entries(warm.name).first()
  await notifications.open(entry)
  await notifications.comment(entry, 'On it')
  await expect(page.getByText('Go back to now to change something').first()).toBeVisible()
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(notifications.entries(warm.name)).toHaveCount(0)
  await past.press('Back to now')
  await expect(notifications.entries(warm.name).first()).toBeVisible()
})

test('a time in a chart, and one in a notification, are pressed to look back to them', async ({
  signedIn: operator,
}) => {
  const { page, dashboard, history } = operator
  const past = new PastScreen(page)
  const notifications = new NotificationsScreen(page)
  await page.goto(`/temperature/${warm.imei}`)
  await history.isDrawn()
  const instant = page.getByRole('slider', { name: 'Instant on the temperature chart' })
  await instant.press('End')
  await instant.press('PageDown')
  await instant.press('PageUp')
  await instant.press('Enter')
  await expect(past.words).toContainText('Nothing here is live.')
  await expect(page).toHaveURL(/\/temperature\/\d+\?asOf=/)
  await past.press('Back to now')
  await instant.dblclick({ position: { x: 200, y: 50 } })
  await expect(past.words).toContainText('Nothing here is live.')
  await past.press('Back to now')

  await page.goto('/notifications')
  await notifications.isLoaded()
  const entry = notifications.entries(warm.name).first()
  await notifications.open(entry)
  await entry
    .getByTitle(/^Look back to/)
    .first()
    .click()
  await expect(past.words).toContainText('Nothing here is live.')
  await expect(dashboard.row(warm.name)).toContainText('Too hot')
})

test('before anything was kept it says so, and what is still to come is refused', async ({
  signedIn: operator,
  app,
}) => {
  operator.trouble.allow(/404/)
  const { page } = operator
  const past = new PastScreen(page)
  const { now } = await app.sim.status()
  await page.goto(`/?asOf=${new Date(now - 60 * 24 * 60 * MINUTE).toISOString()}`)
  await expect(past.bar.getByRole('alert')).toContainText('Nothing was kept yet')
  await page.goto(`/?asOf=${new Date(now + 60 * MINUTE).toISOString()}`)
  await expect(page.getByText('That is still to come')).toBeVisible()
  await expect(past.bar).toBeHidden()
})

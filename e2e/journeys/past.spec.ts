import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import type { Thing } from '#machines/contracts/entities/devices.ts'
import { decodeFleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import { inside } from '../addresses.ts'
import { type App, DESK, expect, OPERATOR, PASSWORD, test, type Visitor } from '../app.ts'
import { signIn } from '../control.ts'
import { IncidentsScreen } from '../screens/incidents.screen.ts'
import { NotificationsScreen } from '../screens/notifications.screen.ts'
import { PastScreen } from '../screens/past.screen.ts'

test.use({ world: { of: 'past', devices: 120 }, viewport: DESK })

const MINUTE = 60_000
const ONLY_NOW = 'Go back to now to change something'
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

/** The last whole minute, which is kept: `2026-11-26T04:10:00.000Z`. */
async function lastKept({ sim }: App): Promise<string> {
  const { now } = await sim.status()
  return new Date(Math.floor(now / MINUTE) * MINUTE).toISOString()
}

/** `04:10`, in Pakistan */
const clockOf = (at: number): string => new Date(at + 300 * MINUTE).toISOString().slice(11, 16)

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
  await expect(page.getByText(ONLY_NOW)).toBeVisible()
  await expect(dashboard.deviceUpdate).toBeHidden()

  await past.press('Back to now')
  await expect(past.bar).toBeHidden()
  await expect(page).not.toHaveURL(/asOf/)
  await shell.isLive()
  await expect(dashboard.row(warm.name)).toContainText('Too hot')
})

test('the way of the selected device ends where one looks back to', async ({ signedInAt, app }) => {
  const at = await lastKept(app)
  const ends: number[] = []
  const { page } = await signedInAt('/groups')
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith(`/things/${warm.imei}/observations`) && searchParams.get('maxPoints') === '400')
      ends.push(JSON.parse(searchParams.get('data') ?? '').endDate)
  })
  await page.goto(`/?device=${warm.imei}&asOf=${at}`)
  await expect.poll(() => ends.at(-1)).toBe(Date.parse(at))
  const past = new PastScreen(page)
  // its keys are there with it
  await past.standsAt(clockOf(Date.parse(at)))
  await page.keyboard.press('ArrowLeft')
  await past.standsAt(clockOf(Date.parse(at) - MINUTE))
  await expect.poll(() => ends.at(-1)).toBe(Date.parse(at) - MINUTE)
})

test('an incident of then is opened with its line, its why as known then, and left for now', async ({
  operator,
}) => {
  const { page, dashboard, shell, history } = operator
  const past = new PastScreen(page)
  const incidents = new IncidentsScreen(page)
  const notifications = new NotificationsScreen(page)
  await page.keyboard.press('t')
  await expect(past.words).toContainText('Nothing here is live.')
  await incidents.look('Open')
  const row = incidents.row(warm.name)
  await expect(row).toContainText('Nobody has it')
  await expect(row.locator('svg[width="72"]'), 'its last hours').toBeAttached()
  await row.getByRole('button').click()
  await expect(dashboard.markerCard).toContainText(warm.name)
  await expect(dashboard.markerCard).toContainText('Nobody has it')

  await shell.follow(`/notifications?thing=${warm.imei}`)
  await notifications.isLoaded()
  const entry = notifications.entries(warm.name).first()
  await notifications.open(entry)
  const why = await notifications.why(entry)
  await expect(why).toContainText('It lasts until')
  await page.keyboard.press('Shift+ArrowLeft')
  await expect(notifications.entries(warm.name)).toHaveCount(0)
  await page.keyboard.press('Shift+ArrowRight')
  await expect(notifications.entries(warm.name).first()).toBeVisible()
  await page.goBack()
  await incidents.row(warm.name).getByRole('button').press('Enter')
  await history.isDrawn()
  await expect(past.words).toContainText('Nothing here is live.')
  await page.keyboard.press('Escape')
  await expect(past.bar).toBeHidden()
  await expect(page).toHaveURL(/\/temperature\/\d+$/)
})

const deleteFirst = ({ page }: Visitor): Promise<void> =>
  page
    .getByRole('button', { name: /^Delete / })
    .first()
    .click()

/** Wherever something is changed: what begins it. */
const CHANGES: readonly { at: string; what: string; begin: (operator: Visitor) => Promise<void> }[] = [
  {
    at: '/',
    what: 'a device',
    begin: ({ page }) => page.getByRole('button', { name: `Edit ${warm.name}` }).click(),
  },
  {
    at: '/',
    what: 'where devices are, by the key m',
    begin: async ({ page, dashboard }) => {
      await dashboard.line(warm.name).focus()
      await page.keyboard.press('m')
    },
  },
  { at: '/', what: 'who takes care of devices', begin: ({ page }) => page.keyboard.press('a') },
  ...(['Acknowledge', 'Shelve', 'Take', 'Comment'] as const).map((what) => ({
    at: '/?show=open',
    what: `an incident: ${what}`,
    begin: async ({ page }: Visitor) => {
      const incidents = new IncidentsScreen(page)
      await incidents.row(warm.name).getByRole('button').focus()
      await incidents.act(what)
    },
  })),
  {
    at: '/notifications',
    what: 'an incident, in the bell',
    async begin({ page }) {
      const notifications = new NotificationsScreen(page)
      await notifications.bell.click()
      await notifications.todays.getByRole('button', { name: /^Acknowledge/ }).click()
      await expect(page.getByText(ONLY_NOW)).toBeVisible()
      await page.keyboard.press('Escape')
    },
  },
  ...['acknowledge', 'move'].map((act) => ({
    at: '/groups',
    what: `by the palette: ${act}`,
    async begin({ page, shell }: Visitor) {
      await page.keyboard.press('Control+k')
      await shell.palette.getByRole('combobox').fill(`${act} ${warm.name}`)
      await shell.palette.getByRole('option', { name: warm.name }).first().click()
    },
  })),
  {
    at: '/groups',
    what: 'a group',
    begin: deleteFirst,
  },
  {
    at: '/users',
    what: 'a user',
    begin: deleteFirst,
  },
]

test.describe('beside the map', () => {
  test.use({ isMapDrawn: false })

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
    await expect(history.summary).toContainText(/^Above/)
    await page.getByRole('button', { name: 'Share' }).click()
    const shared = page.getByRole('dialog', { name: 'Share what is shown' })
    const minute = await shared.getByRole('textbox', { name: 'The link' }).inputValue()
    await page.goto('/groups')
    await page.goto(minute)
    await history.isDrawn()
    await expect(past.words).toContainText('Nothing here is live.')
    await expect(history.summary).toContainText(/^Above/)

    await page.getByRole('link', { name: 'Users' }).click()
    await expect(page.getByRole('heading', { name: 'Users' })).toBeVisible()
    await expect(past.words).toContainText('Nothing here is live.')
    await page.getByRole('link', { name: 'Reports' }).first().click()
    await expect(page.getByText('This page has no past')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'Reports' })).toBeVisible()
    await expect(page).toHaveURL(/\/reports$/)
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
    await expect(entry.getByText(ONLY_NOW)).toBeVisible()
    await expect(entry.getByRole('textbox')).toHaveCount(0)
    await page.keyboard.press('Shift+ArrowLeft')
    await expect(notifications.entries(warm.name)).toHaveCount(0)
    await past.press('Back to now')
    await expect(notifications.entries(warm.name).first()).toBeVisible()
  })

  test('a time in a line of the report log is pressed to look back to it', async ({ signedInAt, app }) => {
    const { now } = await app.sim.status()
    const to = Math.floor(now / MINUTE) * MINUTE - 2 * MINUTE
    await app.api.ask(REPORT_CALLS.requestTemperatureReport, {
      params: { groupId: app.api.groupId, companyId: 'indus' },
      body: { things: [warm.imei], groups: [], startDate: to - 60 * MINUTE, endDate: to },
    })
    const { page, dashboard } = await signedInAt('/download/reports')
    const past = new PastScreen(page)
    const line = page.getByRole('table', { name: 'Report Logs' }).getByRole('row').nth(1)
    await line
      .getByTitle(/^Look back to/)
      .nth(1)
      .click()
    await past.standsAt(clockOf(to + MINUTE))
    await dashboard.isShown()
  })

  test('wherever something would be changed it is said at once how to get back, and nothing is sent', async ({
    signedInAt,
    app,
  }) => {
    const operator = await signedInAt(`/?asOf=${await lastKept(app)}`)
    const { page, shell } = operator
    await expect(new PastScreen(page).words).toContainText('Nothing here is live.')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.headers()['idempotency-key']) sent.push(`${request.method()} ${request.url()}`)
    })
    for (const { at, what, begin } of CHANGES) {
      await shell.follow(at)
      await begin(operator)
      await expect(page.getByText(ONLY_NOW).first(), what).toBeVisible()
      await expect(page.getByRole('dialog'), what).toHaveCount(0)
      await shell.closeToasts()
    }

    await shell.openViews()
    const views = page.getByRole('dialog', { name: 'Saved views' })
    await expect(views).toContainText(ONLY_NOW)
    await expect(views.getByRole('textbox')).toHaveCount(0)
    await page.keyboard.press('Escape')

    for (const [path] of Object.entries(inside)) {
      if (
        /^\/(groups|users|notifications|visualization\/(violations|summary)|devices\/\w+-observation)(\?|$)/.test(
          path,
        )
      )
        continue
      await shell.follow(path)
      await expect(page.getByText('This page has no past'), path).toBeVisible()
      await expect(shell.content.getByRole('textbox'), path).toHaveCount(0)
      await expect(shell.content.getByRole('button', { name: 'Back to now' }), path).toBeVisible()
    }
    expect(sent).toEqual([])
  })

  test('what the bell tells is of now, and so is where it leads', async ({ signedInAt, app }) => {
    const { page, shell } = await signedInAt(`/?asOf=${await lastKept(app)}`)
    const past = new PastScreen(page)
    const notifications = new NotificationsScreen(page)
    await expect(past.words).toContainText('Nothing here is live.')
    await notifications.bell.click()
    await notifications.todays.getByRole('link', { name: 'View All' }).click()
    await notifications.isLoaded()
    await expect(past.bar).toBeHidden()
    await expect(page).toHaveURL(/\/notifications$/)
    await shell.isLive()
  })

  test('who looks back from a page without a past sees the dashboard, is asked first about what was typed, and can sign out', async ({
    signedInAt,
  }) => {
    const { page, dashboard, shell } = await signedInAt('/groups/add')
    const past = new PastScreen(page)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Night shift')
    await shell.goTo('Look back')
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' })
    await leaving.getByRole('button', { name: 'Stay' }).click()
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Night shift')
    await expect(past.bar).toBeHidden()
    await shell.goTo('Look back')
    await leaving.getByRole('button', { name: 'Leave' }).click()
    await expect(past.words).toContainText('Nothing here is live.')
    await dashboard.isShown()

    const ended = page.waitForResponse((response) => /\/auth\/logout$/.test(response.url()))
    await shell.logOut()
    expect((await ended).status()).toBe(200)
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
})

import type { Page } from '@playwright/test'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { REPORT_CALLS } from '#machines/contracts/calls/report-calls.ts'
import { USER_CALLS } from '#machines/contracts/calls/user-calls.ts'
import { type App, DESK, expect, OPERATOR, PASSWORD, test } from '../app.ts'
import { layCable } from '../cable.ts'
import { stopClock } from '../clock.ts'
import { NetworkErrorScreen } from '../screens/network-error.screen.ts'
import { NotificationsScreen } from '../screens/notifications.screen.ts'
import { ReportsScreen } from '../screens/reports.screen.ts'
import { SchedulesScreen } from '../screens/schedules.screen.ts'
import { UsersScreen } from '../screens/users.screen.ts'
import { VisualizationScreen } from '../screens/visualization.screen.ts'
import { CUT_OFF } from '../trouble.ts'

test.use({ world: { of: 'no-answer', devices: 60 }, viewport: DESK, isMapDrawn: false })

test.beforeAll(({ app }) => app.sim.pause())

const NO_ANSWER = /no answer|ERR_FAILED/

test('the Device Update window stands again with what was typed, over the same filters', async ({
  operator,
  app,
}) => {
  const { page, dashboard, shell, trouble } = operator
  trouble.allow(NO_ANSWER)
  const error = new NetworkErrorScreen(page)
  const [device] = await app.api.fleet()
  if (device === undefined) throw new Error('There is no fleet')
  await dashboard.pickGroups(device.groupName)
  await dashboard.pencil(device.name)
  await dashboard.deviceName.fill('Typed before the cut')
  const mend = await breakCalls(page, /\/api\/things\/\d+$/, 'PUT')
  await dashboard.deviceUpdate.getByRole('button', { name: 'Save' }).click()
  await error.isShown()
  expect(await error.details()).toBe(`PUT /api/things/${device.imei}: Failed to fetch`)
  await mend()
  await error.goBack()
  await expect(page).toHaveURL(/\/\?.*groups=/)
  await expect(dashboard.deviceName).toHaveValue('Typed before the cut')
  await expect(dashboard.find).toHaveValue(device.name)
  await expect(page.getByRole('button', { name: /^Groups/ })).toContainText('1 of')
  await dashboard.rename({})
  await shell.says('Device updated successfully!')
  await dashboard.search('Typed before the cut')
  await expect(dashboard.row('Typed before the cut')).toBeVisible()
  await expect(page).toHaveURL(/q=Typed/)
  await page.reload()
  await dashboard.isShown()
  await expect(dashboard.deviceUpdate, 'what is done does not come again').toBeHidden()
  await expect(dashboard.find, 'what the address says does').toHaveValue('Typed before the cut')
})

test('a form goes on from what it was made of: what a colleague changed meanwhile is not lost', async ({
  signedIn,
  app,
}) => {
  const { page, trouble } = signedIn
  trouble.allow(/no answer|ERR_FAILED|412/)
  const users = new UsersScreen(page)
  const error = new NetworkErrorScreen(page)
  const user = await colleague(app)
  await users.openForm(user._id)
  await users.fill({ 'First Name': 'Mine' })
  const mend = await breakCalls(page, /\/api\/users\/[\w-]+$/)
  await users.save.click()
  await error.isShown()
  await mend()
  await app.api.ask(USER_CALLS.updateUser, {
    params: { id: user._id },
    body: { firstName: 'Theirs', lastName: user.lastName, groupId: user.group._id, phone: user.phone },
  })
  await error.goBack()
  await expect(users.field('First Name')).toHaveValue('Mine')
  await users.save.click()
  await expect(users.conflict).toContainText('Theirs')
})

test('lists, filters, comments and requests stand again as they were', async ({ signedIn, app }) => {
  const { page, trouble, shell } = signedIn
  trouble.allow(NO_ANSWER)
  const error = new NetworkErrorScreen(page)
  const through = async (calls: RegExp, press: () => Promise<unknown>) => {
    const mend = await breakCalls(page, calls)
    await press()
    await error.isShown()
    await mend()
    await error.goBack()
    await shell.isLive()
  }

  await test.step('a user to be deleted', async () => {
    const users = new UsersScreen(page)
    await users.open()
    await users.search.fill('a')
    const { email } = await colleague(app)
    await users
      .row(email)
      .getByRole('button', { name: /^Delete/ })
      .click()
    await through(/\/api\/users\/[\w-]+$/, () =>
      users.deletion.getByRole('button', { name: 'Confirm Delete' }).click(),
    )
    await expect(users.deletion).toContainText(email)
    await users.deletion.getByRole('button', { name: 'Cancel' }).click()
    await expect(users.search).toHaveValue('a')
  })

  await test.step('a comment', async () => {
    const notifications = new NotificationsScreen(page)
    await page.goto('/notifications')
    await notifications.isLoaded()
    const entry = notifications.list.getByRole('listitem').first()
    await notifications.open(entry)
    await through(/\/comments$/, () => notifications.comment(entry, 'Driver called'))
    await expect(entry.getByRole('textbox', { name: 'Comment' })).toHaveValue('Driver called')
  })

  await test.step('a report', async () => {
    const reports = new ReportsScreen(page)
    await page.goto('/distanceReport')
    await reports.tickGroup('Lahore')
    const groups = reports.form.getByRole('button', { name: /^Groups/ })
    const ticked = (await groups.textContent()) ?? ''
    expect(ticked).toMatch(/^\d+ of/)
    await through(/\/reports\/distanceReport$/, () => reports.send.click())
    await expect(groups).toHaveText(ticked)
    await reports.send.click()
    await expect(reports.dialog).toBeVisible()
  })

  await test.step('a schedule', async () => {
    const schedules = new SchedulesScreen(page)
    await schedules.open()
    await schedules.everything()
    await schedules.chooseInterval('Weekly')
    await schedules.choosePowerReport()
    await schedules.address('cold@indus.example')
    await through(/\/groups\/scheduleReport$/, () => schedules.send.click())
    await expect(schedules.addresses()).toHaveCount(1)
    await expect(schedules.page.getByRole('button', { name: /Interval$/ })).toContainText('Weekly')
    await schedules.send.click()
    await shell.says('Report scheduled successfully')
  })

  await test.step('a filter', async () => {
    const charts = new VisualizationScreen(page)
    await page.goto('/visualization/violations')
    await charts.isDrawn()
    await charts.type('Start Date', '14-06-2026 03:04')
    await through(/\/violationstats$/, () => charts.apply())
    const start = charts.filter.getByRole('group', { name: 'Start Date', exact: true })
    await expect(start).toContainText(/14.*06.*2026.*03.*04/)
  })
})

test('what was done though its answer was lost is done once, pressed again on a page loaded anew', async ({
  signedIn,
  app,
}) => {
  const { page, trouble, shell } = signedIn
  trouble.allow(NO_ANSWER)
  const error = new NetworkErrorScreen(page)
  const schedules = new SchedulesScreen(page)
  const email = 'once@indus.example'
  const { companyId } = await app.api.ask(GROUP_CALLS.group, { params: { id: app.api.groupId } })
  const made = async () => {
    const all = await app.api.ask(REPORT_CALLS.schedules, { params: { companyId } })
    return all.filter(({ emails }) => emails.includes(email))
  }
  await schedules.open()
  await schedules.everything()
  await schedules.chooseInterval('Weekly')
  await schedules.choosePowerReport()
  await schedules.address(email)
  const address = /\/groups\/scheduleReport$/
  let taken = 0
  await page.route(address, async (route) => {
    await route.fetch()
    taken++
    await route.abort()
  })
  await schedules.send.click()
  await error.isShown()
  expect(taken, 'it was sent again before anybody was told').toBe(2)
  expect(await made()).toHaveLength(1)
  await page.unroute(address)
  await error.reload.click()
  await schedules.send.click()
  await shell.says('Report scheduled successfully')
  expect(await made()).toHaveLength(1)
})

test('a password stays where it was typed, and nowhere else', async ({ visitor }) => {
  const { page, login, shell, trouble } = visitor
  trouble.allow(NO_ANSWER)
  const error = new NetworkErrorScreen(page)
  await login.open()
  const mend = await breakCalls(page, /\/api\/auth\/login$/)
  await login.signIn(OPERATOR, PASSWORD)
  await expect(error.window).toContainText('What you typed still stands here')
  await login.isShown()
  await mend()
  await error.goBack()
  await expect(login.password).toHaveValue(PASSWORD)
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(PASSWORD)
  await login.login.click()
  await shell.isLive()
})

test('an e-mail address stands again, as it is no secret', async ({ visitor }) => {
  const { page, trouble } = visitor
  trouble.allow(NO_ANSWER)
  const error = new NetworkErrorScreen(page)
  await page.goto('/forgot-password')
  const email = page.getByRole('textbox', { name: 'Email' })
  await email.fill(OPERATOR)
  const mend = await breakCalls(page, /\/api\/auth\/forgot-password$/)
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await error.isShown()
  await mend()
  await error.goBack()
  await expect(email).toHaveValue(OPERATOR)
})

test('a page that was never opened comes by itself when the network is back', async ({ newVisitor, app }) => {
  const cable = await layCable(app)
  const { page, shell, trouble, context, dashboard, login } = await newVisitor(cable.url)
  trouble.allow(CUT_OFF)
  const error = new NetworkErrorScreen(page)
  await login.open()
  await login.signIn(OPERATOR, PASSWORD)
  await dashboard.isShown()
  await shell.isLive()
  await shell.userMenu.click()
  const about = page.getByRole('menuitem', { name: 'About Us' })
  await expect(about).toBeVisible()
  cable.cut()
  await about.click()
  await error.isShown()
  await expect(error.window).toContainText('comes back by itself')
  await error.reload.click()
  await expect(error.window).toContainText('There is still no answer.')
  cable.mend()
  await expect(page.getByRole('heading', { name: 'About Us' })).toBeVisible()
  await expect(page).toHaveURL(/\/aboutus$/)
  await context.close()
  await cable.close()
})

test('a portal opened while the backend is away says so, and begins when it is back', async ({
  signedIn,
}) => {
  const { page, shell, dashboard, trouble } = signedIn
  trouble.allow(NO_ANSWER)
  const mend = await breakCalls(page, /\/api\//)
  const alert = shell.content.getByRole('alert')
  // it asks again by itself, and is to be pressed before that
  await stopClock(page, async () => {
    await page.goto('/')
    await expect(alert).toContainText("Frostline's server does not answer")
  })
  await expect(alert).toContainText(/It is asked again in \d s|It is being asked again/)
  await mend()
  await alert.getByRole('button', { name: 'Try again now' }).click()
  await page.clock.resume()
  await dashboard.isShown()
})

test('an answer that takes too long is told by its address, and the page can be asked again', async ({
  signedIn,
  app,
}) => {
  const { page, shell, trouble } = signedIn
  trouble.allow(/408/)
  const users = new UsersScreen(page)
  const { groupId } = app.api
  await page.route(/\/api\/groups\/[\w-]+\/users$/, (route) => route.fulfill({ status: 408, body: '' }))
  await page.goto('/users')
  await shell.says(`A timeout happend on url /api/groups/${groupId}/users`)
  await page.unroute(/\/api\/groups\/[\w-]+\/users$/)
  await page.getByRole('button', { name: 'Try again', exact: true }).click()
  const { email, _id } = await colleague(app)
  await users
    .row(email)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await page.route(/\/api\/users\/[\w-]+$/, (route) => route.fulfill({ status: 408, body: '' }))
  await users.deletion.getByRole('button', { name: 'Confirm Delete' }).click()
  await shell.says(`A timeout happend on url /api/users/${_id}`)
  await expect(users.deletion, 'where it can be tried again').toBeVisible()
})

test('a body that says 401 logs out once', async ({ signedIn }) => {
  const { page, login } = signedIn
  await page.goto('/aboutus')
  await page.route(/\/api\/(groups|auth\/refresh-token)/, (route) =>
    route.fulfill({ status: 200, json: { code: 401, message: 'Please login first' } }),
  )
  await login.isShown()
  await expect(page.getByText('Your session has ended.')).toBeVisible()
})

/** Calls to addresses like these get no answer, until they are mended; of one method alone where it is named. */
async function breakCalls(page: Page, addresses: RegExp, method?: 'PUT'): Promise<() => Promise<void>> {
  await page.route(addresses, (route) =>
    method === undefined || route.request().method() === method ? route.abort() : route.fallback(),
  )
  return () => page.unroute(addresses)
}

/** A user of the company who is not the operator. */
async function colleague(app: App) {
  const users = await app.api.ask(USER_CALLS.groupUsers, { params: { groupId: app.api.groupId } })
  const found = users.find(({ email }) => email === 'lahore@indus.example')
  if (found === undefined) throw new Error('The operator has no colleague')
  return found
}

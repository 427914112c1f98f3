import { USER_CALLS } from '#machines/contracts/calls/user-calls.ts'
import { LIVE_CLOSE } from '#machines/contracts/live-messages.ts'
import { DESK, expect, test } from '../app.ts'
import { NewVersionScreen } from '../screens/new-version.screen.ts'
import { UsersScreen } from '../screens/users.screen.ts'
import { holdWire } from '../wire.ts'

test.use({ world: { of: 'new-version', devices: 24 }, viewport: DESK })

test('an old window is told, tries no more, and after Reload what was typed is there', async ({
  signedIn,
  app,
}) => {
  const { page, shell, trouble } = signedIn
  // it goes while it fetches parts ahead
  trouble.allow(/^exception: $/)
  const wire = await holdWire(page)
  const newer = new NewVersionScreen(page)
  const users = new UsersScreen(page)
  const [user] = await app.api.ask(USER_CALLS.groupUsers, { params: { groupId: app.api.groupId } })
  if (user === undefined) throw new Error('There is no user')
  await page.goto(`/user/update/${user._id}`)
  await wire.letIn()
  wire.flow()
  await shell.isLive()
  await users.fill({ 'First Name': 'Typed before the upgrade' })

  await wire.hangUp(LIVE_CLOSE.outdated, 'outdated')
  await expect(newer.bar).toContainText('There is a new version.')
  await expect(newer.later, 'it cannot be put off').toBeHidden()
  await expect(shell.link).toContainText('there is a new version')
  await expect(shell.tryAgain).toBeHidden()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(users.field('First Name')).toHaveValue('Typed before the upgrade')

  await newer.reload.click()
  await wire.letIn()
  wire.flow()
  await shell.isLive()
  await newer.isAway()
  await expect(users.field('First Name')).toHaveValue('Typed before the upgrade')
})

test('a newer build is offered once, and a page that it no longer has comes after Reload', async ({
  signedIn,
}) => {
  const { page, shell, trouble } = signedIn
  trouble.allow(/ERR_FAILED|preload CSS|PartMissing|404/)
  const newer = new NewVersionScreen(page)
  await page.goto('/aboutus')
  await shell.isLive()
  const settle = await newer.deploy()
  await shell.goTo('Users')
  await newer.later.click()
  await shell.goTo('Groups')
  await expect(page.getByRole('heading', { name: 'Groups' })).toBeVisible()
  await newer.isAway()

  await page.route(/\/assets\/help-/, (route) => route.fulfill({ status: 404, body: '' }))
  await shell.goTo('Help')
  await expect(newer.window).toBeVisible()
  await page.unroute(/\/assets\/help-/)
  await settle()
  await newer.reloadPage.click()
  await expect(page).toHaveURL(/\/help$/)
  await expect(page.getByRole('heading', { name: 'Help', level: 1 })).toBeVisible()
  await newer.isAway()
})

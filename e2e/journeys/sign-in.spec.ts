import { CALM, expect, OPERATOR, PASSWORD, test } from '../app.ts'
import { bringSession, isListening } from '../session.ts'

test.use({ world: CALM, isMapDrawn: false })
test.beforeAll(async ({ app }) => app.sim.pause())

test('an operator signs in and is at the dashboard', async ({ visitor }) => {
  await visitor.login.open()
  await visitor.login.signIn(OPERATOR, PASSWORD)
  await visitor.dashboard.isShown()
  await visitor.shell.isLive()
})

test('whose browser blocks site data signs in too, for as long as the page lasts', async ({ visitor }) => {
  await visitor.page.addInitScript(() => {
    const get = () => {
      throw new DOMException('The request was denied.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get })
    LockManager.prototype.request = () => Promise.reject(new DOMException('Denied.', 'SecurityError'))
  })
  await visitor.login.open()
  await visitor.login.signIn(OPERATOR, PASSWORD)
  await visitor.dashboard.isShown()
  await visitor.shell.isLive()
  await visitor.page.reload()
  await visitor.login.isShown()
})

test('a user name does for an e-mail address', async ({ visitor }) => {
  await visitor.login.open()
  await visitor.login.signIn('operatorindus', PASSWORD)
  await visitor.dashboard.isShown()
})

test('a demo account is one press away', async ({ visitor }) => {
  await visitor.login.open()
  await visitor.login.pickDemoAccount('operator@karakoram.example')
  await visitor.dashboard.isShown()
})

test('a wrong password is told, and the next try gets in', async ({ visitor }) => {
  visitor.trouble.allow(/401/)
  await visitor.login.open()
  await visitor.login.signIn(OPERATOR, 'Wrong#pass1')
  await expect(visitor.shell.toasts).toHaveCount(1)
  await expect(visitor.shell.toasts).not.toBeEmpty()
  await visitor.login.isShown()
  await visitor.login.signIn(OPERATOR, PASSWORD)
  await visitor.dashboard.isShown()
})

test('a suspended company is told whom to call, after the right password alone', async ({ visitor }) => {
  visitor.trouble.allow(/40[13]/)
  const suspended = 'Company is Suspended. Please Contact Business Account Manager!'
  await visitor.login.open()
  await visitor.login.signIn('operator@thar.example', 'Wrong#pass1')
  await expect(visitor.shell.toasts).toHaveCount(1)
  await expect(visitor.page.getByText(suspended)).toBeHidden()
  await visitor.login.signIn('operator@thar.example', PASSWORD)
  await expect(visitor.page.getByRole('heading', { name: suspended })).toBeVisible()
  await expect(visitor.page.getByRole('link', { name: /@frostline\.example$/ })).toBeVisible()
  await visitor.page.getByRole('button', { name: 'Back to sign in' }).click()
  await visitor.login.isShown()
})

test('who must choose a new password is sent to do so', async ({ visitor }) => {
  await visitor.login.open()
  await visitor.login.signIn('reset@indus.example', PASSWORD)
  await expect(visitor.page).toHaveURL(/\/user\/reset$/)
  await expect(visitor.shell.toasts).toHaveCount(1)
  await visitor.page.goto('/')
  await visitor.login.isShown()
})

test('who has no devices is told so', async ({ visitor }) => {
  await visitor.login.open()
  await visitor.login.signIn('new@indus.example', PASSWORD)
  await expect(visitor.page).toHaveURL(/\/vehicle\/assignment$/)
  await expect(visitor.shell.content).toContainText('No devices are assigned to you yet')
})

test('a stranger is sent to sign in, wherever they knock', async ({ visitor }) => {
  for (const path of ['/', '/temperature/356307042441013', '/groups', '/nowhere']) {
    await visitor.page.goto(path)
    await visitor.login.isShown()
  }
})

test('who knocked at a page is led there by signing in, and to the dashboard after logging out', async ({
  visitor,
}) => {
  // what is on its way while one signs out is refused
  visitor.trouble.allow(/401/)
  const wanted = '/aboutus?from=a%26b'
  await visitor.page.goto(wanted)
  await visitor.login.isShown()
  await visitor.login.signIn(OPERATOR, PASSWORD)
  await expect(visitor.page).toHaveURL(wanted)
  await visitor.shell.logOut()
  await visitor.login.signIn(OPERATOR, PASSWORD)
  await visitor.dashboard.isShown()
})

test('who was thrown out comes back to their page, and nobody else to it', async ({ visitor, app }) => {
  visitor.trouble.allow(/401/)
  const { login, page, shell } = visitor
  const account = 'lahore@indus.example'
  const thrownOut = async () => {
    await app.sim.logOut('lahoreindus')
    // by the socket or by being refused: then as now
    await page.reload()
    await login.isShown()
  }
  await bringSession(page, app.url, account, PASSWORD)
  await page.goto('/help')
  await expect(shell.userMenu).toBeVisible()
  await thrownOut()
  await login.signIn(account, PASSWORD)
  await expect(page).toHaveURL(/\/help$/)
  await expect(shell.userMenu).toBeVisible()
  await thrownOut()
  await login.signIn(OPERATOR, PASSWORD)
  await visitor.dashboard.isShown()
})

test('logging out leaves nothing behind', async ({ visitor }) => {
  // what is on its way while one signs out is refused
  visitor.trouble.allow(/401/)
  await visitor.login.open()
  await visitor.login.signIn(OPERATOR, PASSWORD)
  await visitor.shell.isLive()
  const kept = () => visitor.page.evaluate(() => Object.keys(localStorage).sort())
  expect(await kept()).toEqual([
    'companyInfo',
    'groupInfo',
    'identityId',
    'refreshToken',
    'token',
    'user',
    'user_id',
  ])
  await visitor.shell.logOut()
  await visitor.login.isShown()
  expect(await kept()).toEqual([])
  await visitor.page.goBack()
  await visitor.login.isShown()
})

test('leaving in one window leaves in all', async ({ visitor, context }) => {
  // what the second window was just asking for is refused
  visitor.trouble.allow(/401/)
  await visitor.login.open()
  await visitor.login.signIn(OPERATOR, PASSWORD)
  await visitor.shell.isLive()
  const second = await context.newPage()
  await second.goto('/')
  await expect(second.getByRole('banner')).toBeVisible()
  await visitor.shell.logOut()
  await expect(second).toHaveURL(/\/login$/)
})

test('the server can end a session', async ({ visitor, app }) => {
  visitor.trouble.allow(/401/)
  await bringSession(visitor.page, app.url, 'lahore@indus.example', PASSWORD)
  const listening = isListening(visitor.page)
  await visitor.page.goto('/aboutus')
  await listening
  await visitor.shell.isLive()
  const reloaded = visitor.page.waitForEvent('load')
  await app.sim.logOut('lahoreindus')
  await visitor.login.isShown()
  await reloaded
  expect(await visitor.page.evaluate(() => localStorage.length)).toBe(0)
})

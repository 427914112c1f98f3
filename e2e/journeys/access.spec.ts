import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { type App, expect, PASSWORD, test, type Visitor } from '../app.ts'

test.use({ world: { of: 'access', devices: 120 }, isMapDrawn: false })

const LAHORE = 'lahore@indus.example'
const NEW = 'Fr0st#line25'
const keysOf = ({ page }: Visitor) => page.evaluate(() => Object.keys(localStorage).sort())
const SESSION_KEYS = ['companyInfo', 'groupInfo', 'identityId', 'refreshToken', 'token', 'user', 'user_id']

test('who forgot their password gets a mail, chooses another and is in with it alone', async ({
  visitor,
  app,
}) => {
  visitor.trouble.allow(/401/)
  const { access, login, page, shell } = visitor
  await login.open()
  await page.getByRole('link', { name: 'Forgot Password' }).click()
  await access.email.fill(LAHORE)
  await access.submit.click()
  await expect(shell.toasts).toContainText('Please check your resgistered email to reset password')
  const link = await linkTo(app, LAHORE, '/set-password/')
  await access.open(link)
  await expect(page.getByText(LAHORE)).toBeVisible()
  await access.choose(NEW)
  await expect(page.getByRole('heading', { name: 'Your password is set' })).toBeVisible()
  await access.toLogin.click()
  await login.signIn(LAHORE, PASSWORD)
  await expect(page.getByText('Invalid username or password')).toBeVisible()
  await login.signIn(LAHORE, NEW)
  await visitor.dashboard.isShown()
  // Used links are used.
  await access.open(link)
  await expect(page.getByRole('heading', { name: 'This link was already used' })).toBeVisible()
})

test('an administrator enters a company, is told so all the while, and leaves', async ({ visitor, app }) => {
  visitor.trouble.allow(/401/)
  const { access, login, page, shell, dashboard } = visitor
  const entered: { path: string; flag: string | undefined }[] = []
  await login.open()
  await login.signIn('admin@frostline.example', PASSWORD)
  await expect(page).toHaveURL(/\/admin\/companies$/)
  await expect(page.getByRole('button', { name: 'Enter Thar Logistics' })).toBeDisabled()
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    // what the list of companies still asks for is the administrator's own
    if (!pathname.startsWith('/api/groups/') || request.frame().url().endsWith('/admin/companies')) return
    entered.push({ path: pathname, flag: request.headers().issuperadminuser })
  })
  await access.enterCompany('Karakoram Foods')
  await expect(access.banner).toContainText('You are in Karakoram Foods as an administrator.')
  await dashboard.isShown()
  await shell.isLive()
  expect(await keysOf(visitor)).toEqual(SESSION_KEYS)
  expect(entered.length).toBeGreaterThan(0)
  expect(entered.filter(({ flag }) => flag !== 'true')).toEqual([])
  expect(entered.filter(({ path }) => !path.startsWith('/api/groups/karakoram'))).toEqual([])
  await page.goBack()
  expect(page.url()).not.toContain('token=')
  await page.goto('/')
  const token = await page.evaluate(() => localStorage.getItem('token'))
  // The portal does not wait for the server to end the session.
  const ended = page.waitForResponse(/\/auth\/logout$/)
  await access.leaveCompany()
  await login.isShown()
  expect(await keysOf(visitor)).toEqual([])
  await ended
  const response = await fetch(`${app.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(401)
})

test('nobody else is offered other companies', async ({ signedInAt }) => {
  const operator = await signedInAt('/aboutus')
  await operator.shell.userMenu.click()
  await expect(operator.page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
  await expect(operator.page.getByRole('menuitem', { name: 'Companies' })).toBeHidden()
  await operator.page.goto('/admin/companies')
  await operator.dashboard.isShown()
})

test('two windows renew their tokens, each at most once, and both stay in', async ({
  signedInAt,
  app,
  context,
}) => {
  const operator = await signedInAt('/aboutus')
  await operator.shell.isLive()
  operator.trouble.allow(/401/)
  const second = await context.newPage()
  await second.goto('/aboutus')
  await expect(second.getByRole('banner').getByRole('status')).toContainText(/^live/)
  const renewals: string[] = []
  context.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/auth/refresh-token') renewals.push(`rotate ${searchParams.get('rotate')}`)
  })
  const before = await operator.page.evaluate(() => localStorage.getItem('refreshToken'))
  await app.sim.advance(3_600)
  for (const page of [operator.page, second])
    await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect.poll(() => operator.page.evaluate(() => localStorage.getItem('refreshToken'))).not.toBe(before)
  for (const page of [operator.page, second]) {
    await page.reload()
    await expect(page.getByRole('banner').getByRole('status')).toContainText(/^live/)
  }
  // A window may read what another one just kept a moment too early: the server gives it the same tokens again.
  expect(renewals.length).toBeLessThanOrEqual(2)
  expect(new Set(renewals)).toEqual(new Set(['rotate true']))
})

test('without an answer one is told so, and comes back to where one was', async ({ signedIn: operator }) => {
  const { page } = operator
  operator.trouble.allow(/no answer|ERR_FAILED/)
  await page.goto('/user/activate/any')
  await operator.access.shows('refused')
  await page.route(/\/api\/auth\/checkLinkValidity/, (route) => route.abort())
  await operator.access.logout.click()
  await expect(page.getByText('Network Error, Please Reload Page')).toBeVisible()
  await page.getByRole('button', { name: 'Details' }).click()
  await expect(page.getByText(/checkLinkValidity\/…/)).toBeVisible()
  await page.unroute(/\/api\/auth\/checkLinkValidity/)
  operator.trouble.allow(/404/)
  await page.getByRole('button', { name: 'Reload Page' }).click()
  await operator.access.shows('unknown')
})

test('who has no devices is told whom to ask, and gets on once somebody assigned one', async ({
  visitor,
  app,
}) => {
  const { login, page, shell } = visitor
  await login.open()
  await login.signIn('new@indus.example', PASSWORD)
  await expect(shell.content).toContainText('No devices are assigned to you yet')
  await expect(shell.content.getByRole('link', { name: /@frostline\.example$/ })).toBeVisible()
  await expect(shell.content.getByRole('button', { name: 'Logout' })).toBeVisible()
  await shell.isLive()
  const answer = await app.api.ask(AUTH_CALLS.login, {
    body: { username: 'new@indus.example', password: PASSWORD },
  })
  if ('messageKey' in answer) throw new Error('new@indus.example must set a password first')
  const [device] = await app.api.fleet()
  await app.api.ask(DEVICE_CALLS.updateThing, {
    params: { imei: device?.imei ?? '' },
    body: { groupId: answer.user.groupId, name: device?.name ?? '' },
  })
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await visitor.dashboard.isShown()
})

test('the new password one must choose at sign-in may be chosen after a reload, and leads to the page that was wanted', async ({
  visitor,
  app,
}) => {
  const { access, login, page } = visitor
  await app.sim.requireReset('resetindus')
  await page.goto('/help')
  await login.isShown()
  await login.signIn('reset@indus.example', PASSWORD)
  await expect(page).toHaveURL(/\/user\/reset$/)
  expect(await keysOf(visitor)).toEqual(['token'])
  await page.reload()
  await access.choose(NEW)
  await login.isShown()
  expect(await keysOf(visitor)).toEqual([])
  await login.signIn('reset@indus.example', NEW)
  await expect(page).toHaveURL(/\/help$/)
})

test('the tokens of a hand-off that fails are left nowhere', async ({ visitor }) => {
  const { page } = visitor
  await page.goto(
    '/adminLogin?group=karakoram&company=karakoram&refreshToken=r&token=secret&identityId=i&user=u',
  )
  visitor.trouble.allow(/401/)
  await expect(page.getByRole('heading', { name: 'This link does not let you in' })).toBeVisible()
  expect(page.url()).not.toContain('secret')
  expect(
    await page.evaluate(() => JSON.stringify([history.state, location.href, localStorage])),
  ).not.toContain('secret')
  await page.getByRole('button', { name: 'Goto Login Page' }).click()
  await visitor.login.isShown()
})

/** The newest link of this kind that was mailed to somebody. */
async function linkTo(app: App, email: string, kind: string): Promise<string> {
  let link: string | undefined
  await expect
    .poll(
      async () => {
        const [mail] = await app.sim.linkMails(email)
        link = mail?.links.find((one) => one.includes(kind))
        return link
      },
      { message: 'the mail is sent' },
    )
    .toBeDefined()
  return link ?? ''
}

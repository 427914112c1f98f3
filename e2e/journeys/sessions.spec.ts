import { COMPANY_CALLS } from '#machines/contracts/calls/company-calls.ts'
import { expect, OPERATOR, PASSWORD, test, type Visitor } from '../app.ts'
import { standStill } from '../clock.ts'
import { signedInCaller } from '../control.ts'
import { isListening } from '../session.ts'

test.use({ world: { of: 'sessions', devices: 60 }, isMapDrawn: false })

const SUSPENDED = 'Company is Suspended. Please Contact Business Account Manager!'

test('the server ends a session: it is gone at once, and the page begins anew half a second later', async ({
  visitor,
  app,
}) => {
  visitor.trouble.allow(/401/)
  const { login, page, shell } = visitor
  await page.clock.install()
  await login.open()
  const listening = isListening(page)
  await login.signIn(OPERATOR, PASSWORD)
  await shell.isLive()
  await listening
  await watchLeaving(visitor)
  // Not so far ahead that its links would think the server silent.
  await standStill(page)
  await app.sim.logOut('operatorindus')
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  await page.clock.runFor(499)
  expect(await isLeaving(visitor), 'the page stays as long as that').toBe(false)
  const begunAnew = page.waitForEvent('load')
  await page.clock.runFor(1)
  await begunAnew
  await page.clock.resume()
  await login.isShown()
})

test('a company is suspended: everybody is out, also who is not told, until it no longer is', async ({
  visitor,
  app,
}) => {
  visitor.trouble.allow(/40[13]/)
  const { login, page, shell } = visitor
  const signIn = () => login.signIn('operator@karakoram.example', PASSWORD)
  await page.routeWebSocket(/socket\.io/, () => {})
  await login.open()
  await signIn()
  await shell.isLive()
  await app.sim.suspend('karakoram', true)
  await login.isShown()
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
  await signIn()
  await expect(page.getByRole('heading', { name: SUSPENDED })).toBeVisible()
  await app.sim.suspend('karakoram', false)
  await page.getByRole('button', { name: 'Back to sign in' }).click()
  await signIn()
  await shell.isLive()
})

test('what lets an administrator in is gone from the address before anything is asked', async ({
  visitor,
  app,
}) => {
  const { access, page } = visitor
  const admin = await signedInCaller(app.url, 'admin@frostline.example', PASSWORD)
  const { link } = await admin.ask(COMPANY_CALLS.handoff, { params: { companyId: 'karakoram' } })
  const { pathname, search } = new URL(link, app.url)
  const secrets = ['token', 'refreshToken'].map((name) => new URLSearchParams(search).get(name) ?? name)
  const requests: { address: string; from: string }[] = []
  await page.exposeFunction('noteAsking', (address: string, from: string) => requests.push({ address, from }))
  await page.addInitScript(() => {
    const real = window.fetch.bind(window)
    window.fetch = (...args) => {
      const { noteAsking } = window as unknown as { noteAsking(address: string, from: string): void }
      noteAsking(String(args[0]), location.href)
      return real(...args)
    }
  })
  const sent: string[] = []
  page.on('request', (request) => {
    const isThePage = request.isNavigationRequest()
    sent.push(`${isThePage ? '' : request.url()} ${request.headers().referer ?? ''}`)
  })
  await page.goto(`${pathname}${search}`)
  await expect(access.banner).toContainText('Karakoram Foods')
  expect(requests.map(({ address }) => address)).toContain('/api/auth/me')
  expect(requests.filter(({ from }) => new URL(from).search !== '')).toEqual([])
  expect(sent.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([])
})

/** The page notes when it begins anew, which takes a while. */
const watchLeaving = ({ page }: Visitor) =>
  page.evaluate(() =>
    window.navigation.addEventListener('navigate', ({ navigationType }) => {
      if (navigationType === 'reload') document.documentElement.dataset.leaving = ''
    }),
  )
const isLeaving = ({ page }: Visitor) =>
  page.evaluate(() => document.documentElement.dataset.leaving !== undefined)

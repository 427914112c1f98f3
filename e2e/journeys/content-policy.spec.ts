import type { Page } from '@playwright/test'
import { CALM, expect, OPERATOR, PASSWORD, test } from '../app.ts'

test.use({ world: CALM })
test.beforeAll(async ({ app }) => app.sim.pause())

/** What a page tried and its policy forbade, from its first script on. */
async function watchPolicy(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const forbidden: string[] = []
    Object.assign(globalThis, { forbidden })
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      forbidden.push(`${effectiveDirective} ${blockedURI}`),
    )
  })
  return () => page.evaluate(() => (globalThis as unknown as { forbidden: string[] }).forbidden)
}

test('sign-in and dashboard live within their policy', async ({ visitor }) => {
  const { page, login, dashboard, shell } = visitor
  const forbidden = await watchPolicy(page)
  const answer = await page.goto('/login')
  const policy = answer?.headers()['content-security-policy'] ?? ''
  expect(policy).toMatch(/(^|;)script-src 'self'(;|$)/)
  await login.isShown()
  expect(await forbidden()).toEqual([])

  await login.signIn(OPERATOR, PASSWORD)
  await dashboard.isShown()
  await shell.isLive()
  expect(await forbidden()).toEqual([])

  const root = await page.goto('/')
  expect(root?.headers()['content-security-policy']).toBe(policy)
  await dashboard.isShown()
  await shell.isLive()
  expect(await forbidden()).toEqual([])
})

test('the reference of the API lives within the same policy, and asks no other machine', async ({
  visitor,
  app,
}) => {
  const { page } = visitor
  const forbidden = await watchPolicy(page)
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(app.url) && !request.url().startsWith('data:'))
      elsewhere.push(request.url())
  })
  await page.goto('/docs/api')
  const events = page.locator('#operations-Events-events')
  await events
    .getByRole('button', { name: /\/api\/events/ })
    .first()
    .click()
  await expect(events.getByText('"seq": 41').or(events.getByText('"events"')).first()).toBeVisible()
  expect(await forbidden()).toEqual([])
  expect(elsewhere).toEqual([])
})

test('a script that gets into a page all the same is not run', async ({ visitor }) => {
  const { page, login, trouble } = visitor
  trouble.allow(/Content Security Policy|elsewhere.example.*: csp/)
  const forbidden = await watchPolicy(page)
  await login.open()
  await login.isShown()
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'globalThis.ran = true'
    const picture = document.createElement('div')
    picture.innerHTML = '<img src="data:," onerror="globalThis.ran = true">'
    const elsewhere = document.createElement('script')
    elsewhere.src = 'https://elsewhere.example/x.js'
    document.body.append(script, picture, elsewhere)
  })
  await expect
    .poll(async () => (await forbidden()).sort())
    .toEqual([
      'script-src-attr inline',
      'script-src-elem https://elsewhere.example/x.js',
      'script-src-elem inline',
    ])
  expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
})

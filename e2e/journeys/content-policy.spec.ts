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

test('the reference of the API lives within its policy, and asks no other machine', async ({
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

test('scripts, markup and workers that get into a page all the same are not run', async ({ visitor }) => {
  const { page, login, trouble } = visitor
  trouble.allow(/Content Security Policy|TrustedScript|elsewhere.example.*: csp/i)
  const forbidden = await watchPolicy(page)
  await login.open()
  await login.isShown()
  const attempts = await page.evaluate(async () => {
    const outcome = async (attempt: () => unknown): Promise<string> => {
      try {
        await attempt()
        return 'done'
      } catch (error) {
        return (error as Error).name
      }
    }
    const { trustedTypes } = globalThis as unknown as {
      trustedTypes: { createPolicy(name: string, rules: object): unknown }
    }
    const script = document.createElement('script')
    const picture = document.createElement('img')
    const elsewhere = 'https://elsewhere.example/x.js'
    return {
      inline: await outcome(() => Object.assign(script, { textContent: 'globalThis.ran = true' })),
      source: await outcome(() => Object.assign(script, { src: elsewhere })),
      handler: await outcome(() => picture.setAttribute('onerror', 'globalThis.ran = true')),
      module: await outcome(() => import(elsewhere)),
      worker: await outcome(() => new Worker(elsewhere)),
      policy: await outcome(() => trustedTypes.createPolicy('another', {})),
    }
  })
  expect(Object.values(attempts)).toEqual(Array.from({ length: 6 }, () => 'TypeError'))
  expect(await forbidden()).toContain('script-src-elem https://elsewhere.example/x.js')

  const text = await page.evaluate(() => {
    const at = document.createElement('div')
    at.innerHTML = '<img src="data:," onerror="globalThis.ran = true">'
    document.body.append(at)
    return at.textContent
  })
  expect(text).toBe('<img src="data:," onerror="globalThis.ran = true">')
  expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false)
})

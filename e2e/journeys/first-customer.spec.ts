import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import { type RunningApp, startApp } from '../../tools/build/running-app.ts'
import { AccessScreen } from '../screens/access.screen.ts'
import { LoginScreen } from '../screens/login.screen.ts'
import { watchTrouble } from '../trouble.ts'

const ADMIN = 'noor@customer.example'
const PASSWORD = 'C0ld#enough'

type Production = { app: RunningApp; admin: (...words: string[]) => Promise<string> }

/** Production on a fresh folder, and `npm run admin` on its machine. */
const test = base.extend<{ production: Production }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what is needed
  production: async ({}, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'frostline-first-customer-'))
    const app = await startApp({ dataDir, env: { SIMULATOR: 'off' } })
    const env = { ...process.env, DATA_DIR: dataDir }
    const admin = (...words: string[]) =>
      new Promise<string>((resolve, reject) =>
        execFile(process.execPath, ['server/admin-command.ts', ...words], { env }, (error, out) =>
          error ? reject(error) : resolve(out),
        ),
      )
    await use({ app, admin })
    await app.stop()
    rmSync(dataDir, { recursive: true, force: true })
  },
})

test('an empty server is set up: its administrator by a printed link', async ({ browser, production }) => {
  const context = await browser.newContext({ baseURL: production.app.url })
  const trouble = watchTrouble(context)
  const page = await context.newPage()
  const [login, access] = [new LoginScreen(page), new AccessScreen(page)]

  await test.step('sign-in says that there is no administrator, and offers nothing', async () => {
    await login.open()
    await expect(page.getByText('This server has no administrator yet.')).toBeVisible()
    await expect(login.demoAccounts).toHaveCount(0)
    for (const [w, h] of [
      [390, 800],
      [1280, 800],
    ] as const) {
      await page.setViewportSize({ width: w, height: h })
      await page.screenshot({ path: `/tmp/admin/login-${w}.png` })
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.waitForTimeout(300)
      await page.screenshot({ path: `/tmp/admin/login-${w}-dark.png` })
      await page.emulateMedia({ colorScheme: 'light' })
    }
  })

  await test.step('a link of the machine leads to a password, and in', async () => {
    const printed = await production.admin('create-admin', ADMIN, '--first-name', 'Noor')
    const link = /^https?:\S+$/m.exec(printed)?.[0] ?? ''
    expect(link).toContain(production.app.url)
    await access.open(link)
    await access.shows('valid')
    await access.choose(PASSWORD)
    await access.shows('done')
    await access.toLogin.click()
    await login.isShown()
    await expect(page.getByText('This server has no administrator yet.')).toHaveCount(0)
    await login.signIn(ADMIN, PASSWORD)
    await expect(page).toHaveURL(/\/admin\/companies$/)
    await expect(page.getByRole('heading', { name: 'Companies' })).toBeVisible()
  })

  await context.close()
  expect(trouble.unexpected()).toEqual([])
})

import { test as base, expect, type Page } from '@playwright/test'
import { isAccessible, LOOKS } from '../accessible.ts'
import { inside } from '../addresses.ts'
import { linkIn, type Production, startProduction } from '../production.ts'
import { AccessScreen } from '../screens/access.screen.ts'
import { CompaniesScreen } from '../screens/companies.screen.ts'
import { LoginScreen } from '../screens/login.screen.ts'
import { Shell } from '../screens/shell.screen.ts'
import { bringSession } from '../session.ts'
import { watchTrouble } from '../trouble.ts'

const ADMIN = 'noor@customer.example'
const MANAGER = 'amna@ravi.example'
const PASSWORD = 'C0ld#enough'
const COMPANY = 'Ravi Foods'

/** A company on the day it is made: a manager, and nothing else. */
const test = base.extend<object, { production: Production }>({
  production: [
    async ({ browser }, use) => {
      const production = await startProduction()
      const page = await browser.newPage({ baseURL: production.app.url })
      await production.admin('create-company', COMPANY)
      await choosePassword(
        page,
        linkIn(await production.admin('create-admin', ADMIN, '--first-name', 'Noor')),
      )
      await new LoginScreen(page).signIn(ADMIN, PASSWORD)
      const companies = new CompaniesScreen(page)
      await companies.choose(COMPANY)
      await companies.invite({ firstName: 'Amna', lastName: 'Malik', email: MANAGER, phone: '03001234567' })
      await expect.poll(async () => linkIn(await production.mailTo(MANAGER))).not.toBe('')
      await new Shell(page).logOut()
      await choosePassword(page, linkIn(await production.mailTo(MANAGER)))
      await page.close()
      await use(production)
      await production.end()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ production }, use) => use(production.app.url),
})

const DASHBOARD = ['/', '/?show=open'].map((path): [string, string] => [path, 'Dashboard'])

/** What each page says is missing where there is nothing yet, and where it leads to. */
const MISSING: Record<string, RegExp> = {
  '/': /No devices yet.*An administrator of the server adds them/,
  '/?show=open': /Nothing is open.*There are no devices yet/,
  '/devices': /No devices yet.*An administrator of the server adds them/,
  '/devices/add': /You may not add devices.*ask them for it/,
  '/loads': /Nothing is loaded.*Choose a device/,
  '/download/reports': /No data Found.*Choose a report/,
  '/notifications': /No Notifications Yet!/,
  '/help': /No contacts yet.*can have them added/,
  '/visualization/summary': /No devices are assigned to your group/,
}

for (const { colorScheme, width } of LOOKS)
  test.describe(`${colorScheme}, ${width} px wide`, () => {
    test.use({ colorScheme, viewport: { width, height: width === 390 ? 780 : 620 } })

    test('a manager whose company has nothing yet finds each page usable, and told what to do first', async ({
      page,
      context,
      production,
    }) => {
      const trouble = watchTrouble(context)
      await bringSession(page, production.app.url, MANAGER, PASSWORD)
      await page.goto('/')
      const shell = new Shell(page)
      for (const [path, heading] of [...DASHBOARD, ...ofThisCompany(await groupOf(page))]) {
        await shell.follow(path)
        await expect(shell.content.getByRole('heading', { name: heading }).first(), path).toBeAttached()
        await expect(page.locator('[aria-busy="true"]'), path).toHaveCount(0)
        await expect(page.getByRole('status', { name: 'Loading' }), path).toHaveCount(0)
        const missing = MISSING[path]
        if (missing) await expect(shell.content, path).toContainText(missing)
        await isAccessible(page)
      }
      expect(trouble.unexpected()).toEqual([])
    })
  })

/** Addresses inside, as this company has them: what is of the demo's, or of who looks back, is left out. */
const ofThisCompany = (groupId: string): [string, string | RegExp][] =>
  Object.entries(inside)
    .filter(([path]) => !/user-|indus-|asOf/.test(path))
    .map(([path, heading]) => [path.replace('indus', groupId), heading])

const groupOf = (page: Page): Promise<string> =>
  page.evaluate(() => (JSON.parse(localStorage.getItem('user') ?? '{}') as { groupId: string }).groupId)

async function choosePassword(page: Page, link: string): Promise<void> {
  const access = new AccessScreen(page)
  await access.open(link)
  await access.shows('valid')
  await access.choose(PASSWORD)
  await access.shows('done')
  await access.toLogin.click()
  await new LoginScreen(page).isShown()
}

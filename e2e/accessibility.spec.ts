import { SHARE_CALLS } from '#machines/contracts/calls/share-calls.ts'
import { isAccessible, LOOKS } from './accessible.ts'
import { administration, inside } from './addresses.ts'
import { expect, PASSWORD, SUPER_ADMIN, test, type Visitor } from './app.ts'

const DAY = 86_400_000

/** Looking back goes along from page to page, where nothing can be changed. */
const [BACK, NOW] = [true, false].map((isBack) =>
  Object.entries(inside).filter(([path]) => path.includes('asOf=') === isBack),
) as [Address[], Address[]]
type Address = [path: string, heading: string | RegExp]

test.use({ world: { of: 'accessibility', devices: 60 } })

test.beforeAll(async ({ app }) => app.sim.pause())

for (const { colorScheme, width } of LOOKS) {
  test.describe(`${colorScheme}, ${width} px wide`, () => {
    test.use({ colorScheme, viewport: { width, height: width === 390 ? 780 : 620 } })

    test('the way in', async ({ visitor }) => {
      await visitor.login.open()
      await expect(visitor.login.demoAccounts.getByRole('button').first()).toBeVisible()
      await visitor.login.login.click()
      await isAccessible(visitor.page)
      await visitor.page.goto('/error')
      await expect(visitor.page.getByRole('button', { name: 'Reload Page' })).toBeVisible()
      await isAccessible(visitor.page)
    })

    test('what stands around it', async ({ visitor, app }) => {
      visitor.trouble.allow(/404/)
      const { page, access } = visitor
      await page.goto('/forgot-password')
      await access.submit.click()
      await isAccessible(page)
      await access.requestMail('nobody@indus.example')
      await expect(page.getByRole('heading', { name: 'Request received' })).toBeVisible()
      await visitor.shell.says(/Please check/)
      await isAccessible(page)
      await page.goto('/confirm-code/operatorindus')
      await access.choose('Fr0st', '')
      await isAccessible(page)
      await page.goto('/user/activate/none')
      await access.shows('unknown')
      await isAccessible(page)
      await page.goto('/adminLogin')
      await expect(page.getByRole('heading', { name: 'This link does not let you in' })).toBeVisible()
      await isAccessible(page)
      await app.sim.requireReset('resetindus')
      await visitor.login.open()
      await visitor.login.signIn('reset@indus.example', PASSWORD)
      await expect(page).toHaveURL(/\/user\/reset$/)
      await access.password.fill('Fr0st#line25')
      await isAccessible(page)
    })

    test('an administrator, in a company and outside', async ({ visitor }) => {
      const { page, access } = visitor
      await visitor.login.open()
      await visitor.login.signIn(SUPER_ADMIN, PASSWORD)
      await expect(page.getByRole('button', { name: 'Enter Karakoram Foods' })).toBeVisible()
      await isAccessible(page)
      for (const [path, heading] of Object.entries(administration)) {
        await visitor.shell.follow(path)
        await expect(visitor.shell.content.getByRole('heading', { name: heading }).first()).toBeVisible()
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
        await isAccessible(page)
      }
      await page.getByRole('button', { name: 'Suspend' }).click()
      await expect(page.getByRole('dialog', { name: 'Suspend this company?' })).toBeVisible()
      await isAccessible(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'New key' }).click()
      await expect(page.getByRole('dialog', { name: 'New key' })).toBeVisible()
      await isAccessible(page)
      await page.keyboard.press('Escape')
      await access.open('/user/activate/none')
      await access.shows('refused')
      await isAccessible(page)
      await page.goto('/admin/companies')
      await access.enterCompany('Karakoram Foods')
      await expect(access.banner).toBeVisible()
      await visitor.shell.isLive()
      await isAccessible(page)
      for (const [path, heading] of [
        ['/devices', 'Devices'],
        ['/devices/add', 'Add Device'],
        ['/devices/import', 'Import Devices'],
        ['/company/keys', 'Keys'],
      ] as const) {
        await visitor.shell.follow(path)
        await expect(visitor.shell.content.getByRole('heading', { name: heading }).first()).toBeVisible()
        await isAccessible(page)
      }
    })

    test('the page of a device', async ({ signedInAt, app }) => {
      const [device] = await app.api.fleet()
      const { page } = await signedInAt(`/devices/${device?.imei}`)
      await expect(page.getByRole('heading', { name: 'Tracker', exact: true })).toBeVisible()
      await isAccessible(page)
    })

    test('the dashboard and what opens on it', async ({ operator, app }) => {
      await isAccessible(operator.page)
      const device = (await app.api.fleet()).find(({ type }) => type === 'vehicle')
      await operator.dashboard.select(device?.name ?? '')
      await isAccessible(operator.page)
      await opened(operator, /^Groups/, 'Groups')
      await opened(operator, /^Devices/, 'Devices')
      await operator.dashboard.pencil(device?.name ?? '')
      await isAccessible(operator.page)
      await operator.page.keyboard.press('Escape')
      await operator.page.keyboard.press('Control+k')
      await expect(operator.shell.palette).toBeVisible()
      await isAccessible(operator.page)
      await operator.page.keyboard.press('Escape')
      await operator.shell.userMenu.click()
      await expect(operator.page.getByRole('menu')).toBeVisible()
      await isAccessible(operator.page)
    })

    test('users, their forms, the account and help', async ({ signedIn: operator, app }) => {
      const { page, shell } = operator
      await page.goto('/users')
      await shell.content
        .getByRole('link', { name: /^Edit / })
        .first()
        .waitFor()
      await isAccessible(page)
      await shell.content
        .getByRole('button', { name: /^Delete / })
        .first()
        .click()
      await expect(page.getByRole('dialog', { name: 'Delete Record?' })).toBeVisible()
      await isAccessible(page)
      await page.keyboard.press('Escape')
      await shell.content
        .getByRole('link', { name: /^Edit / })
        .first()
        .click()
      await expect(page.getByRole('switch')).toHaveCount(15)
      await expect(page.getByRole('heading', { name: 'History' })).toBeVisible()
      await isAccessible(page)
      await shell.follow(`/users/create/${app.api.groupId}`)
      await page.getByRole('button', { name: 'Add User' }).click()
      await expect(page.getByText('User role is required')).toBeVisible()
      await isAccessible(page)
      await page.getByRole('button', { name: /^Group/ }).click()
      await expect(page.getByRole('listbox')).toBeVisible()
      await isAccessible(page)
      await shell.follow('/account')
      await expect(page.getByRole('slider')).toHaveCount(4)
      await expect(page.getByRole('switch')).toHaveCount(26)
      await isAccessible(page)
      await shell.follow(`/account/update/${app.api.groupId}`)
      await expect(page.getByRole('textbox', { name: 'Name' })).toBeVisible()
      await isAccessible(page)
      await shell.follow('/help')
      await expect(shell.content.getByRole('heading', { level: 2 }).first()).toBeVisible()
      await isAccessible(page)
    })

    test('each address, and one that leads nowhere', async ({ signedIn: operator, app }) => {
      const { page, shell } = operator
      const device = (await app.api.fleet()).find(({ thingStatus }) => thingStatus === 'online')
      await operator.history.open(device?.imei ?? '')
      // what came while it was not live yet is asked for once more, and is pale until then
      await shell.isLive()
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      await isAccessible(page)
      // that each opens where it is asked for first, every-address.spec.ts sees
      for (const [path, heading] of NOW) {
        await shell.follow(path)
        const shown = shell.content.getByRole('heading', { name: heading, exact: true })
        await expect(shown.first(), path).toBeVisible()
        await expect(page.locator('[aria-busy="true"]'), path).toHaveCount(0)
        await expect(page.getByRole('status', { name: 'Loading' }), path).toHaveCount(0)
        await isAccessible(page)
      }
      for (const [path, heading] of BACK) {
        await page.goto(path)
        await expect(shell.content.getByRole('heading', { name: heading }).first(), path).toBeVisible()
        await expect(page.locator('[aria-busy="true"]'), path).toHaveCount(0)
        await expect(page.getByRole('status', { name: 'Loading' }), path).toHaveCount(0)
        await isAccessible(page)
      }
      await page.goto('/nowhere')
      await expect(page.getByText('There is no such page')).toBeVisible()
      await isAccessible(page)
    })

    test('a proof that is shared, and the views that are kept', async ({ signedIn: operator, app }) => {
      const { page, shell } = operator
      const { now } = await app.sim.status()
      const device = (await app.api.fleet()).find(({ thingStatus }) => thingStatus === 'online')
      const { path } = await app.api.ask(SHARE_CALLS.makeShare, {
        params: { imei: device?.imei ?? '' },
        body: { startDate: now - DAY, endDate: now, days: 1 },
      })
      await page.goto(path)
      await expect(page.getByRole('heading', { name: device?.name ?? '' })).toBeVisible()
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      await isAccessible(page)
      await page.goto('/visualization/summary')
      await shell.userMenu.click()
      await page.getByRole('menuitem', { name: 'Saved views' }).click()
      await expect(page.getByRole('dialog', { name: 'Saved views' })).toBeVisible()
      await isAccessible(page)
    })
  })
}

async function opened({ page }: Visitor, button: RegExp, dialog: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await expect(page.getByRole('dialog', { name: dialog })).toBeVisible()
  await isAccessible(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: dialog })).toBeHidden()
}

import { isAccessible } from '../accessible.ts'
import { CALM, DESK, expect, test } from '../app.ts'

test.use({ world: CALM, viewport: DESK, isMapDrawn: false })

test.beforeAll(async ({ app }) => app.sim.pause())

test('Ctrl K goes to a page, a group and a device', async ({ operator, app }) => {
  const device = (await app.api.fleet()).find(({ type }) => type === 'vehicle')
  await operator.shell.goTo('Report Logs')
  await expect(operator.page).toHaveURL(/\/download\/reports$/)
  await operator.shell.goTo(device?.name ?? '')
  await expect(operator.page).toHaveURL(new RegExp(`/temperature/${device?.imei}$`))
  await operator.shell.goTo('Karachi')
  await operator.dashboard.isShown()
  const karachi = (await app.api.fleet()).filter(({ groupId }) => groupId?.startsWith('indus-karachi'))
  await expect.poll(() => operator.dashboard.count('Total')).toBe(karachi.length)
})

test('the palette says when nothing fits, and Esc closes it', async ({ signedInAt }) => {
  const operator = await signedInAt('/aboutus')
  await operator.shell.isLive()
  await operator.page.keyboard.press('Control+k')
  await expect(operator.shell.palette.getByRole('combobox')).toBeFocused()
  await operator.page.keyboard.type('no such thing')
  await expect(operator.shell.palette.getByText('Nothing is called “no such thing”.')).toBeVisible()
  await operator.page.keyboard.press('Escape')
  await expect(operator.shell.palette).toBeHidden()
})

test('/ searches the list, arrows walk it, Enter opens, Esc lets go', async ({ operator }) => {
  await operator.page.keyboard.press('/')
  await expect(operator.dashboard.find).toBeFocused()
  await operator.page.keyboard.press('ArrowDown')
  await expect(operator.dashboard.rows.nth(0).getByRole('button').first()).toBeFocused()
  await operator.page.keyboard.press('ArrowDown')
  await operator.page.keyboard.press('ArrowDown')
  await operator.page.keyboard.press('ArrowUp')
  await expect(operator.dashboard.list.locator('li[aria-posinset="2"] :focus')).toHaveCount(1)
  await operator.page.keyboard.press('End')
  const count = await operator.dashboard.rows.first().getAttribute('aria-setsize')
  await expect(operator.dashboard.list.locator(`li[aria-posinset="${count}"] :focus`)).toHaveCount(1)
  await operator.page.keyboard.press('Home')
  await operator.page.keyboard.press('Space')
  await expect(operator.dashboard.list.locator('[aria-current="true"]')).toHaveCount(1)
  await operator.page.keyboard.press('Escape')
  await expect(operator.dashboard.list.locator('[aria-current="true"]')).toHaveCount(0)
  await operator.page.keyboard.press('Enter')
  await expect(operator.page).toHaveURL(/\/temperature\/\d+$/)
})

test('? shows the keys, g and a letter goes to a page, r asks for a report of a row', async ({
  operator,
}) => {
  const { page, shell, dashboard } = operator
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keys' })
  await expect(keys).toContainText('Acknowledge')
  await isAccessible(page)
  await page.keyboard.press('Escape')
  await expect(keys).toBeHidden()
  await page.keyboard.type('gn')
  await expect(page).toHaveURL(/\/notifications$/)
  await expect(shell.content.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible()
  await page.keyboard.type('gd')
  await dashboard.isShown()
  await shell.isLive()
  await expect(page.getByRole('complementary', { name: 'Director' })).toBeHidden()
  await dashboard.find.press('ArrowDown')
  await page.keyboard.press('j')
  await page.keyboard.press('r')
  await expect(page).toHaveURL(/\/temperatureReport\?devices=\d+$/)
  await expect(page.getByText('The report will be of 1 device.')).toBeVisible()
})

test('Esc closes the top thing alone', async ({ operator, app }) => {
  const [device] = await app.api.fleet()
  await operator.dashboard.select(device?.name ?? '')
  await operator.page.getByRole('button', { name: `Edit ${device?.name}`, exact: true }).click()
  await expect(operator.dashboard.deviceUpdate).toBeVisible()
  await operator.page.keyboard.press('Escape')
  await expect(operator.dashboard.deviceUpdate).toBeHidden()
  await expect(operator.dashboard.list.locator('[aria-current="true"]')).toHaveCount(1)
})

test('who tabs in can skip to the content', async ({ signedInAt }) => {
  const operator = await signedInAt('/aboutus')
  await operator.shell.isLive()
  await operator.page.keyboard.press('Tab')
  await expect(operator.page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await operator.page.keyboard.press('Enter')
  await expect(operator.shell.content).toBeFocused()
})

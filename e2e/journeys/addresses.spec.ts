import { DESK, expect, test } from '../app.ts'

test.use({ world: { of: 'addresses', devices: 60 }, viewport: DESK })

test.beforeAll(async ({ app }) => app.sim.pause())

test('the dashboard is in its address: reloaded, linked, gone back over', async ({ operator, app }) => {
  const { page, dashboard } = operator
  const device = (await app.api.fleet())[0]
  if (device === undefined) throw new Error('The fleet is empty')
  await dashboard.isShown()
  expect(new URL(page.url()).search).toBe('')

  await dashboard.search(device.imei)
  await expect(page).toHaveURL(new RegExp(`\\?q=${device.imei}$`))
  await dashboard.line(device.name).click()
  await expect(page).toHaveURL(new RegExp(`&device=${device.imei}$`))
  await dashboard.search('')
  await expect(page).toHaveURL(new RegExp(`/\\?device=${device.imei}$`))
  await dashboard.pickGroups('Lahore')
  await expect(page).toHaveURL(/groups=[a-z-]+/)
  await dashboard.stats.getByRole('button', { name: /Online$/ }).click()
  await expect(page).toHaveURL(/status=online/)
  const shown = await dashboard.count('Total')
  const address = page.url()

  await page.reload()
  await expect.poll(() => dashboard.count('Total')).toBe(shown)
  await expect(dashboard.stats.getByRole('button', { name: /Online$/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  expect(page.url()).toBe(address)

  await page.goBack()
  await expect(page).not.toHaveURL(/status=/)
  await expect(dashboard.stats.getByRole('button', { name: /Online$/ })).toHaveAttribute(
    'aria-pressed',
    'false',
  )
})

test('Back steps through what was selected, Forward too', async ({ operator }) => {
  const { page, dashboard } = operator
  await dashboard.isShown()
  const steps = [page.url()]
  for (const row of [0, 1]) {
    await dashboard.rows.nth(row).getByRole('button').first().click()
    await expect(page).not.toHaveURL(steps.at(-1) ?? '')
    steps.push(page.url())
  }
  const [bare, first, second] = steps as [string, string, string]
  await page.goBack()
  await expect(page).toHaveURL(first)
  await expect(dashboard.rows.nth(0).getByRole('button').first()).toHaveAttribute('aria-current', 'true')
  await page.goBack()
  await expect(page).toHaveURL(bare)
  await expect(dashboard.markerCard).toBeHidden()
  await page.goForward()
  await page.goForward()
  await expect(page).toHaveURL(second)
  await expect(dashboard.rows.nth(1).getByRole('button').first()).toHaveAttribute('aria-current', 'true')
})

test('what an address asks for that is not there, or not theirs, falls away', async ({ operator }) => {
  const { page, dashboard } = operator
  await page.goto('/?status=broken&groups=nobodys&devices=999999999999999&device=123456789012345&q=')
  await dashboard.isShown()
  await expect(page).toHaveURL(/\/$/)
})

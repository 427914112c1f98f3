import { DESK, expect, OPERATOR, PASSWORD, test } from '../app.ts'
import { ObservationsScreen } from '../screens/observations.screen.ts'
import { bringSession } from '../session.ts'

test.use({ world: { of: 'addresses', devices: 60 }, viewport: DESK })

test.beforeAll(async ({ app }) => app.sim.pause())

test('the dashboard is in its address: reloaded, linked, gone back over', async ({ operator, app }) => {
  const { page, dashboard } = operator
  const fleet = await app.api.fleet()
  const [device] = fleet
  if (device === undefined) throw new Error('The fleet is empty')
  const inLahore = fleet.filter(({ groupId }) => groupId?.startsWith('indus-lahore')).length
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
  await expect.poll(() => dashboard.count('Total')).toBe(inLahore)
  const address = page.url()

  await page.reload()
  await expect.poll(() => dashboard.count('Total')).toBe(inLahore)
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

test('a link carries the columns and the order of the list, and keeps the own of who opens it', async ({
  operator,
  signedInAt,
}) => {
  const { page, dashboard } = operator
  await page.getByRole('button', { name: 'Worst first: order and columns' }).click()
  await page.getByRole('button', { name: 'Plate' }).last().click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Sort by Name' }).click()
  await expect(page).toHaveURL(/\?list=plate~name$/)
  const sorted = page.getByRole('button', { name: 'By name: order and columns' })
  await expect(sorted).toBeVisible()
  await page.goto('/aboutus')
  await page.goto('/')
  await expect(page, 'what was chosen is said by a bare address, too').toHaveURL(/\?list=plate~name$/)
  await signedInAt('/?list=group~-temperature')
  await expect(page.getByRole('button', { name: 'By temperature: order and columns' })).toBeVisible()
  await page.goto('/')
  await expect(sorted).toBeVisible()
  await expect(dashboard.rows.first()).toBeVisible()
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

test('what an address asks for that is not there, or not theirs, falls away', async ({ signedIn }) => {
  const { page, dashboard } = signedIn
  await page.goto('/?status=broken&groups=nobodys&devices=999999999999999&device=123456789012345&q=')
  await dashboard.isShown()
  await expect(page).toHaveURL(/\/$/)
})

test('a span of history and what is compared with it are in the address', async ({ signedIn, app }) => {
  const { page } = signedIn
  const [first, second] = await app.api.fleet()
  if (first === undefined || second === undefined) throw new Error('The fleet is too small')
  await page.goto(`/temperature/${first.imei}`)
  await page.getByRole('radio', { name: '1 h' }).click()
  await expect(page).toHaveURL(new RegExp(`/temperature/${first.imei}\\?span=hour$`))
  await page.goto(`/temperature/${first.imei}?span=night&with=${second.imei},${first.imei},nonsense`)
  await expect(page.getByRole('radio', { name: 'Last night' })).toBeChecked()
  await expect(page.getByRole('list', { name: 'Compared devices' })).toContainText(second.name)
  await page.getByRole('radio', { name: '24 h' }).click()
  await expect(page).toHaveURL(new RegExp(`\\?with=${second.imei}`))
  await page.goBack()
  await expect(page.getByRole('radio', { name: 'Last night' })).toBeChecked()
})

test('a searched list, a filtered one and a table of observations open again as they were', async ({
  signedIn,
  app,
}) => {
  const { page } = signedIn
  const device = (await app.api.fleet())[0]
  if (device === undefined) throw new Error('The fleet is empty')
  await page.goto('/devices')
  await page.getByRole('textbox', { name: 'Search devices' }).fill(device.imei)
  await expect(page).toHaveURL(new RegExp(`/devices\\?q=${device.imei}$`))
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Search devices' })).toHaveValue(device.imei)
  await expect(page.getByText(/^1 device$/)).toBeVisible()

  await page.goto('/visualization/violations?kinds=LOW_TEMPERATURE_DETECTED&group=nobodys')
  await expect(page.getByRole('button', { name: 'Violations 1 of 4' })).toBeVisible()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await expect(page).toHaveURL(/\?kinds=LOW_TEMPERATURE_DETECTED&date=[^&]+$/)

  const observations = new ObservationsScreen(page)
  await observations.open()
  await observations.pick(device.imei)
  await observations.find()
  await expect(observations.table).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`device=${device.imei}&start=[^&]+$`))
  await page.reload()
  await expect(observations.table).toBeVisible()
})

test('a page saved for the group is two presses away on another machine, too', async ({
  app,
  newVisitor,
  signedInAt,
}) => {
  const { page, shell } = await signedInAt('/?status=online&list=group~-temperature')
  await shell.openViews()
  const views = page.getByRole('dialog', { name: 'Saved views' })
  await views.getByRole('textbox', { name: 'Save this page as' }).fill('Warm ones online')
  await views.getByText('For everybody of the group').click()
  await page.keyboard.press('Enter')
  await shell.says('“Warm ones online” saved')
  await expect(views.getByRole('link', { name: /^Warm ones online/ })).toBeVisible()

  const colleague = await newVisitor()
  await bringSession(colleague.page, app.url, OPERATOR, PASSWORD)
  await colleague.page.goto('/aboutus')
  await colleague.shell.openViews()
  await colleague.page.getByRole('link', { name: /^Warm ones online/ }).click()
  await expect(colleague.page).toHaveURL(/\/\?status=online&list=group~-temperature$/)
  await expect(
    colleague.page.getByRole('button', { name: 'By temperature: order and columns' }),
  ).toBeVisible()
})

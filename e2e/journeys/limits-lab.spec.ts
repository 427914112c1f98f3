import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { isAccessible, LOOKS } from '../accessible.ts'
import { DESK, expect, test } from '../app.ts'
import { GroupsScreen } from '../screens/groups.screen.ts'
import { LimitsLabScreen } from '../screens/limits-lab.screen.ts'

test.use({ world: { of: 'limits-lab', devices: 80 }, viewport: DESK })

/** Of the demo's groups one that devices are directly in. */
const GROUP = 'indus-peshawar-chilled'

test.beforeAll(async ({ app }) => app.sim.pause())

test('limits are tried beside what is in force, kept under a link, and applied with their figures', async ({
  signedInAt,
  app,
}) => {
  const { page } = await signedInAt('/visualization/alarms')
  await expect(page.getByRole('list', { name: 'Figures' })).toBeVisible()
  await page.goto(`/limits-lab?group=${GROUP}`)
  const lab = new LimitsLabScreen(page)
  await lab.form.getByText('7 days').click()
  await lab.field(1, 'Delay').fill('5')
  await lab.button('Add a candidate').click()
  await lab.field(2, 'High').fill('-20')
  await lab.begin.click()
  await expect(lab.form.getByText('Must not be below the low threshold').first()).toBeVisible()
  await lab.field(2, 'High').fill('15')
  await lab.begin.click()
  await expect(lab.figures).toBeVisible()
  const counts = [await lab.figure('Raised', 0), await lab.figure('Raised', 1)]
  expect(counts.join(' ')).toMatch(/^\d+ \d+$/)
  await isAccessible(page)

  await page.reload()
  await expect(lab.figures).toBeVisible()
  expect([await lab.figure('Raised', 0), await lab.figure('Raised', 1)]).toEqual(counts)

  await lab.applyOf(1).click()
  await expect(lab.dialog).toContainText(`${counts[1]} alarm`)
  await isAccessible(page)
  await lab.dialog.getByRole('button', { name: 'Apply', exact: true }).click()
  await expect(page.getByText(/^In force from now on:/)).toContainText('after 5')
  const group = await app.api.ask(GROUP_CALLS.group, { params: { id: GROUP } })
  expect(group).toMatchObject({ violationDelaySeconds: 300, clearMarginTemperature: null })

  await page.goto(`/groups/${GROUP}/update`)
  await expect(page.getByLabel('Alarm delay')).toHaveValue('5')
  const newest = new GroupsScreen(page).history.getByRole('listitem').first()
  await expect(newest).toContainText('Alarm delay')
  await expect(newest).toContainText(new RegExp(`${counts[1]} alarms?`))
})

for (const { colorScheme, width } of LOOKS)
  test(`${colorScheme}, ${width} px: the health of alarms and the form of candidates can be used by all`, async ({
    signedInAt,
  }) => {
    const { page } = await signedInAt('/visualization/alarms')
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 780 })
    await expect(page.getByRole('list', { name: 'Figures' })).toBeVisible()
    await isAccessible(page)
    await page.goto(`/limits-lab?group=${GROUP}`)
    await expect(new LimitsLabScreen(page).begin).toBeVisible()
    await isAccessible(page)
  })

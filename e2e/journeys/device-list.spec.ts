import { DESK, expect, test } from '../app.ts'
import { makeGroup } from '../company.ts'

test.use({ world: { of: 'device-list', devices: 120 }, viewport: DESK })

const TWENTY = 20

test('twenty devices are moved to another group in six presses at most, and say so in the list', async ({
  operator,
  app,
}) => {
  const { page, dashboard } = operator
  await makeGroup(app.api, 'Night depot')
  const rows = dashboard.rows
  let presses = 0
  const press = async (act: () => Promise<void>): Promise<void> => {
    presses++
    await act()
  }
  await press(() => dashboard.find.press('ArrowDown'))
  await expect(rows.first().getByRole('button').first()).toBeFocused()
  // held down, the arrow is one press: it goes on until it is let go
  await press(async () => {
    await page.keyboard.down('Shift')
    for (let row = 1; row < TWENTY; row++) await page.keyboard.press('ArrowDown')
    await page.keyboard.up('Shift')
  })
  const bar = page.getByRole('toolbar', { name: 'What to do with the selected devices' })
  await expect(bar).toContainText('20 selected')
  await press(() => page.keyboard.press('m'))
  const asked = page.getByRole('dialog', { name: 'Move 20 devices to a group' })
  await press(() => asked.getByRole('combobox', { name: 'Search groups' }).fill('Night depot'))
  await press(() => page.keyboard.press('Enter'))
  await expect(asked.getByRole('button', { name: 'Move to Night depot' })).toBeFocused()
  await press(() => page.keyboard.press('Enter'))
  await expect(operator.shell.toasts.filter({ hasText: '20 devices moved to Night depot' })).toBeVisible()
  expect(presses).toBeLessThanOrEqual(6)

  await expect(bar).toBeHidden()
  await expect
    .poll(async () => (await app.api.fleet()).filter(({ groupName }) => groupName === 'Night depot').length)
    .toBe(TWENTY)
  await dashboard.pickGroups('Night depot')
  await expect(page.getByText('20 devices', { exact: true })).toBeVisible()
})

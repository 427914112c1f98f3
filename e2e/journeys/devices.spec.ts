import { DESK, expect, PASSWORD, test } from '../app.ts'

test.use({ world: { of: 'devices', devices: 60 }, viewport: DESK })

const imeiOf = (n: number): string => String(490_154_203_200_000 + n)
const GOOD = 497

const LIST = [
  'IMEI,Name,Plate,Type,Make and model,Group',
  ...Array.from({ length: GOOD }, (_, n) => `${imeiOf(n)},Truck ${n},LES-${n},vehicle,Hino 500,`),
  'not an imei,A,,,,',
  `${imeiOf(900)},,,,,`,
  `${imeiOf(901)},B,,,,Nowhere`,
].join('\n')

test('a super admin imports a list with bad lines, gives a device another tracker and retires it', async ({
  visitor,
}) => {
  const { page, login, access, dashboard } = visitor
  await login.open()
  await login.signIn('admin@frostline.example', PASSWORD)
  await access.enterCompany('Indus Cold Chain')
  await dashboard.isShown()

  await page.goto('/devices')
  await page.getByRole('link', { name: 'Import' }).click()
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'fleet.csv', mimeType: 'text/csv', buffer: Buffer.from(LIST) })
  const faults = page.getByRole('table', { name: 'Lines that cannot be taken' })
  await expect(faults.getByRole('row')).toContainText(['WHY', '499', '500', '501'])
  await page.getByRole('button', { name: 'Add the 497 good ones only' }).click()
  await expect(page.getByText('497 devices were added')).toBeVisible()

  // they are in the list of this window without a reload
  await page.getByRole('link', { name: 'Show devices' }).click()
  await page.getByLabel('Search devices').fill('Truck 42')
  await page.getByRole('link', { name: 'Truck 42', exact: true }).click()
  await page.getByRole('button', { name: 'Replace Tracker' }).click()
  await page.getByLabel('IMEI of the new tracker').fill(imeiOf(800))
  await page.getByRole('button', { name: 'Replace', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/devices/${imeiOf(800)}$`))
  await expect(page.getByRole('list', { name: 'Changes' })).toContainText(imeiOf(42))

  await page.getByRole('button', { name: 'Retire' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click()
  await expect(page).toHaveURL(/\/devices$/)
  await page.getByLabel('Search devices').fill(imeiOf(800))
  await expect(page.getByText('No data Found')).toBeVisible()
  // by the tracker it had at first, too
  await page.goto(`/devices/${imeiOf(42)}`)
  await expect(page.getByText('its readings are refused')).toBeVisible()
})

import { DESK, expect, PASSWORD, test } from '../app.ts'
import { DevicesScreen } from '../screens/devices.screen.ts'

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

  const devices = new DevicesScreen(page)
  await devices.open()
  await devices.chooseList('fleet.csv', LIST)
  await expect(devices.badLines).toContainText(['WHY', '499', '500', '501'])
  await devices.takeGoodLines(GOOD)

  // they are in the list of this window without a reload
  await page.getByRole('link', { name: 'Show devices' }).click()
  await devices.find('Truck 42')
  await devices.line('Truck 42').click()
  await page.getByRole('button', { name: 'Replace Tracker' }).click()
  await page.getByLabel('IMEI of the new tracker').fill(imeiOf(800))
  await page.getByRole('button', { name: 'Replace', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/devices/${imeiOf(800)}$`))
  await expect(page.getByRole('list', { name: 'Changes' })).toContainText(imeiOf(42))

  await page.getByRole('button', { name: 'Retire' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Retire' }).click()
  await expect(page).toHaveURL(/\/devices$/)
  await devices.find(imeiOf(800))
  await expect(page.getByText('No data Found')).toBeVisible()
  // by the tracker it had at first, too
  await page.goto(`/devices/${imeiOf(42)}`)
  await expect(page.getByText('its readings are refused')).toBeVisible()
})

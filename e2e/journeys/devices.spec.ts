import { DESK, expect, PASSWORD, SUPER_ADMIN, test } from '../app.ts'
import { location, login as login06 } from '../gt06.ts'
import { DevicesScreen } from '../screens/devices.screen.ts'
import { dialGt06 } from '../tracker.ts'

test.use({ world: { of: 'devices', devices: 60 }, viewport: DESK })

const imeiOf = (n: number): string => String(490_154_203_200_000 + n)
const GOOD = 497
const FRIEND = '490154203237518'
const HOUR = 3600_000

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
  await login.signIn(SUPER_ADMIN, PASSWORD)
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

test('a super admin adds one device, whose tracker keeps local time, and sees it in the list and what it sent', async ({
  visitor,
  app,
}) => {
  const { page, login, access, dashboard } = visitor
  const [taken] = await app.api.fleet()
  visitor.trouble.allow(/422/)
  await login.open()
  await login.signIn(SUPER_ADMIN, PASSWORD)
  await access.enterCompany('Indus Cold Chain')
  await dashboard.isShown()
  const devices = new DevicesScreen(page)
  await devices.open()
  await page.getByRole('link', { name: 'Add Device' }).click()

  await devices.submit.click()
  await expect(page.getByText('This field is required')).toHaveCount(2)
  await devices.name.fill('Reefer of a friend')
  await devices.imei.fill('12345')
  await devices.submit.click()
  await expect(page.getByText('15 digits are expected')).toBeVisible()
  await devices.imei.fill(taken?.imei ?? '')
  await devices.submit.click()
  await expect(page.getByText(`This IMEI is registered already: ${taken?.name}`)).toBeVisible()
  // one digit is mistyped: it is said, and kept from nobody
  await devices.imei.fill('490154203237519')
  await expect(page.getByText('The check digit does not fit: please compare with the label')).toBeVisible()
  await devices.imei.fill(FRIEND)
  await expect(page.getByText('15 digits, on the label of the tracker')).toBeVisible()
  await devices.keepClock('UTC+05:00')
  await devices.submit.click()

  await expect(page).toHaveURL(/\/devices$/)
  await devices.find(FRIEND)
  await devices.line('Reefer of a friend').click()
  await expect(page.getByText('It has not sent a reading yet.')).toBeVisible()
  await expect(devices.clock).toContainText('UTC+05:00')

  const { now } = await app.sim.status()
  const at = Math.floor(now / 1000) * 1000
  const tracker = await dialGt06(app.gt06Port, login06(FRIEND))
  tracker.send(location(at + 5 * HOUR, { lat: 31.52, lng: 74.35 }))
  const seen = async () => (await app.api.fleet()).find(({ imei }) => imei === FRIEND)?.timestamp
  await expect.poll(seen).toBe(new Date(at).toISOString())
  tracker.hangUp()
  await page.reload()
  await expect(page.getByText(/^Newest reading/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Sensors' })).toContainText('Position')
})

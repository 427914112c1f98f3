import { readFileSync } from 'node:fs'
import { type App, DESK, expect, PASSWORD, test } from '../app.ts'
import { LoadsScreen } from '../screens/loads.screen.ts'

test.use({ world: { of: 'loads', devices: 60 }, viewport: DESK })

const HOUR = 3600

/** A device that is cold as medicines are, and heard. */
async function coldDevice(app: App, other?: string) {
  const device = (await app.api.fleet()).find(
    ({ temperature, thingStatus, imei }) =>
      imei !== other &&
      thingStatus === 'online' &&
      temperature !== null &&
      temperature > 3 &&
      temperature < 7,
  )
  if (device === undefined) throw new Error('No device is between 3 and 7 °C')
  return device
}

test('a load is opened on a card, warmed, exhausted, told, reviewed and rejected, and its story is a PDF', async ({
  operator,
  app,
}) => {
  const { page, dashboard, history, trouble } = operator
  // tokens run out on the way and are renewed
  trouble.allow(/401/)
  const loads = new LoadsScreen(page)
  const { imei, name } = await coldDevice(app)
  await app.sim.pause()

  await test.step('it is opened on the card of its device', async () => {
    await dashboard.select(name)
    await loads.openLoad('Insulin, lot 7', 'Medicines 2–8 °C')
    await expect(loads.budget('Insulin, lot 7').first()).toBeVisible()
  })

  await test.step('warmed until its budget is exhausted, the card says to hold it', async () => {
    await app.sim.inject(imei, 'compressor-off', 8 * HOUR)
    await app.sim.advance(5 * HOUR)
    await expect(page.getByText('Exhausted: hold for review').first()).toBeVisible()
  })

  await test.step('it is told among the notifications', async () => {
    await page.goto(`/notifications?thing=${imei}`)
    await expect(page.getByRole('list', { name: 'Notifications', exact: true })).toContainText(
      'Budget exhausted',
    )
  })

  await test.step('the list says so first, and its address too', async () => {
    await loads.open('/loads?state=exhausted')
    await expect(loads.view('Exhausted')).toBeChecked()
    await expect(loads.row('Insulin, lot 7')).toContainText(name)
    await loads.openStory('Insulin, lot 7')
  })

  await test.step('it is reviewed and rejected with a reason', async () => {
    await loads.beginReview()
    await loads.decide('Reject', 'Above 15 °C: the maker says discard', PASSWORD)
    await expect(loads.summary).toContainText('Rejected')
    await expect(loads.summary).toContainText('Exhausted: rejected after review')
    await expect(loads.summary).toContainText('the maker says discard')
    await expect(loads.happened).toContainText('began the review')
    await expect(loads.happened).toContainText('The budget was exhausted')
  })

  await test.step('its story is a PDF', async () => {
    const file = await loads.pdf()
    expect(file.suggestedFilename()).toBe('load-Insulin-lot-7.pdf')
    expect(
      readFileSync(await file.path())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })

  await test.step('the page of its device shows how its budget went, and it is closed', async () => {
    await history.open(imei)
    await expect(page.getByRole('region', { name: 'Budgets of loads' })).toContainText('Insulin, lot 7')
    await page.getByRole('link', { name: 'Insulin, lot 7' }).first().click()
    await loads.close()
    await expect(loads.happened).toContainText('closed it')
  })
})

test('loads are opened by a list with bad lines, found by what they are called, and closed by the same sheet', async ({
  signedInAt,
  app,
}) => {
  const { page } = await signedInAt('/loads')
  const loads = new LoadsScreen(page)
  const { imei } = await coldDevice(app)
  const { imei: other } = await coldDevice(app, imei)
  const text = ['IMEI,Reference,Profile,Since', `${other},Order 4711,Chilled food,`, 'x,Order 4712,,'].join(
    '\n',
  )
  await loads.chooseList('loads.csv', text)
  await expect(page.getByRole('table', { name: 'Lines that cannot be taken' })).toContainText('3')
  await page.getByRole('button', { name: 'Take the 1 good one only' }).click()
  await expect(page.getByText('1 load opened, 1 line not taken.')).toBeVisible()
  await page.getByRole('link', { name: 'Show loads' }).click()
  await loads.search.fill('4711')
  await expect(loads.row('Order 4711')).toContainText('Chilled food')

  const sheet = [
    'IMEI,Reference,Profile,Close',
    `${other},Order 4711,Chilled food,yes`,
    `${other},Order 4713,Chilled food,`,
  ].join('\n')
  await page.getByRole('link', { name: 'Import a list' }).first().click()
  await loads.sendList('loads.csv', sheet)
  await expect(page.getByText('1 load opened, 1 closed.')).toBeVisible()
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await loads.sendList('loads.csv', sheet)
  await expect(page.getByText('0 loads opened, 2 lines were so already.')).toBeVisible()
  await loads.open('/loads?state=closed')
  await expect(loads.row('Order 4711')).toContainText('Closed')
})

test('a profile is changed and given to a group, and a load opened there has it', async ({
  signedInAt,
  app,
}) => {
  const { page } = await signedInAt('/profiles')
  const loads = new LoadsScreen(page)
  const { imei, groupId } = await coldDevice(app)
  await page.getByRole('link', { name: 'Chilled food' }).click()
  const rule = page.getByRole('region', { name: 'Rule 1' })
  await rule.getByLabel('Limit', { exact: true }).fill('6')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('list', { name: 'Versions' })).toContainText('Above 6 °C')
  await page.goto(`/devices/${imei}`)
  await page.getByRole('button', { name: /Loads opened from now on have/ }).click()
  await page.getByRole('option', { name: 'Chilled food' }).click()
  await expect(page.getByText('The profile was assigned')).toBeVisible()
  expect(groupId).not.toBe('')
  await page.goto(`/temperature/${imei}`)
  const close = page.getByRole('button', { name: /^Close load/ })
  await expect(page.getByRole('button', { name: 'Open a load' }).or(close)).toBeVisible()
  if (await close.isVisible()) {
    await close.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close the load' }).click()
  }
  await page.getByRole('button', { name: 'Open a load' }).click()
  await expect(page.getByRole('dialog')).toContainText('Chilled food')
  await page.getByRole('dialog').getByLabel('Reference').fill('Order 9')
  await page.keyboard.press('Enter')
  await expect(loads.budget('Order 9')).toBeVisible()
})

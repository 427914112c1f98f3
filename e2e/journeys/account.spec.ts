import sharp from 'sharp'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { DESK, expect, OPERATOR, test, type Visitor } from '../app.ts'
import { AccountScreen } from '../screens/account.screen.ts'

test.use({ world: { of: 'account', devices: 60 }, viewport: DESK, isMapDrawn: false })

test.beforeAll(({ app }) => app.sim.pause())

const UPDATED = 'Group Updated Successfully!'
const MEGABYTE = 1024 * 1024
/** s, longer than a limit may be passed before it counts */
const HALF_AN_HOUR = 1800

test('thresholds go with keys and with typing, and are the same in another browser at once', async ({
  signedIn: operator,
  newVisitor,
  app,
}) => {
  const account = new AccountScreen(operator.page)
  const { page, shell } = await beside(newVisitor)
  const other = new AccountScreen(page)
  await other.open()
  await shell.isLive()
  await account.open()
  const { highTemperatureThreshold: before } = await app.api.ask(GROUP_CALLS.group, {
    params: { id: app.api.groupId },
  })
  await account.thumb('Temperature', 'High').focus()
  await operator.page.keyboard.press('ArrowRight')
  await expect(account.typed('Temperature', 'High')).toHaveValue(`${before + 0.5}`)
  await account.typed('Temperature', 'Low').fill('-20,3')
  await account.saveBand('Temperature')
  await expect(operator.shell.toasts.filter({ hasText: UPDATED })).toBeVisible()
  await expect(other.typed('Temperature', 'High'), 'without a reload').toHaveValue(`${before + 0.5}`)
  await expect(other.typed('Temperature', 'Low')).toHaveValue('−20.3')
  const after = await app.api.ask(GROUP_CALLS.group, { params: { id: app.api.groupId } })
  expect([after.lowTemperatureThreshold, after.highTemperatureThreshold]).toEqual([-20.3, before + 0.5])
})

test('two forms that were changed ask once before Back leads away, and who stays goes on with both', async ({
  signedIn: { page, shell },
}) => {
  const account = new AccountScreen(page)
  await page.goto('/users')
  await shell.isLive()
  await shell.follow('/account')
  await account.typed('Temperature', 'High').fill('9')
  await account.typed('Humidity', 'High').fill('71')
  // a page holds Back up for who has done something on it
  await page.keyboard.press('Tab')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  const goBack = () => page.evaluate(() => history.back())
  await goBack()
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect(question).toHaveCount(0)
  await account.saveBand('Temperature')
  await expect(shell.toasts.filter({ hasText: UPDATED })).toBeVisible()
  await account.typed('Temperature', 'High').fill('10')
  await goBack()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/users$/)
  await expect(question).toHaveCount(0)
})

test('a device beyond its new limits is so on the dashboard of others', async ({
  signedIn: operator,
  newVisitor,
  app,
}) => {
  // a lorry may be where nobody hears it
  const device = (await app.api.fleet()).find(
    ({ type, thingStatus, temperature }) =>
      type !== 'vehicle' && thingStatus === 'online' && temperature !== null && temperature > -25,
  )
  if (device === undefined) throw new Error('No warehouse is warmer than a freezer')
  // The limits of a group are those of the devices directly in it.
  const { imei, name } = device
  await app.api.ask(DEVICE_CALLS.updateThing, {
    params: { imei },
    body: { name, groupId: app.api.groupId },
  })
  const other = await beside(newVisitor)
  await other.dashboard.search(imei)
  const account = new AccountScreen(operator.page)
  await account.open()
  await account.typed('Temperature', 'Low').fill('-30')
  await account.typed('Temperature', 'High').fill('-29')
  await account.saveBand('Temperature')
  await expect(operator.shell.toasts.filter({ hasText: UPDATED })).toBeVisible()
  await app.sim.advance(HALF_AN_HOUR)
  await expect(other.dashboard.line(name)).toContainText('Too hot')
})

test('thresholds out of bounds, crossed or no numbers are told at their ends', async ({
  signedIn: operator,
}) => {
  const account = new AccountScreen(operator.page)
  await account.open()
  const [low, high] = [account.typed('Humidity', 'Low'), account.typed('Humidity', 'High')]
  await low.fill('-41')
  await high.fill('damp')
  await account.saveBand('Humidity')
  for (const end of [low, high])
    await expect(end).toHaveAccessibleDescription('Must be between −40 % and 100 %')
  await low.fill('60')
  await high.fill('50')
  await account.saveBand('Humidity')
  await expect(high).toHaveAccessibleDescription('Must not be below the low threshold')
  await high.fill('95')
  await account.saveBand('Humidity')
  await expect(operator.shell.toasts.filter({ hasText: UPDATED })).toBeVisible()
})

test('sections fold, stay folded, and lose nothing that was typed', async ({ signedIn: operator }) => {
  const account = new AccountScreen(operator.page)
  await account.open()
  await account.typed('Humidity', 'Low').fill('33')
  const fold = operator.page.getByRole('button', { name: /^Humidity Threshold/ })
  await fold.click()
  await expect(account.typed('Humidity', 'Low')).toBeHidden()
  await fold.click()
  await expect(account.typed('Humidity', 'Low')).toHaveValue('33')
})

test('which violations reach one by SMS and e-mail is kept', async ({ signedIn: operator }) => {
  const account = new AccountScreen(operator.page)
  await account.open()
  const section = account.section('Notifications')
  const sms = section.getByRole('switch', { name: 'High temperature: SMS' })
  const was = await sms.isChecked()
  await section
    .getByRole('row', { name: /^High temperature/ })
    .getByRole('cell')
    .first()
    .locator('label')
    .click()
  await section.getByRole('button', { name: 'Save' }).click()
  await expect(
    operator.shell.toasts.filter({ hasText: 'Notification Settings has Updated Successfully!' }),
  ).toBeVisible()
  await operator.page.reload()
  await expect(sms).toBeChecked({ checked: !was })
})

test('a name and a picture are everywhere at once, in the header of others too', async ({
  signedIn: operator,
  newVisitor,
}) => {
  const other = new AccountScreen((await beside(newVisitor)).page)
  const account = new AccountScreen(operator.page)
  await account.open()
  await account.edit.click()
  await account.name.fill('Indus Cold Chain North')
  const picture = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#0a7ea4' } })
    .jpeg()
    .toBuffer()
  await account.picture.setInputFiles({ name: 'logo.jpg', mimeType: 'image/jpeg', buffer: picture })
  await expect(account.preview).toBeVisible()
  await account.save.click()
  await expect(operator.shell.toasts.filter({ hasText: UPDATED })).toBeVisible()
  await expect(operator.page).toHaveURL(/\/account$/)
  for (const { groupImage } of [account, other]) {
    await expect(groupImage).toHaveAccessibleName('Indus Cold Chain North, group settings')
    await expect(groupImage.locator('img')).toHaveAttribute('src', /\/api\/images\//)
  }
  const stored = await operator.page.evaluate(() => JSON.parse(localStorage.getItem('groupInfo') ?? '{}'))
  expect(stored).toMatchObject({
    name: 'Indus Cold Chain North',
    groupImage: expect.stringMatching(/images/),
  })
  await operator.page.reload()
  await expect(account.groupImage.locator('img')).toBeVisible()
})

test('a file that is none, lies or is too large is refused with its text, and nothing else is lost', async ({
  signedIn: operator,
}) => {
  operator.trouble.allow(/41[35]|blob:/)
  const account = new AccountScreen(operator.page)
  await account.open()
  await account.edit.click()
  const none = 'Invalid file format, please select an image!'
  const large = 'Please select an image less than the size of 5MB.'
  const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer })
  for (const [picked, text] of [
    [file('notes.txt', 'text/plain', Buffer.from('words')), none],
    [file('large.png', 'image/png', Buffer.alloc(5 * MEGABYTE)), large],
  ] as const) {
    await account.picture.setInputFiles(picked)
    await expect(operator.page.getByText(text), picked.name).toBeVisible()
  }
  for (const [picked, text] of [
    // a byte less passes here, and the server finds out that it is no picture
    [file('zeros.png', 'image/png', Buffer.alloc(5 * MEGABYTE - 1)), none],
    [file('liar.png', 'image/png', Buffer.from('#!/bin/sh')), none],
  ] as const) {
    await account.picture.setInputFiles(picked)
    await expect(operator.page.getByText(text)).toBeHidden()
    await account.save.click()
    await expect(operator.page.getByText(text), picked.name).toBeVisible()
    await expect(operator.page).toHaveURL(/\/account\/update\//)
  }
})

test('Help says whom to call', async ({ signedInAt }) => {
  const operator = await signedInAt('/account')
  await operator.shell.userMenu.click()
  await operator.page.getByRole('menuitem', { name: 'Help' }).click()
  const content = operator.shell.content
  await expect(content.getByRole('heading', { name: 'Emergency Help Line' })).toBeVisible()
  await expect(content.getByRole('heading', { name: 'Business Account Manager' })).toBeVisible()
  await expect(content.getByRole('link', { name: /^Phone:/ })).toHaveAttribute('href', /^tel:/)
  await expect(content.getByRole('link', { name: /^Email:/ }).first()).toHaveAttribute('href', /^mailto:/)
})

/** The same account in another browser. */
async function beside(newVisitor: () => Promise<Visitor>): Promise<Visitor> {
  const other = await newVisitor()
  await other.login.open()
  await other.login.pickDemoAccount(OPERATOR)
  await other.dashboard.isShown()
  await other.shell.isLive()
  return other
}

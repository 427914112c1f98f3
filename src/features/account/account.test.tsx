import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Route } from 'wouter'
import { groupOf } from '../../layout/testing/group-of.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import Account from './account.tsx'
import UpdateGroup from './update-group.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const group = groupOf('top', {
  name: 'Indus',
  users: 1,
  lowTemperatureThreshold: 2.3,
  tmin: -20,
  tmax: 30,
  hmin: 0,
  version: '1.0',
})
const PUT = 'PUT /groups/top'
const saved = (body: unknown) => ({ body: { ...group, ...(body as object), version: '2.0' } })

async function shown(at: string, server: Server = {}) {
  harness = await mountPage(
    <>
      <Route path="/account" component={Account} />
      <Route path="/account/update/:id" component={UpdateGroup} />
    </>,
    {
      at,
      server: { 'GET /groups/top': { body: group }, [PUT]: saved, ...server },
      fleet: createFleet((call) => call()),
    },
  )
}
const band = (quantity: string) => page.getByRole('region', { name: `${quantity} Threshold` })
const temperature = band('Temperature')
const high = temperature.getByRole('textbox', { name: 'High' })
const low = temperature.getByRole('textbox', { name: 'Low' })
const thumb = temperature.getByRole('slider', { name: /High/ })

test('sliders have the bounds of the company, and keys move them by a step', async () => {
  await shown('/account')
  const lowest = temperature.getByRole('slider', { name: /Low/ })
  await expect.element(lowest).toHaveAttribute('min', '-20')
  await expect.element(thumb).toHaveAttribute('max', '30')
  await expect.element(temperature.getByRole('button', { name: 'Save' })).toBeDisabled()
  ;(thumb.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(high).toHaveValue('8.5')
  // finer than a step, and not touched
  await expect.element(low).toHaveValue('2.3')
  await temperature.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => harness.toasts).toEqual(['Group Updated Successfully!'])
  const [call] = harness.calls(PUT)
  expect(call?.body).toEqual({ lowTemperatureThreshold: 2.3, highTemperatureThreshold: 8.5 })
  expect(call?.headers.get('if-match')).toBe('"1.0"')
})

test('a typed end moves its thumb; one that is no number is told, and nothing is sent', async () => {
  await shown('/account')
  await high.fill('12,5')
  await expect.element(thumb).toHaveValue('12.5')
  await high.fill('warm')
  await temperature.getByRole('button', { name: 'Save' }).click()
  await expect.element(high).toHaveAccessibleDescription('Must be between −20 °C and 30 °C')
  await expect.element(high).toHaveValue('warm')
  expect(harness.calls(PUT)).toEqual([])
})

test('a band without room for the margin in force is told, and nothing is sent', async () => {
  await shown('/account', { 'GET /groups/top': { body: { ...group, clearMarginTemperature: 3 } } })
  await high.fill('6')
  await temperature.getByRole('button', { name: 'Save' }).click()
  await expect
    .element(high)
    .toHaveAccessibleDescription('Must be at least twice the margin of 3 °C above the low one')
  expect(harness.calls(PUT)).toEqual([])
})

test('humidity changed meanwhile is no conflict for the temperature', async () => {
  const elsewhere = { ...group, lowHumidityThreshold: 45, version: '1.7' }
  let tries = 0
  await shown('/account', {
    [PUT]: (body) =>
      tries++ === 0
        ? { status: 412, body: { code: 412, message: 'x', current: elsewhere, by: null, at: null } }
        : saved(body),
  })
  await high.fill('9')
  await temperature.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => harness.toasts).toEqual(['Group Updated Successfully!'])
  expect(harness.calls(PUT).map(({ headers }) => headers.get('if-match'))).toEqual(['"1.0"', '"1.7"'])
})

test('two changed forms ask once whether to leave; who stays has both as they were', async () => {
  await shown('/account')
  await high.fill('9')
  await band('Humidity').getByRole('textbox', { name: 'High' }).fill('70')
  history.pushState(null, '', '/elsewhere')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect.element(question).not.toBeInTheDocument()
  await temperature.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => harness.toasts).toEqual(['Group Updated Successfully!'])
  await band('Humidity').getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => harness.calls(PUT)).toHaveLength(2)
})

test('what somebody else sets comes in while nothing is typed', async () => {
  let now = group
  await shown('/account', { 'GET /groups/top': () => ({ body: now }) })
  await expect.element(high).toHaveValue('8')
  now = { ...group, highTemperatureThreshold: 11, version: '3.0' }
  harness.change({ subject: 'groups', ids: ['top'] })
  await expect.element(high).toHaveValue('11')
})

describe('who outside keeps the proof', () => {
  const GET = 'GET /companies/indus/headAddress'
  const SAVE = 'PUT /companies/indus/headAddress'
  const nobody = { address: '', sends: null, mayChange: true, version: '0' }
  const section = page.getByRole('region', { name: 'Who keeps the proof' })
  const address = section.getByRole('textbox', { name: 'E-mail address' })

  test('is chosen, and it is said that they are asked first, get it, or want none', async () => {
    let now: object = nobody
    await shown('/account', {
      [GET]: () => ({ body: now }),
      [SAVE]: (body) => ({ body: { ...nobody, ...(body as object), sends: 'confirm', version: '1' } }),
    })
    await address.fill('auditor')
    await section.getByRole('button', { name: 'Save' }).click()
    await expect.element(address).toHaveAccessibleDescription('Invalid email address')
    expect(harness.calls(SAVE)).toEqual([])
    await address.fill('auditor@elsewhere.example')
    await section.getByRole('button', { name: 'Save' }).click()
    await expect
      .element(section.getByRole('status'))
      .toMatchTextContent(/was asked by mail and has not said yes/)
    const [call] = harness.calls(SAVE)
    expect([call?.body, call?.headers.get('if-match')]).toEqual([
      { address: 'auditor@elsewhere.example' },
      '"0"',
    ])
    for (const [sends, words] of [
      ['sent', 'auditor@elsewhere.example gets it each day.'],
      ['unsubscribed', /wants no mails of your company: nothing is sent/],
    ] as const) {
      now = { ...nobody, address: 'auditor@elsewhere.example', sends, version: '1' }
      harness.change({ subject: 'settings', ids: ['indus'] })
      await expect.element(section.getByRole('status')).toMatchTextContent(words)
    }
  })

  test('is not asked of who may not choose; what cannot be loaded is said', async () => {
    await shown('/account', { [GET]: { body: { ...nobody, mayChange: false } } })
    await expect.element(temperature).toBeVisible()
    await expect.element(section).not.toBeInTheDocument()
    harness.unmount()
    await shown('/account', { [GET]: { status: 500, body: { code: 500, message: 'x' } } })
    await expect.element(section.getByText('The address could not be loaded')).toBeVisible()
  })
})

test('a manager turns the daily proof off, beside what they are alerted of', async () => {
  const kinds = Object.fromEntries(
    ['LOW_TEMPERATURE', 'LOW_HUMIDITY', 'HIGH_TEMPERATURE', 'HIGH_HUMIDITY'].map((kind) => [
      `${kind}_DETECTED`,
      true,
    ]),
  )
  const alerts = { sms: kinds, email: kinds, type: 'Manager', version: '1.0' }
  const user = {
    ...{ _id: 'u1', firstName: 'Bilal', lastName: 'Khan', userName: 'bilal', email: 'b@indus.example' },
    ...{ phone: '', group: { _id: 'top', name: 'Indus', child: [] }, type: 'Manager', role: 'user' },
    ...{ smsSetting: kinds, emailSetting: kinds, activated: true, version: '1.0' },
  }
  await shown('/account', {
    'GET /users/u1': { body: user },
    'PUT /users/updateSmsEmailSetting/u1': { body: { ...alerts, email: { ...kinds, DAILY_HEAD: false } } },
  })
  const proof = page.getByRole('switch', { name: 'Daily proof of the record by e-mail' })
  await expect.element(proof).toBeChecked()
  await page.getByText('Daily proof of the record by e-mail').click()
  await page
    .getByRole('region', { name: 'Notifications', exact: true })
    .getByRole('button', { name: 'Save' })
    .click()
  await expect.element(proof).not.toBeChecked()
  const [call] = harness.calls('PUT /users/updateSmsEmailSetting/u1')
  expect(call?.body).toMatchObject({ email: { DAILY_HEAD: false, BUDGET_EXHAUSTED: true } })
})

const file = page.getByRole('button', { name: 'Choose Image' })
const pick = (chosen: File) =>
  userEvent.upload(document.querySelector('input[type=file]') as HTMLInputElement, chosen)
const save = page.getByRole('button', { name: 'Save' })

test('a file that is no image, or too large, is told before anything is sent', async () => {
  await shown('/account/update/top')
  await expect.element(file).toBeVisible()
  for (const [chosen, detail] of [
    [new File(['words'], 'a.txt', { type: 'text/plain' }), 'Invalid file format, please select an image!'],
    [
      new File([new Uint8Array(5 * 1024 * 1024)], 'a.png', { type: 'image/png' }),
      'Please select an image less than the size of 5MB.',
    ],
  ] as const) {
    await pick(chosen)
    await expect.element(page.getByText(detail)).toBeVisible()
    await save.click()
    await expect.element(page.getByText(detail)).toBeVisible()
  }
  expect(harness.requests.filter(({ call }) => call.startsWith('PUT'))).toEqual([])
})

test('what the server finds to be no picture is told at the image, and the name is not changed', async () => {
  const message = 'Invalid file format, please select an image!'
  await shown('/account/update/top', {
    'PUT /groups/top/image': { status: 415, body: { code: 415, message, path: 'file' } },
  })
  await page.getByRole('textbox', { name: 'Name' }).fill('Indus North')
  await pick(new File(['lies'], 'a.png', { type: 'image/png' }))
  await save.click()
  await expect.element(page.getByText(message)).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Indus North')
  expect(harness.calls(PUT)).toEqual([])
})

test('a company of any name gives its group a picture', async () => {
  const ravi = { ...group, name: 'Ravi Foods (Pvt.) Ltd.' }
  const pictured = { ...ravi, image: '/api/images/x', version: '2.0' }
  await shown('/account/update/top', {
    'GET /groups/top': { body: ravi },
    'PUT /groups/top/image': { body: pictured },
  })
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue(ravi.name)
  await pick(new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'a.svg', { type: 'image/svg+xml' }))
  await save.click()
  await expect.poll(() => harness.toasts).toEqual(['Group Updated Successfully!'])
  expect(harness.calls(PUT)).toEqual([])
})

test('a picture and a name are saved one on top of the other, and lead back', async () => {
  const pictured = { ...group, image: '/api/images/x', version: '2.0' }
  await shown('/account/update/top', { 'PUT /groups/top/image': { body: pictured } })
  await page.getByRole('textbox', { name: 'Name' }).fill('Indus North')
  await pick(new File(['<svg xmlns="http://www.w3.org/2000/svg"/>'], 'a.svg', { type: 'image/svg+xml' }))
  await save.click()
  await expect.poll(() => harness.toasts).toEqual(['Group Updated Successfully!'])
  const [image] = harness.calls('PUT /groups/top/image')
  expect(image?.body instanceof FormData && image.body.get('file')).toBeInstanceOf(File)
  expect(image?.headers.get('if-match')).toBe('"1.0"')
  const [name] = harness.calls(PUT)
  expect([name?.body, name?.headers.get('if-match')]).toEqual([{ name: 'Indus North' }, '"2.0"'])
  await expect.poll(() => harness.went().at(-1)).toBe('/account')
})

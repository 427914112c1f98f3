import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Route } from 'wouter'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { plainGroup, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import NewUser from './new-user.tsx'
import { userOf } from './testing.ts'
import UpdateUser from './update-user.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const POST = 'POST /users'
const PUT = 'PUT /users/u2'
const hina = userOf('u2', { firstName: 'Hina', lastName: 'Malik', phone: '+92 300 5550127' })
const found: Server = {
  'GET /users/u2': { body: hina },
  'GET /users/u2/history': { status: 403, body: { code: 403, message: 'For managers' } },
  'GET /users/u2/notifications/settings': 'hang',
}

const visitor = (newUserType: string): Server[string] => ({
  body: {
    ...{ _id: 'u1', name: 'Bilal Ahmed', userName: 'bilal', groupId: 'top', companyId: 'indus' },
    ...{ exp: 2e9, companyName: 'Indus', superAdmin: false, handoff: false, newUserType },
  },
})
const groups = snapshotOf(1, [], [plainGroup('top'), plainGroup('lahore', 'top')])

async function shown(at: string, server: Server = {}, isFleetThere = true) {
  const fleet = createFleet((call) => call())
  if (isFleetThere) fleet.load(groups)
  harness = await mountPage(
    <>
      <Route path="/users/create/:id" component={NewUser} />
      <Route path="/user/update/:id" component={UpdateUser} />
    </>,
    { at, server: { 'GET /auth/me': visitor('Manager'), ...server }, fleet },
  )
  return fleet
}
const field = (name: string) => page.getByRole('textbox', { name })
const add = page.getByRole('button', { name: 'Add User' })
const save = page.getByRole('button', { name: 'Save' }).first()

async function choose(label: RegExp, option: string) {
  await page.getByRole('button', { name: label }).click()
  await page.getByRole('option', { name: option }).click()
}
async function filled() {
  await field('First Name').fill(' Sana ')
  await field('Last Name').fill('Iqbal')
  await field('Email').fill(' sana@indus.example ')
  await field('Phone').fill('+92 300 1234567')
  await field('User Name').fill('sana')
  await choose(/^Role|Role$/, 'Operator')
}

test('begins as a Manager of the group it was opened for, and lacks the rest', async () => {
  await shown('/users/create/top')
  await add.click()
  await expect.poll(() => page.getByText('This field is required').elements().length).toBe(5)
  await expect.element(page.getByText('User role is required')).toBeVisible()
  await expect.element(field('First Name')).toHaveFocus()
  await expect.element(page.getByRole('button', { name: /Manager/ })).toBeVisible()
  await expect.element(page.getByRole('button', { name: /Group.*top/ })).toBeVisible()
  expect(harness.calls(POST)).toHaveLength(0)
})

test('who makes no managers begins with a user', async () => {
  await shown('/users/create/top', { 'GET /auth/me': visitor('User') })
  await expect.element(page.getByRole('button', { name: /^User.*Type|^Type.*User/ })).toBeVisible()
  await expect.element(page.getByRole('button', { name: /Manager/ })).not.toBeInTheDocument()
})

test('the form waits for the fleet, and what is typed then stays whatever becomes of the group', async () => {
  const fleet = await shown('/users/create/lahore', {}, false)
  await expect.element(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  expect(field('First Name').elements()).toEqual([])
  fleet.load(groups)
  await field('First Name').fill('Sana')
  await expect.element(page.getByRole('button', { name: /Group.*lahore/ })).toBeVisible()
  fleet.load(snapshotOf(2, [], [plainGroup('top')]))
  await expect.element(page.getByRole('button', { name: /Group.*lahore/ })).not.toBeInTheDocument()
  await expect.element(field('First Name')).toHaveValue('Sana')
})

test('a group out of scope is none: one has to be chosen', async () => {
  await shown('/users/create/elsewhere')
  await add.click()
  await expect.element(page.getByText('Please select a group')).toBeVisible()
  await choose(/^Group/, 'lahore')
  await expect.element(page.getByText('Please select a group')).not.toBeInTheDocument()
})

test('a group that went while the form was filled in is to be chosen anew', async () => {
  const fleet = await shown('/users/create/lahore')
  await filled()
  fleet.load(snapshotOf(2, [], [plainGroup('top')]))
  await add.click()
  await expect.element(page.getByText('Please select a group')).toBeVisible()
  expect(harness.calls(POST)).toEqual([])
})

test('is sent trimmed, with the phone as it is kept, once however often it is pressed', async () => {
  await shown('/users/create/top', { [POST]: 'hang' })
  await filled()
  await expect.element(field('Phone')).toHaveValue('03001234567')
  await field('Last Name').click()
  await userEvent.keyboard('{Enter}{Enter}')
  await expect.poll(() => harness.calls(POST).length).toBe(1)
  expect(harness.calls(POST)[0]?.body).toEqual({
    firstName: 'Sana',
    lastName: 'Iqbal',
    userName: 'sana',
    email: 'sana@indus.example',
    phone: '03001234567',
    groupId: 'top',
    type: 'Manager',
    role: 'operator',
  })
})

test('made, it says so and leads back to the list', async () => {
  await shown('/users/create/top', {
    [POST]: { status: 201, body: { code: 'success', message: 'User created successfully!' } },
  })
  await filled()
  await add.click()
  await expect.poll(() => harness.toasts).toEqual(['User created successfully!'])
  await expect.poll(() => harness.went().at(-1)).toBe('/users')
})

test('an address that is taken is told at its field, and nothing typed is lost', async () => {
  const message = 'A user with this email already exists'
  await shown('/users/create/top', {
    [POST]: { status: 409, body: { code: 'error', message, errors: [{ path: 'email', message }] } },
  })
  await filled()
  await add.click()
  await expect.element(field('Email')).toHaveAccessibleDescription(message)
  await expect.element(field('Email')).toHaveFocus()
  await expect.element(field('First Name')).toHaveValue(' Sana ')
})

test('a phone with a country code that stays too long is a toast too', async () => {
  await shown('/users/create/top')
  await filled()
  await field('Phone').fill('+92 300 1234567 89')
  await add.click()
  await expect.element(field('Phone')).toHaveAccessibleDescription('Invalid phone number')
  expect(harness.toasts).toEqual(['Invalid phone number'])
  await field('Phone').fill('030012345678')
  await add.click()
  await expect.element(field('Phone')).toHaveAccessibleDescription('Max 11 characters are allowed in phone')
  expect(harness.toasts).toHaveLength(1)
})

test('an update names the version it was made of, and says so', async () => {
  await shown('/user/update/u2', { ...found, [PUT]: { body: { ...hina, firstName: 'Hina Noor' } } })
  await field('First Name').fill('Hina Noor')
  await save.click()
  await expect.poll(() => harness.toasts).toEqual(['User updated successfully!'])
  const [call] = harness.calls(PUT)
  expect(call?.headers.get('if-match')).toBe('"1.0"')
  expect(call?.body).toEqual({
    firstName: 'Hina Noor',
    lastName: 'Malik',
    phone: '03005550127',
    role: 'user',
    groupId: 'top',
  })
  await expect.poll(() => harness.went().at(-1)).toBe('/users')
})

test('two who change the same see both versions, and the second keeps what they choose', async () => {
  const theirs = { ...hina, lastName: 'Malik Shah', version: '2.0' }
  let tries = 0
  await shown('/user/update/u2', {
    ...found,
    [PUT]: () =>
      tries++ === 0
        ? {
            status: 412,
            body: { code: 412, message: 'x', current: theirs, by: { _id: 'u9', name: 'Usman' }, at: null },
          }
        : { body: theirs },
  })
  await field('Last Name').fill('Malik Noor')
  await save.click()
  const dialog = page.getByRole('dialog', { name: 'Changed meanwhile' })
  await expect.element(dialog).toMatchTextContent(/Usman.*Malik Noor.*Malik Shah/)
  await dialog.getByRole('button', { name: 'Save what is chosen' }).click()
  await expect.poll(() => harness.toasts).toEqual(['User updated successfully!'])
  expect(harness.calls(PUT)[1]?.headers.get('if-match')).toBe('"2.0"')
  expect(harness.calls(PUT)[1]?.body).toMatchObject({ lastName: 'Malik Noor' })
})

test('another name of one’s own is that of the session from then on, and nobody else’s is', async () => {
  const me = userOf('u1', { firstName: 'Bilal', lastName: 'Ahmed' })
  const named = () => harness.root.session.getSnapshot().context.session?.user.name
  await shown('/user/update/u2', { ...found, [PUT]: { body: { ...hina, firstName: 'Hina Noor' } } })
  await field('First Name').fill('Hina Noor')
  await save.click()
  await expect.poll(() => harness.toasts).toEqual(['User updated successfully!'])
  expect(named()).toBe('Bilal')
  harness.unmount()
  await shown('/user/update/u1', {
    'GET /users/u1': { body: me },
    'GET /users/u1/history': { status: 403, body: { code: 403, message: 'For managers' } },
    'GET /users/u1/notifications/settings': 'hang',
    'PUT /users/u1': { body: { ...me, lastName: 'Khan', version: '2.0' } },
  })
  await field('Last Name').fill('Khan')
  await save.click()
  await expect.poll(named).toBe('Bilal Khan')
})

test('nobody moves themselves to another group', async () => {
  await shown('/user/update/u1', {
    'GET /users/u1': { body: userOf('u1') },
    'GET /users/u1/history': { status: 403, body: { code: 403, message: 'For managers' } },
    'GET /users/u1/notifications/settings': 'hang',
  })
  await expect.element(page.getByRole('button', { name: /^Group/ })).toBeDisabled()
})

test('all fifteen settings are there; what is switched is saved with the rest', async () => {
  const names = [
    'geoFenceEntry',
    'geoFenceExit',
    'harshAcceleration',
    'harshBrake',
    'overSpeeding',
    'sharpTurn',
    'vehicleMoving',
    'vehicleParked',
    'vehicleOffline',
    'vehicleOnline',
    'unfasten_seatbelt',
    'engineKilled',
    'engineReleased',
    'warningPopup',
    'buzzer',
  ]
  const settings = Object.fromEntries(names.map((name) => [name, true]))
  const call = 'PUT /users/u2/notifications/settings'
  await shown('/user/update/u2', {
    ...found,
    'GET /users/u2/notifications/settings': { body: { ...settings, version: '1.4' } },
    [call]: (body) => ({ body: { ...(body as object), version: '1.5' } }),
  })
  await expect.poll(() => page.getByRole('switch').elements().length).toBe(15)
  const saveSettings = page.getByRole('button', { name: 'Save' }).last()
  await expect.element(saveSettings).toBeDisabled()
  await expect
    .element(page.getByRole('group', { name: 'Driving' }))
    .toHaveAccessibleDescription(/^No device of the fleet reports acceleration/)
  await expect
    .element(page.getByRole('group', { name: 'Popups and buzzer' }))
    .not.toHaveAccessibleDescription()
  await page.getByText('Sound the buzzer').click()
  await saveSettings.click()
  await expect.poll(() => harness.toasts).toEqual(['Notification Settings has Updated Successfully!'])
  expect(harness.calls(call)[0]?.body).toEqual({ ...settings, buzzer: false })
  expect(harness.calls(call)[0]?.headers.get('if-match')).toBe('"1.4"')
})

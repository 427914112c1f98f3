import { USER_CALLS } from '#machines/contracts/calls/user-calls.ts'
import { type App, DESK, expect, PASSWORD, test } from '../app.ts'
import { invite, mailTo, newUser, tokenOf } from '../people.ts'
import { UsersScreen } from '../screens/users.screen.ts'
import { isListening } from '../session.ts'

test.use({ world: { of: 'users', devices: 60 }, viewport: DESK, isMapDrawn: false })

const NEW = {
  'First Name': ' Zainab ',
  'Last Name': 'Iqbal',
  Email: ' zainab@indus.example ',
  Phone: '+92 300 1234567',
  'User Name': 'zainab',
} as const

test('a new user gets a mail, activates their account, signs in, and is seen to by everybody', async ({
  signedIn: operator,
  newVisitor,
  app,
}) => {
  const users = new UsersScreen(operator.page)
  await users.open()
  await users.add.click()
  await users.fill(NEW)
  await users.choose('Role', 'Operator')
  await users.pickGroup('Lahore Frozen Fleet')
  await users.create.click()
  await expect(operator.shell.toasts.filter({ hasText: 'User created successfully!' })).toBeVisible()
  await expect(users.row('Zainab Iqbal')).toContainText('not activated yet')
  await expect(users.row('Zainab Iqbal')).toContainText('03001234567')
  await expect(users.row('Zainab Iqbal')).toContainText('Lahore Frozen')

  const zainab = await newVisitor()
  const email = 'zainab@indus.example'
  await zainab.access.open(await linkTo(app, email))
  await zainab.access.shows('valid')
  await zainab.access.choose(PASSWORD)
  await zainab.access.shows('done')
  await zainab.login.open()
  await zainab.login.signIn(email, PASSWORD)
  await expect(zainab.shell.userMenu).toBeVisible()
  await expect(users.row('Zainab Iqbal'), 'without a reload').not.toContainText('not activated yet')
})

test('each field says what is wrong with it', async ({ signedIn: operator }) => {
  const users = new UsersScreen(operator.page)
  await operator.page.goto('/users/create/nowhere')
  await users.create.click()
  for (const name of ['First Name', 'Last Name', 'Email', 'Phone', 'User Name'] as const)
    await users.says(name, 'This field is required')
  await expect(operator.page.getByText('User role is required')).toBeVisible()
  await expect(operator.page.getByText('Please select a group')).toBeVisible()
  await expect(operator.page.getByRole('button', { name: /Type$/ })).toContainText('Manager')

  await users.fill({
    'First Name': 'Za!nab',
    'Last Name': 'I_q',
    Email: 'nobody',
    Phone: '+9230012345678',
    'User Name': 'za inab',
  })
  await users.create.click()
  await users.says('First Name', 'Firstname should be alphanumeric')
  await users.says('Last Name', 'Lastname should be alphanumeric')
  await users.says('Email', 'Invalid email!')
  await users.says('Phone', 'Invalid phone number')
  await users.says('User Name', 'Spaces not allowed in user name')
  await expect(operator.shell.toasts.filter({ hasText: 'Invalid phone number' })).toBeVisible()

  const long = 'a'.repeat(31)
  await users.fill({ 'First Name': long, 'Last Name': long, Phone: '030012345678', 'User Name': long })
  await users.create.click()
  await users.says('First Name', 'Max 20 characters are allowed in firstname')
  await users.says('Last Name', 'Max 20 characters are allowed in lastname')
  await users.says('Phone', 'Max 11 characters are allowed in phone')
  await users.says('User Name', 'Max 30 characters are allowed in user name')
})

test('who has not activated their account is sent another link, and the first one is void', async ({
  signedIn: operator,
  newVisitor,
  app,
}) => {
  const users = new UsersScreen(operator.page)
  const { email } = await invite(app)
  const first = await linkTo(app, email)
  await users.open()
  await users.row(email).getByRole('button', { name: 'Resend Link' }).click()
  await expect(operator.shell.toasts).toHaveCount(1)
  const second = await linkTo(app, email, 2)
  const invited = await newVisitor()
  await invited.access.open(first)
  await invited.access.shows('expired')
  await invited.access.open(second)
  await invited.access.shows('valid')
})

test('deleted, somebody is out at once, wherever they are', async ({
  signedIn: operator,
  newVisitor,
  app,
}) => {
  const { email } = await newUser(app)
  const other = await newVisitor()
  other.trouble.allow(/401/)
  await other.login.open()
  const listening = isListening(other.page)
  await other.login.signIn(email, PASSWORD)
  await other.shell.isLive()
  await listening
  const users = new UsersScreen(operator.page)
  await users.open()
  await expect(users.row('operator@indus.example').getByRole('button', { name: /^Delete/ })).toHaveCount(0)
  await users
    .row(email)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await users.deletion.getByRole('button', { name: 'Cancel' }).click()
  await expect(users.row(email)).toBeVisible()
  await users
    .row(email)
    .getByRole('button', { name: /^Delete/ })
    .click()
  // The page of who is out begins anew half a second later; a window closed meanwhile may hang.
  const begunAnew = other.page.waitForEvent('load')
  await users.deletion.getByRole('button', { name: 'Confirm Delete' }).click()
  await expect(operator.shell.toasts.filter({ hasText: 'User deleted Successfully' })).toBeVisible()
  await expect(users.row(email)).toHaveCount(0)
  await begunAnew
  await other.login.isShown()
  await users.search.fill(email)
  await expect(operator.page.getByText('No data Found')).toBeVisible()
})

test('moved to another group, somebody is there in the portal they have open', async ({
  newVisitor,
  app,
}) => {
  const { id, email } = await newUser(app)
  const moved = await newVisitor()
  // what is asked with the token of before is refused, and so is what it was asked about
  moved.trouble.allow(/40[14]/)
  await moved.login.open()
  const listening = isListening(moved.page)
  await moved.login.signIn(email, PASSWORD)
  await moved.shell.isLive()
  await listening
  const fleet = await moved.dashboard.count('Total')
  const begunAnew = moved.page.waitForEvent('load')
  await app.api.ask(USER_CALLS.updateUser, {
    params: { id },
    body: { firstName: 'Sana', lastName: 'Mir', phone: '03001234567', groupId: 'indus-lahore' },
  })
  await begunAnew
  await moved.shell.isLive()
  await expect(moved.page.getByRole('banner').getByLabel('Lahore, group settings')).toBeVisible()
  await expect.poll(() => moved.dashboard.count('Total')).toBeLessThan(fleet)
})

test('two who change the same user lose nothing, and it is remembered who did what', async ({
  signedIn: operator,
  newVisitor,
  app,
}) => {
  operator.trouble.allow(/412/)
  const { id } = await newUser(app)
  const users = new UsersScreen(operator.page)
  await users.openForm(id)
  await users.field('First Name').fill('Sanam')
  const colleague = await newVisitor()
  await colleague.login.open()
  await colleague.login.pickDemoAccount('operator@indus.example')
  await colleague.dashboard.isShown()
  const theirs = new UsersScreen(colleague.page)
  await theirs.openForm(id)
  await theirs.field('Last Name').fill('Miraj')
  await theirs.save.click()
  await expect(colleague.shell.toasts.filter({ hasText: 'User updated successfully!' })).toBeVisible()

  await users.save.click()
  await expect(users.conflict).toContainText('Miraj')
  await users.conflict.getByRole('button', { name: 'Save what is chosen' }).click()
  await expect(operator.page).toHaveURL(/\/users$/)
  await expect(users.row('Sanam Miraj')).toBeVisible()
  await users.openForm(id)
  await expect(users.history).toContainText('Imran Qureshi')
  await expect(users.history).toContainText('Sanam')
})

test('what somebody is told about is switched for them', async ({ signedIn: operator, app }) => {
  const { id } = await newUser(app)
  const users = new UsersScreen(operator.page)
  await users.openForm(id)
  await expect(operator.page.getByRole('switch')).toHaveCount(15)
  await operator.page.getByText('Sound the buzzer').click()
  await operator.page.getByRole('button', { name: 'Save' }).last().click()
  await expect(
    operator.shell.toasts.filter({ hasText: 'Notification Settings has Updated Successfully!' }),
  ).toBeVisible()
  await operator.page.reload()
  await expect(operator.page.getByRole('switch', { name: 'Sound the buzzer' })).not.toBeChecked()
  await expect(operator.page.getByRole('switch', { name: 'Over-speeding' })).toBeChecked()
})

/** The address in the newest mail to somebody, as soon as they have had so many. */
async function linkTo(app: App, email: string, mails = 1): Promise<string> {
  return `/user/activate/${tokenOf(await mailTo(app, { email }, mails))}`
}

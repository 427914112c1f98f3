import { DESK, expect, OPERATOR, PASSWORD, test } from '../app.ts'
import { dial } from '../tracker.ts'

test.use({ world: { of: 'companies', devices: 24 }, viewport: DESK })

const SUPER_ADMIN = 'admin@frostline.example'
const STRANGER = '490154203209001'

test('a super admin makes a company, invites its manager, makes a key, suspends it with a reason and resumes it', async ({
  visitor,
  newVisitor,
  app,
}) => {
  const { page, login } = visitor
  await login.open()
  await login.signIn(SUPER_ADMIN, PASSWORD)
  await page.getByRole('link', { name: 'Add Company' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Ravi Foods')
  await page.getByLabel('Days that readings are kept').fill('30')
  await page.locator('button[type=submit]').click()
  await page.getByRole('link', { name: 'Ravi Foods' }).click()
  await expect(page.getByRole('heading', { name: 'Ravi Foods' })).toBeVisible()
  await expect(page.getByLabel('Days that readings are kept')).toHaveValue('30')
  await expect(page.getByText('no reading yet')).toBeVisible()

  await page.getByRole('button', { name: 'Invite a manager' }).click()
  const invitation = page.getByRole('dialog', { name: 'Invite a manager' })
  await invitation.getByLabel('First name').fill('Amna')
  await invitation.getByLabel('Last name').fill('Malik')
  await invitation.getByLabel('E-mail').fill('amna@ravi.example')
  await invitation.getByLabel('Phone').fill('03001234567')
  await invitation.getByRole('button', { name: 'Invite' }).click()
  await expect(page.getByText('The link to choose a password is on its way')).toBeVisible()

  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Gateway')
  await page.getByRole('button', { name: 'Make key' }).click()
  const key = await page.getByLabel('Key', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await expect(page.getByText('not used yet')).toBeVisible()
  const send = () =>
    fetch(`${app.url}/api/ingest`, {
      method: 'POST',
      headers: { 'x-device-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ readings: [] }),
    })
  const isRefused = async () => [401, 403].includes((await send()).status)
  expect(await isRefused()).toBe(false)

  // Indus has people inside, who are out at once
  const operator = await newVisitor()
  operator.trouble.allow(/40[13]/)
  await operator.login.open()
  await operator.login.signIn(OPERATOR, PASSWORD)
  await operator.shell.isLive()
  await page.goto('/admin/companies')
  await page.getByRole('link', { name: 'Indus Cold Chain' }).click()
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByLabel('Reason').fill('Not paid')
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await expect(page.getByText('Not paid')).toBeVisible()
  await operator.login.isShown()
  await operator.login.signIn(OPERATOR, PASSWORD)
  const why = 'Company is Suspended. Please Contact Business Account Manager!'
  await expect(operator.page.getByRole('heading', { name: why })).toBeVisible()

  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByLabel('Reason').fill('Paid')
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByText('Not paid')).toBeHidden()
  await operator.page.getByRole('button', { name: 'Back to sign in' }).click()
  await operator.login.signIn(OPERATOR, PASSWORD)
  await operator.shell.isLive()
})

test('a tracker that nobody knows is taken in with one press', async ({ visitor, app }) => {
  const { page, login, access, dashboard } = visitor
  await expect(dial(app.teltonikaPort, STRANGER)).rejects.toThrow('does not let')
  await login.open()
  await login.signIn(SUPER_ADMIN, PASSWORD)
  await access.enterCompany('Indus Cold Chain')
  await dashboard.isShown()
  await page.goto('/devices')
  await page.getByRole('button', { name: `Add ${STRANGER}` }).click()
  await expect(page.getByRole('list', { name: 'Unknown devices' })).toBeHidden()
  const tracker = await dial(app.teltonikaPort, STRANGER)
  tracker.hangUp()
})

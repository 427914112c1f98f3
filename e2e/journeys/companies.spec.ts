import { DESK, expect, OPERATOR, PASSWORD, SUPER_ADMIN, test } from '../app.ts'
import { CompaniesScreen } from '../screens/companies.screen.ts'
import { isListening } from '../session.ts'
import { dial } from '../tracker.ts'

test.use({ world: { of: 'companies', devices: 24 }, viewport: DESK, isMapDrawn: false })

const STRANGER = '490154203209001'

test('a super admin makes a company, invites its manager, makes a key, suspends it with a reason and resumes it', async ({
  visitor,
  newVisitor,
  app,
}) => {
  const { page, login } = visitor
  await login.open()
  await login.signIn(SUPER_ADMIN, PASSWORD)
  const companies = new CompaniesScreen(page)
  await companies.add('Ravi Foods', { retentionDays: '30' })
  await expect(companies.retention).toHaveValue('30')
  await expect(page.getByText('no reading yet')).toBeVisible()
  await companies.invite({
    firstName: 'Amna',
    lastName: 'Malik',
    email: 'amna@ravi.example',
    phone: '03001234567',
  })
  const key = await companies.makeKey('Gateway')
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
  const listening = isListening(operator.page)
  await operator.login.signIn(OPERATOR, PASSWORD)
  await operator.shell.isLive()
  await listening
  await companies.open()
  await companies.choose('Indus Cold Chain')
  // whose session the server ends gets the page anew, half a second later
  const isAnew = operator.page.waitForEvent('load')
  await companies.suspend('Not paid')
  await isAnew
  await operator.login.isShown()
  await operator.login.signIn(OPERATOR, PASSWORD)
  const why = 'Company is Suspended. Please Contact Business Account Manager!'
  await expect(operator.page.getByRole('heading', { name: why })).toBeVisible()

  await companies.resume('Paid')
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

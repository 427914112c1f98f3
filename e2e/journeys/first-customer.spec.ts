import { test as base, expect } from '@playwright/test'
import captured from '#fixtures/teltonika/frames.json' with { type: 'json' }
import { DESK } from '../app.ts'
import { location, login as login06 } from '../gt06.ts'
import { linkIn, type Production, startProduction } from '../production.ts'
import { AccessScreen } from '../screens/access.screen.ts'
import { CompaniesScreen } from '../screens/companies.screen.ts'
import { DashboardScreen } from '../screens/dashboard.screen.ts'
import { DevicesScreen } from '../screens/devices.screen.ts'
import { LoginScreen } from '../screens/login.screen.ts'
import { Shell } from '../screens/shell.screen.ts'
import { dial, dialGt06 } from '../tracker.ts'
import { watchTrouble } from '../trouble.ts'

const ADMIN = 'noor@customer.example'
const MANAGER = 'amna@ravi.example'
const PASSWORD = 'C0ld#enough'
const COMPANY = 'Ravi Foods'

const [TRACKER] = captured.frames as [(typeof captured.frames)[number]]
const HEADING = 'IMEI,Name,Plate,Type,Make and model,Group'
const IMEIS = [TRACKER.imei, ...Array.from({ length: 499 }, (_, i) => String(356307040000000 + i))]
const LINES = IMEIS.map((imei, i) => `${imei},Reefer ${i},LES-${i},vehicle,Hino 500,`)
const BAD = ['12345,Too short,,vehicle,,', `${TRACKER.imei},Twice,,vehicle,,`, '356307049999999,Boat,,boat,,']

const test = base.extend<{ production: Production }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what is needed
  production: async ({}, use) => {
    const production = await startProduction()
    await use(production)
    await production.end()
  },
})

test('an empty server is set up in the browser: company, devices, its first manager, and readings on the map', async ({
  browser,
  production,
}) => {
  const context = await browser.newContext({ baseURL: production.app.url, viewport: DESK })
  const trouble = watchTrouble(context)
  const page = await context.newPage()
  const [login, access] = [new LoginScreen(page), new AccessScreen(page)]

  await test.step('sign-in says that there is no administrator, and offers nothing', async () => {
    await login.open()
    await expect(page.getByText('This server has no administrator yet.')).toBeVisible()
    await expect(login.demoAccounts).toHaveCount(0)
  })

  await test.step('a link of the machine leads to a password, and in', async () => {
    const link = linkIn(await production.admin('create-admin', ADMIN, '--first-name', 'Noor'))
    expect(link).toContain(production.app.url)
    await access.open(link)
    await access.shows('valid')
    await access.choose(PASSWORD)
    await access.shows('done')
    await access.toLogin.click()
    await login.isShown()
    await expect(page.getByText('This server has no administrator yet.')).toHaveCount(0)
    await login.signIn(ADMIN, PASSWORD)
    await expect(page).toHaveURL(/\/admin\/companies$/)
    await expect(page.getByRole('heading', { name: 'Companies' })).toBeVisible()
  })

  const companies = new CompaniesScreen(page)
  let key = ''

  await test.step('a company is made, with a manager who is invited and a key', async () => {
    await companies.add(COMPANY)
    await companies.invite({ firstName: 'Amna', lastName: 'Malik', email: MANAGER, phone: '03001234567' })
    key = await companies.makeKey('Gateway')
  })

  await test.step('inside it, of a list of 503 devices three lines are wrong, and named', async () => {
    await page.getByRole('button', { name: 'Enter', exact: true }).click()
    await expect(access.banner).toContainText(`You are in ${COMPANY}`)
    const devices = new DevicesScreen(page)
    await devices.open()
    await devices.chooseList('devices.csv', [HEADING, ...LINES, ...BAD].join('\n'))
    await expect(devices.badLines).toContainText(['WHY', '502', '503', '504'])
    await devices.takeGoodLines(LINES.length)
  })

  const theirs = await browser.newContext({ baseURL: production.app.url, viewport: DESK })
  const theirTrouble = watchTrouble(theirs)
  const window = await theirs.newPage()
  const dashboard = new DashboardScreen(window)

  await test.step('she chooses a password by the link of her mail, and signs in', async () => {
    const hers = new AccessScreen(window)
    await expect.poll(async () => linkIn(await production.mailTo(MANAGER))).not.toBe('')
    await hers.open(linkIn(await production.mailTo(MANAGER)))
    await hers.shows('valid')
    await hers.choose(PASSWORD)
    await hers.shows('done')
    await hers.toLogin.click()
    await new LoginScreen(window).signIn(MANAGER, PASSWORD)
    await dashboard.isShown()
    await new Shell(window).isLive()
  })

  await test.step('readings by HTTP and by trackers of both protocols are on the map', async () => {
    const { url, teltonikaPort, gt06Port } = production.app
    const [, byHttp = '', byGt06 = ''] = IMEIS
    const reading = { imei: byHttp, at: Date.now() - 1000, lat: 31.52, lng: 74.35, temperature: 4.5 }
    const answer = await fetch(`${url}/api/ingest`, {
      method: 'POST',
      headers: { 'x-device-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ readings: [reading] }),
    })
    expect(await answer.json()).toMatchObject({ accepted: 1 })
    const teltonika = await dial(teltonikaPort, TRACKER.imei)
    expect(await teltonika.send(Buffer.from(TRACKER.hex, 'hex'))).toBe(TRACKER.records)
    teltonika.hangUp()
    const gt06 = await dialGt06(gt06Port, login06(byGt06))
    gt06.send(location(Date.now() - 1000, { lat: 33.69, lng: 73.05 }))

    for (const name of ['Reefer 0', 'Reefer 1', 'Reefer 2']) {
      await dashboard.search(name)
      await expect(dashboard.line(name)).not.toContainText('never heard')
      await dashboard.select(name)
      await expect(dashboard.position).toHaveAttribute('title', /^-?\d+\.\d{5}, -?\d+\.\d{5}$/)
      await dashboard.letGo()
      await dashboard.comeNear()
      await expect.poll(() => dashboard.onMap()).toContain(name)
    }
    gt06.hangUp()
    await dashboard.search('Reefer 1')
    await expect(dashboard.line('Reefer 1')).toContainText('4.5')
  })

  for (const each of [context, theirs]) await each.close()
  expect([...trouble.unexpected(), ...theirTrouble.unexpected()]).toEqual([])
})

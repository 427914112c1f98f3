import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect } from '@playwright/test'
import captured from '#fixtures/teltonika/frames.json' with { type: 'json' }
import { type RunningApp, startApp } from '../../tools/build/running-app.ts'
import { DESK } from '../app.ts'
import { AccessScreen } from '../screens/access.screen.ts'
import { DashboardScreen } from '../screens/dashboard.screen.ts'
import { LoginScreen } from '../screens/login.screen.ts'
import { Shell } from '../screens/shell.screen.ts'
import { UsersScreen } from '../screens/users.screen.ts'
import { dial } from '../tracker.ts'
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

const linkIn = (printed: string): string => /^https?:\S+$/m.exec(printed)?.[0] ?? ''

type Production = {
  folder: string
  app: RunningApp
  admin: (...words: string[]) => Promise<string>
}

/** Production on a fresh folder, and `npm run admin` on its machine. */
const test = base.extend<{ production: Production }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what is needed
  production: async ({}, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'frostline-first-customer-'))
    const app = await startApp({ dataDir, env: { SIMULATOR: 'off' } })
    const env = { ...process.env, DATA_DIR: dataDir }
    const admin = (...words: string[]) =>
      new Promise<string>((resolve, reject) =>
        execFile(process.execPath, ['server/admin-command.ts', ...words], { env }, (error, out) =>
          error ? reject(new Error(out)) : resolve(out),
        ),
      )
    await use({ folder: dataDir, app, admin })
    await app.stop()
    rmSync(dataDir, { recursive: true, force: true })
  },
})

test('an empty server is set up: administrator, company, devices, its first manager, and readings on the map', async ({
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

  const { deviceKey } = JSON.parse(
    await production.admin('create-company', COMPANY, '--time-zone', 'Asia/Karachi', '--json'),
  )

  await test.step('of a list of 500 devices three lines are wrong, and named', async () => {
    const file = join(production.folder, 'devices.csv')
    writeFileSync(file, [HEADING, ...LINES, ...BAD].join('\n'))
    const refused = await production.admin('import-devices', file, '--company', COMPANY).catch(String)
    for (const line of [502, 503, 504]) expect(refused).toContain(`line ${line} `)
    const taken = await production.admin('import-devices', file, '--company', COMPANY, '--keep-good')
    expect(taken).toContain('500 devices were taken.')
  })

  await test.step('inside the company its first manager is made', async () => {
    await page.goto('/admin/companies')
    await access.enterCompany(COMPANY)
    await expect(access.banner).toContainText(`You are in ${COMPANY}`)
    const users = new UsersScreen(page)
    await page.goto('/users')
    await users.add.click()
    await users.fill({
      'First Name': 'Amna',
      'Last Name': 'Malik',
      Email: MANAGER,
      Phone: '03001234567',
      'User Name': 'amna',
    })
    await users.choose('Role', 'Admin')
    await users.pickGroup(COMPANY)
    await users.create.click()
    await expect(users.row('Amna Malik')).toContainText('not activated yet')
  })

  const theirs = await browser.newContext({ baseURL: production.app.url, viewport: DESK })
  const theirTrouble = watchTrouble(theirs)
  const window = await theirs.newPage()
  const dashboard = new DashboardScreen(window)

  await test.step('she chooses a password by a link that the machine printed, and signs in', async () => {
    const hers = new AccessScreen(window)
    await hers.open(linkIn(await production.admin('reset-password', 'amna')))
    await hers.shows('valid')
    await hers.choose(PASSWORD)
    await hers.shows('done')
    await hers.toLogin.click()
    await new LoginScreen(window).signIn(MANAGER, PASSWORD)
    await dashboard.isShown()
    await new Shell(window).isLive()
  })

  await test.step('readings by HTTP and by a tracker are on the map', async () => {
    const { url, teltonikaPort } = production.app
    const reading = { imei: IMEIS[1], at: Date.now() - 1000, lat: 31.52, lng: 74.35, temperature: 4.5 }
    const answer = await fetch(`${url}/api/ingest`, {
      method: 'POST',
      headers: { 'x-device-key': deviceKey, 'content-type': 'application/json' },
      body: JSON.stringify({ readings: [reading] }),
    })
    expect(await answer.json()).toMatchObject({ accepted: 1 })
    const tracker = await dial(teltonikaPort, TRACKER.imei)
    expect(await tracker.send(Buffer.from(TRACKER.hex, 'hex'))).toBe(TRACKER.records)
    tracker.hangUp()

    await dashboard.search('Reefer 0')
    await expect(dashboard.line('Reefer 0')).not.toContainText('never heard')
    await dashboard.select('Reefer 1')
    await expect(dashboard.line('Reefer 1')).toContainText('4.5')
    await dashboard.letGo()
    await dashboard.comeNear()
    await expect.poll(() => dashboard.onMap()).toContain('Reefer 1')
  })

  for (const each of [context, theirs]) await each.close()
  expect([...trouble.unexpected(), ...theirTrouble.unexpected()]).toEqual([])
})

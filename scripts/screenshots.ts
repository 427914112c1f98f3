import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { chromiumFlags, ensureChromium } from './chromium.ts'
import { buildPortal, isPortalStale } from './portal-build.ts'
import { type RunningApp, startApp } from './running-app.ts'

/**
 * Pictures of every screen there is, in both themes and three widths, to be looked at: `npm run screenshots`, or
 * `-- --devices 100000`, `-- --only dashboard`. They land in a folder git does not keep.
 */
const { values } = parseArgs({
  options: { devices: { type: 'string', default: '2000' }, only: { type: 'string' } },
})
const devices = Number(values.devices)
const folder = resolve(import.meta.dirname, '../.cache/screenshots', `${devices}`)

const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
]
const themes = ['light', 'dark'] as const

type Screen = { name: string; isPublic?: boolean; go(page: Page, app: RunningApp): Promise<void> }
const screens: Screen[] = [
  {
    name: 'sign-in',
    isPublic: true,
    go: async (page) => {
      await page.goto('/login')
      await page.getByRole('region', { name: 'Demo accounts' }).getByRole('button').first().waitFor()
    },
  },
  {
    name: 'suspended',
    isPublic: true,
    go: async (page) => {
      await page.goto('/login')
      await page.getByRole('button', { name: 'operator@thar.example' }).click()
      await page.getByRole('button', { name: 'Back to sign in' }).waitFor()
    },
  },
  { name: 'dashboard', go: dashboard },
  {
    name: 'dashboard-selected',
    go: async (page) => {
      await dashboard(page)
      await page.getByRole('list', { name: 'Devices' }).getByRole('button').first().click()
      await quiet(page)
    },
  },
  {
    name: 'device-update',
    go: async (page) => {
      await dashboard(page)
      await page
        .getByRole('button', { name: /^Edit / })
        .first()
        .click()
      await page.getByRole('dialog', { name: 'Device Update' }).waitFor()
    },
  },
  {
    name: 'groups-picker',
    go: async (page) => {
      await dashboard(page)
      await page.getByRole('button', { name: /^Groups/ }).click()
      await page.getByRole('dialog', { name: 'Groups' }).waitFor()
    },
  },
  {
    name: 'palette',
    go: async (page) => {
      await dashboard(page)
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox').fill('LHR-FRZ')
    },
  },
  {
    name: 'history',
    go: async (page) => {
      await dashboard(page)
      await page.getByRole('list', { name: 'Devices' }).getByRole('button').first().dblclick()
      await page.getByRole('region', { name: 'Humidity chart' }).getByRole('img').waitFor()
      await quiet(page)
    },
  },
  ...outside({
    'forgot-password': '/forgot-password',
    'confirm-code': '/confirm-code/ayesha',
    'link-unknown': '/user/activate/no-such-link',
    'admin-login-spoilt': '/adminLogin',
    error: '/error',
  }),
  ...inside({
    groups: '/groups',
    'group-add': '/groups/add',
    users: '/users',
    'user-create': '/users/create/indus',
    account: '/account',
    'account-update': '/account/update/indus',
    reports: '/reports',
    'report-request': '/eventReport',
    'report-step': '/reports/vehicleTravelReport',
    'report-log': '/download/reports',
    assignment: '/vehicle/assignment',
    help: '/help',
    about: '/aboutus',
    violations: '/visualization/violations',
    'violation-summary': '/visualization/summary',
    observations: '/devices/chiller-observation',
    'no-such-page': '/nowhere',
  }),
]

function outside(paths: Record<string, string>): Screen[] {
  return inside(paths).map((screen) => ({ ...screen, isPublic: true }))
}

function inside(paths: Record<string, string>): Screen[] {
  return Object.entries(paths).map(([name, path]) => ({ name, go: (page) => open(page, path) }))
}

if (isPortalStale()) await buildPortal().done
const dataDir = mkdtempSync(join(tmpdir(), 'frostline-screenshots-'))
const app = await startApp({ devices, dataDir, patience: 180_000 })
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags })
try {
  mkdirSync(folder, { recursive: true })
  const signedIn = await signIn(browser)
  for (const screen of screens) {
    if (values.only !== undefined && !screen.name.startsWith(values.only)) continue
    for (const colorScheme of themes)
      for (const size of sizes) await shoot(screen, { browser, signedIn, colorScheme, size })
  }
} finally {
  await browser.close()
  await app.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** What a browser keeps of the operator. */
type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

async function signIn(browser: Browser): Promise<SignedIn> {
  const context = await browser.newContext({ baseURL: app.url })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByRole('button', { name: 'operator@indus.example' }).click()
  await page.waitForURL(`${app.url}/`)
  const kept = await context.storageState()
  await context.close()
  return kept
}

type Look = {
  browser: Browser
  signedIn: SignedIn
  colorScheme: (typeof themes)[number]
  size: { width: number; height: number }
}

async function shoot(screen: Screen, { browser, signedIn, colorScheme, size }: Look): Promise<void> {
  const context = await browser.newContext({
    viewport: size,
    colorScheme,
    baseURL: app.url,
    ...(!screen.isPublic && { storageState: signedIn }),
  })
  const page = await context.newPage()
  await screen.go(page, app)
  const file = join(folder, `${screen.name}-${colorScheme}-${size.width}.png`)
  await page.screenshot({ path: file })
  console.log(file)
  await context.close()
}

async function dashboard(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Devices' }).getByRole('listitem').first().waitFor()
  await quiet(page)
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('main').waitFor()
  await page.waitForLoadState('networkidle')
}

/** The map has no moment in which it is finished; a picture two seconds later shows what one sees. */
async function quiet(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => {})
  await page.waitForTimeout(2500)
}

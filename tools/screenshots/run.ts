/** Pictures of every screen there is: `npm run screenshots`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import sharp from 'sharp'
import { writeOneCompany } from '../bench/large-world.ts'
import { argumentsOf, flag, names, whole } from '../build/arguments.ts'
import { chromiumFlags, ensureChromium } from '../build/chromium.ts'
import { buildPortal, isPortalStale } from '../build/portal-build.ts'
import { setClock, startApp } from '../build/running-app.ts'
import { type Looker, SCREENS, type Screen } from './screens.ts'

const { values } = argumentsOf({
  command: 'npm run screenshots',
  says: 'Takes pictures of every screen, in both themes and three widths, into .cache/screenshots. Ends with 1 where a screen could not be brought up.',
  options: {
    devices: whole(1, 1_000_000, 'in the fleet, 2000 where left out'),
    only: names(
      SCREENS.map(({ name }) => name),
      'takes this one alone',
    ),
    docs: flag('takes those of docs/images instead: the dashboard of a company with so many devices'),
  },
})
const { devices = 2000 } = values
const folder = resolve(import.meta.dirname, '../../.cache/screenshots', `${devices}`)
const images = resolve(import.meta.dirname, '../../docs/images')
const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
]
const SIZE_IN_DOCS = { width: 1440, height: 900 }
const ACCOUNTS: Readonly<Record<Exclude<Looker, 'nobody'>, string>> = {
  operator: 'operator@indus.example',
  newcomer: 'new@indus.example',
  admin: 'admin@frostline.example',
  toReset: 'reset@indus.example',
}

/** Pictures taken of a screen until two are the same, and ms between two. */
const LOOKS = 12
const BETWEEN_LOOKS = 400

/** What a browser keeps of somebody. */
type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

const wanted = SCREENS.filter(({ name }) =>
  values.docs ? name === 'dashboard' : values.only.length === 0 || values.only.includes(name),
)
if (isPortalStale()) await buildPortal().done
const dataDir = mkdtempSync(join(tmpdir(), 'frostline-screenshots-'))
const app = await startApp({
  devices,
  dataDir,
  patience: 180_000,
  ...(values.docs && { env: { SCENARIO: writeOneCompany() } }),
})
const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags })
try {
  mkdirSync(folder, { recursive: true })
  // what stands still can be waited for
  await setClock(app.url, { paused: true })
  const known = new Map<Looker, SignedIn>()
  for (const screen of wanted) {
    try {
      const { by } = screen
      if (by !== 'nobody' && !known.has(by)) known.set(by, await signIn(browser, ACCOUNTS[by]))
      for (const size of values.docs ? [SIZE_IN_DOCS] : SIZES) await shoot(screen, known.get(by), size)
      console.log(screen.name)
    } catch (error) {
      console.error(`${screen.name}: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
  }
} finally {
  await browser.close()
  await app.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
console.log(values.docs ? images : folder)

async function signIn(browser: Browser, account: string): Promise<SignedIn> {
  const context = await browser.newContext({ baseURL: app.url })
  const page = await context.newPage()
  await page.goto('/login')
  await page.getByRole('button', { name: account }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
  const kept = await context.storageState()
  await context.close()
  return kept
}

async function shoot(
  { name, go }: Screen,
  storageState: SignedIn | undefined,
  size: (typeof SIZES)[number],
): Promise<void> {
  const context = await browser.newContext({
    viewport: size,
    colorScheme: 'light',
    baseURL: app.url,
    ...(storageState && { storageState }),
  })
  try {
    const page = await context.newPage()
    await go(page)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      writeFileSync(join(folder, `${name}-${colorScheme}-${size.width}.png`), await atRest(page))
    }
    if (values.docs) await keepForDocs(name, size.width)
  } finally {
    await context.close()
  }
}

/** In 256 colours, a third of the bytes: the light picture of the fleet one starts with, the dark one of any other. */
async function keepForDocs(name: string, width: number): Promise<void> {
  const [scheme, ending] = devices === 2000 ? ['light', ''] : ['dark', `-${devices}`]
  await sharp(join(folder, `${name}-${scheme}-${width}.png`))
    .png({ palette: true })
    .toFile(join(images, `${name}${ending}.png`))
}

/** A picture that equals the one before it; where something never rests, the last one. */
async function atRest(page: Page): Promise<Buffer> {
  await page.waitForLoadState('networkidle').catch(() => {})
  let last = await page.screenshot()
  for (let look = 1; look < LOOKS; look++) {
    await page.waitForTimeout(BETWEEN_LOOKS)
    const next = await page.screenshot()
    if (next.equals(last)) return next
    last = next
  }
  return last
}

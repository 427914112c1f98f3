import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright'
import scenario from '#fixtures/scenarios/demo.json' with { type: 'json' }
import { chromiumFlags, ensureChromium } from '../build/chromium.ts'

/** As the figures are defined: a headless Chromium that draws WebGL in software. */
const VIEWPORT = { width: 1440, height: 900 }

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: ensureChromium(),
    args: [...chromiumFlags, '--js-flags=--expose-gc'],
  })
}

/** What a browser keeps of somebody who is signed in. */
export type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>

/** Signs the operator in by the page itself, once; later windows begin with what this one keeps. */
export async function signIn(browser: Browser, url: string): Promise<SignedIn> {
  const context = await browser.newContext({ viewport: VIEWPORT })
  const page = await context.newPage()
  await page.goto(`${url}/login`)
  await page.getByLabel('Email').fill('operator@indus.example')
  await page.getByLabel('Password', { exact: true }).fill(scenario.password)
  await page.getByRole('button', { name: 'Login' }).click()
  await page.waitForURL(`${url}/`)
  const state = await context.storageState()
  await context.close()
  return state
}

/** An empty cache and somebody signed in. */
export function newWindow(browser: Browser, storageState: SignedIn): Promise<BrowserContext> {
  return browser.newContext({ viewport: VIEWPORT, storageState })
}

/** ms from the start of the navigation to the first markers on the map. */
export function firstMarkers(page: Page): Promise<number> {
  return markOf(page, 'frostline:first-markers')
}

/** ms from the start of the navigation to a mark the portal sets, once it has. */
async function markOf(page: Page, name: string): Promise<number> {
  const mark = await page.waitForFunction(
    (wanted) => performance.getEntriesByName(wanted)[0]?.startTime,
    name,
    { timeout: 120_000, polling: 50 },
  )
  return (await mark.jsonValue()) as number
}

/** ms from the start of the navigation to the first markers with the land below them. */
export async function firstMarkersOnLand(page: Page): Promise<number> {
  return Math.max(await firstMarkers(page), await markOf(page, 'frostline:land'))
}

/** Figures the browser keeps of a page, by name: `TaskDuration` in s, `JSHeapUsedSize` in bytes, … */
export async function metricsOf(session: CDPSession): Promise<(name: string) => number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (name) => metrics.find((one) => one.name === name)?.value ?? Number.NaN
}

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright'
import { argumentsOf, flag, names, whole } from '../build/arguments.ts'
import { buildPortal, isPortalStale } from '../build/portal-build.ts'
import { type RunningApp, startApp } from '../build/running-app.ts'
import { measureAsOf } from './as-of.ts'
import { openBrowser, type SignedIn, signIn } from './browser.ts'
import { measureBudgets } from './budgets.ts'
import { measureDashboard } from './dashboard-load.ts'
import { BARE, measureDrawing } from './drawing.ts'
import { atMost, type Figure, say, tableOf } from './figures.ts'
import { measureFirstMarkers } from './first-markers.ts'
import { measureHistory } from './history.ts'
import { measureIngest } from './ingest.ts'
import { writeOneCompany } from './large-world.ts'
import { measureLatency } from './latency.ts'
import { measureLimitsTrial } from './limits-trial.ts'
import { withMeasured } from './page.ts'
import { measurePictures } from './pictures.ts'
import { measurePlaying } from './playing.ts'
import { measureContents } from './report-contents.ts'
import { measureReports } from './reports.ts'
import { measureSeals } from './seals.ts'
import { measureScripts } from './sign-in-bytes.ts'
import { measureSizes } from './sizes.ts'
import { measureStart } from './start.ts'
import { steady } from './steady.ts'
import { measureTimeToLimit } from './time-to-limit.ts'
import { measureListing, measureTyping } from './typing.ts'
import { measureViolationChart } from './violation-chart.ts'
import { measureViolations } from './violations.ts'

const page = resolve(import.meta.dirname, '../../docs/benchmarks.md')
const LARGE = 100_000
const SMALL = 2_000
/** Some devices are always off the air; so many are needed for 10,000 readings a second to come. */
const REPORTING = 103_000

type Part = { name: string; measure: () => Promise<Figure[]> }
const parts: Part[] = [
  {
    name: 'ingest',
    measure: () => measureIngest({ devices: REPORTING, seconds, scenarioFile: writeOneCompany() }),
  },
  { name: 'small', measure: () => inBrowser(SMALL, smallFleet) },
  { name: 'large', measure: () => inBrowser(LARGE, largeFleet) },
  { name: 'violations', measure: measureViolations },
  { name: 'start', measure: measureStart },
  { name: 'reports', measure: () => measureReports(writeOneCompany()) },
  { name: 'report-contents', measure: measureContents },
  { name: 'limits-trial', measure: measureLimitsTrial },
  { name: 'time-to-limit', measure: measureTimeToLimit },
  {
    name: 'budgets',
    measure: () =>
      measureBudgets({ devices: values.quick ? 1_000 : 10_000, seconds: Math.min(seconds, 120) }),
  },
  {
    name: 'seals',
    measure: () => measureSeals({ devices: REPORTING, seconds: Math.min(seconds, 120) }),
  },
  { name: 'sizes', measure: measureSizes },
  {
    name: 'as-of',
    measure: () => inTurn([() => measureAsOf(SMALL, 24 * 60, 300), () => measureAsOf(LARGE, 40, 1_500)]),
  },
  {
    name: 'listing',
    measure: () => inBrowser(LARGE, (run) => listingOf(LARGE, 100, run)),
  },
  {
    name: 'pictures',
    measure: () => inBrowser(LARGE, async (run) => [await measurePictures(run)]),
  },
  {
    name: 'playing',
    measure: () => inBrowser(SMALL, (run) => measurePlaying(run, { devices: SMALL, minutes, least: 10 })),
  },
  {
    name: 'playing-large',
    measure: () => inBrowser(LARGE, (run) => measurePlaying(run, { devices: LARGE, minutes, least: 4 })),
  },
]

const { values } = argumentsOf({
  command: 'npm run bench',
  says: 'Measures what docs/benchmarks.md has figures of, and writes them there where it measures all. Ends with 1 where something could not be measured.',
  options: {
    quick: flag('half a minute of ingest, two of the dashboard: to see that it runs, not for the record'),
    only: names(
      parts.map(({ name }) => name),
      'measures this alone',
    ),
    seconds: whole(1, 86_400, 'of ingest, 300 where left out'),
    minutes: whole(1, 1_440, 'of the dashboard, 10 where left out'),
  },
})
const seconds = values.seconds ?? (values.quick ? 30 : 300)
const minutes = values.minutes ?? (values.quick ? 2 : 10)
const isWhole = values.only.length === 0

if (isPortalStale()) await buildPortal().done
const figures: Figure[] = []
let browserVersion = ''
for (const { name, measure } of parts) {
  if (!isWhole && !values.only.includes(name)) continue
  console.log(`── ${name}`)
  const found = await attempt(measure)
  console.log(`${tableOf(found)}\n`)
  figures.push(...found)
  if (isWhole && !values.quick)
    writeFileSync(page, withMeasured(readFileSync(page, 'utf8'), measuredOf(figures)))
}

async function smallFleet(run: BrowserRun): Promise<Figure[]> {
  const { browser, app, signedIn } = run
  const { data } = await ask(app, signedIn)
  return inTurn([
    () => measureScripts(browser, app.url, signedIn),
    () => firstMarkersOf(SMALL, 1.5, run),
    () => latencyOf(SMALL, 1, run),
    () => measureDrawing(browser, app.url, signedIn, `${say(SMALL)} devices`),
    () => measureHistory(browser, app.url, signedIn, data),
    () => measureViolationChart(browser, app.url, signedIn),
  ])
}

async function largeFleet(run: BrowserRun): Promise<Figure[]> {
  const { browser, app, signedIn } = run
  return inTurn([
    () => firstMarkersOf(LARGE, 1.6, run),
    () => latencyOf(LARGE, 1, run),
    () => typingOf(LARGE, 50, run),
    () => listingOf(LARGE, 100, run),
    () => measureDrawing(browser, app.url, signedIn, BARE),
    () => measureDrawing(browser, app.url, signedIn, `${say(LARGE)} devices`),
    () => measureDashboard(browser, app.url, signedIn, { devices: LARGE, minutes }),
  ])
}

/** Told as they come; one that cannot be measured does not take the others with it. */
async function inTurn(measurements: (() => Promise<Figure | Figure[]>)[]): Promise<Figure[]> {
  const found: Figure[] = []
  for (const measure of measurements) {
    const figures = await attempt(measure)
    for (const { what, measured } of figures) console.log(`   ${what}: ${measured}`)
    found.push(...figures)
  }
  return found
}

async function attempt(measure: () => Promise<Figure | Figure[]>): Promise<Figure[]> {
  try {
    return [await measure()].flat()
  } catch (error) {
    process.exitCode = 1
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error)
    return [{ what: 'could not be measured', measured: `${why}`, target: '', isReached: false }]
  }
}

async function firstMarkersOf(
  devices: number,
  bound: number,
  { browser, app, signedIn }: BrowserRun,
): Promise<Figure> {
  const taken = await measureFirstMarkers(browser, app.url, signedIn, 5)
  return atMost(
    `first markers after navigation, land included, ${say(devices)} devices, median`,
    taken / 1000,
    bound,
    's',
    2,
  )
}

async function latencyOf(
  devices: number,
  bound: number,
  { browser, app, signedIn }: BrowserRun,
): Promise<Figure> {
  const taken = await measureLatency(browser, app.url, signedIn, 40)
  return atMost(`reading received → pixel changed, ${say(devices)} devices, p95`, taken / 1000, bound, 's', 2)
}

async function typingOf(
  devices: number,
  bound: number,
  { browser, app, signedIn }: BrowserRun,
): Promise<Figure[]> {
  const what = `typing nine characters into the device search, ${say(devices)} devices: slowest key`
  const settled = await measureTyping(browser, app.url, signedIn, 20_000)
  const atOnce = await measureTyping(browser, app.url, signedIn, 0)
  return [
    atMost(what, settled, bound, 'ms'),
    { what: `${what}, right after the first markers`, measured: `${say(atOnce)} ms`, target: '' },
  ]
}

async function listingOf(
  devices: number,
  bound: number,
  { browser, app, signedIn }: BrowserRun,
): Promise<Figure[]> {
  const { filtering, sorting } = await measureListing(browser, app.url, signedIn, 20_000)
  return [
    atMost(`filtering the list, ${say(devices)} devices: slowest of 18 keys`, filtering, bound, 'ms'),
    atMost(`sorting the list, ${say(devices)} devices: slowest of five orders`, sorting, bound, 'ms'),
  ]
}

type BrowserRun = { browser: Browser; app: RunningApp; signedIn: SignedIn }

async function inBrowser(
  devices: number,
  measure: (run: BrowserRun) => Promise<Figure[]>,
): Promise<Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'frostline-bench-'))
  const app = await startApp({ devices, dataDir, env: { SCENARIO: writeOneCompany() }, patience: 180_000 })
  // whoever watches a large fleet opens it on a server that has been up for long: what a start takes is a figure of its own
  if (devices === LARGE) await steady(app)
  const browser = await openBrowser()
  browserVersion = browser.version()
  try {
    return await measure({ browser, app, signedIn: await signIn(browser, app.url) })
  } finally {
    await browser.close()
    await app.kill()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** IMEIs to look at: vehicles spread over the fleet. */
async function ask(app: RunningApp, signedIn: SignedIn): Promise<{ data: string[] }> {
  const token = signedIn.origins[0]?.localStorage.find(({ name }) => name === 'token')?.value
  const answer = await fetch(`${app.url}/api/groups/indus/observations-latest`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = (await answer.json()) as { data: { imei: string; thingStatus: string }[] }
  const online = data.filter(({ thingStatus }) => thingStatus === 'online')
  return { data: online.filter((_, i) => i % Math.ceil(online.length / 40) === 0).map(({ imei }) => imei) }
}

/** What a run says between the marks of the page. */
function measuredOf(all: readonly Figure[]): string {
  const missed = all.filter(({ isReached }) => isReached === false).length
  const { version } = JSON.parse(
    readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8'),
  ) as {
    version: string
  }
  return `Frostline ${version}, ${new Date().toISOString().slice(0, 10)}. ${all.length} figures, ${missed === 0 ? 'all reached' : `${missed} missed`}.

${tableOf(all)}

Machine: ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, ${say(totalmem() / 2 ** 30)} GB. Node ${process.versions.node},
Chromium ${browserVersion}, headless, WebGL in software, 1440 × 900. Server, world and browser share the cores.`
}

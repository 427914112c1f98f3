import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright'
import { type RunningApp, setClock } from '../build/running-app.ts'
import { firstMarkers, metricsOf, newWindow, type SignedIn } from './browser.ts'
import { atMost, type Figure, percentile, say } from './figures.ts'
import { memoryNow } from './process-memory.ts'

const MINUTE = 60_000
const MB = 1_000_000
/** So many minutes are played or scrubbed through at once. */
const PLAYED = 60
/** The world goes so much as fast while they are kept: a frame is kept once a second at most. */
const KEPT_AT = 30
/** What counts as flat: what is left after a collection. */
const FLAT_MB = 5
const MORE_MB = 200
/** Minutes of the days before the record that are asked for. */
const LOOKS = 40
/** What the bar names is on the map by then, ms. */
const DRAWN_WITHIN = 100
/** A busy machine is slow, not broken; ms. */
const PATIENCE = 120_000

export type PlayingOptions = {
  devices: number
  /** how long it is played */
  minutes: number
  /** fleets a second */
  least: number
}

type BrowserRun = { browser: Browser; app: RunningApp; signedIn: SignedIn }

/** Playing ×600 and scrubbing through kept minutes in a browser: fleets drawn a second, and what memory that takes. */
export async function measurePlaying(
  { browser, app, signedIn }: BrowserRun,
  { devices, minutes, least }: PlayingOptions,
): Promise<Figure[]> {
  const first = await keepMinutes(app)
  const of = `${say(devices)} devices`
  const context = await newWindow(browser, signedIn)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await page.addInitScript(noteDrawn)
  await page.goto('about:blank')
  await page.goto(`${app.url}/?asOf=${new Date(first).toISOString()}`)
  await firstMarkers(page)
  const bar = page.getByRole('region', { name: 'Looking back' })
  await bar.getByText('×600').click()

  await goToFirst(page, first)
  const played = await framesOf(page, () => playThrough(page, first))
  const scrubbed = await framesOf(page, () => scrub(page, first))
  const heaps: number[] = []
  const held = memoryNow(app.pid)
  for (const end = performance.now() + minutes * MINUTE; performance.now() < end; ) {
    for (const next = performance.now() + MINUTE; performance.now() < next; ) {
      await goToFirst(page, first)
      await playThrough(page, first)
    }
    await session.send('HeapProfiler.collectGarbage')
    heaps.push((await metricsOf(session))('JSHeapUsedSize') / MB)
  }
  const grown = (memoryNow(app.pid) - held) / MB
  // the world has lived for longer than the one one signed in with
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  await context.close()
  const simulated = await beforeTheRecord(app, token, first)
  return [
    atLeast(`playing ×600, ${of}: fleets drawn a second`, played, least),
    atLeast(`scrubbing, ${of}: fleets drawn a second`, scrubbed, least),
    {
      what: `playing ${minutes} min, ${of}: heap of the page, each minute after a collection`,
      measured: `${heaps.map((mb) => say(mb)).join(' → ')} MB`,
      target: 'flat',
      isReached: (heaps.at(-1) ?? 0) - (heaps[0] ?? 0) <= FLAT_MB,
    },
    atMost(`playing ${minutes} min, ${of}: memory of the server, more than before`, grown, MORE_MB, 'MB'),
    {
      what: `as of a minute of the simulated past, ${of}: p95 of ${LOOKS}`,
      measured: `${say(simulated)} ms`,
      target: '',
    },
  ]
}

/** As it is said: ×600 is ten minutes a second and never more. */
const atLeast = (what: string, value: number, bound: number): Figure => ({
  what,
  measured: say(value, 1),
  target: `≥ ${bound}`,
  isReached: Number(value.toFixed(1)) >= bound,
})

/** Lets the world live through some minutes that are kept one by one, and stops it. @returns the first, epoch ms */
async function keepMinutes({ url }: RunningApp): Promise<number> {
  const now = async (): Promise<number> =>
    ((await (await fetch(`${url}/sim/status`)).json()) as { now: number }).now
  const first = Math.ceil((await now()) / MINUTE) * MINUTE + MINUTE
  await setClock(url, { speed: KEPT_AT })
  while ((await now()) < first + (PLAYED + 1) * MINUTE) await pause(500)
  await setClock(url, { speed: 1 })
  return first
}

/** Runs in the page: when the map drew anew, and when the bar named another minute that is shown; ms. */
function noteDrawn(): void {
  const noted = { began: 0, drawn: [] as number[], shown: [] as number[] }
  Object.assign(window, { noted })
  document.addEventListener('fleet-drawn', () => noted.drawn.push(performance.now()), { capture: true })
  let last = ''
  const look = (): void => {
    const words = document.querySelector('[aria-label="Looking back"] [role="status"]')?.textContent ?? ''
    if (words !== last) noted.shown.push(performance.now())
    last = words
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/**
 * Fleets a second from the first to the last, the press that begins it left out: as many as were both named by the bar and drawn by
 * the map, each with every device.
 */
async function framesOf(page: Page, act: () => Promise<void>): Promise<number> {
  type Noted = { began: number; drawn: number[]; shown: number[] }
  await page.evaluate(() => {
    Object.assign((window as unknown as { noted: Noted }).noted, { began: performance.now() })
  })
  await act()
  const { began, drawn, shown } = await page.evaluate(() => (window as unknown as { noted: Noted }).noted)
  const since = shown.filter((at) => at > began)
  const [first = began, last = began] = [since[0], since.at(-1)]
  const onTheMap = drawn.filter((at) => at >= first && at <= last + DRAWN_WITHIN)
  return (Math.min(since.length, onTheMap.length) - 1) / ((last - first) / 1000)
}

const slider = (page: Page) => page.getByRole('region', { name: 'Looking back' }).getByRole('slider')

/** It stands at the first minute. */
async function goToFirst(page: Page, first: number): Promise<void> {
  await slider(page).fill(String(first / MINUTE))
  await page.waitForFunction(standsAt, first / MINUTE, { timeout: PATIENCE })
}

/** From where it stands up to now, where it stands again. */
async function playThrough(page: Page, first: number): Promise<void> {
  const bar = page.getByRole('region', { name: 'Looking back' })
  await bar.getByRole('button', { name: 'Play' }).click({ timeout: PATIENCE })
  await page.waitForFunction(standsAt, first / MINUTE + PLAYED, { timeout: PATIENCE })
}

/** Whether a minute is reached, and it is played no further. Runs in the page. */
function standsAt(minute: number): boolean {
  const bar = document.querySelector('[aria-label="Looking back"]')
  const at = Number(bar?.querySelector<HTMLInputElement>('[type="range"]')?.value)
  const play = bar?.querySelector<HTMLButtonElement>('[aria-label="Play"]')
  return at >= minute && play != null && !play.disabled
}

/** A hand that draws the slider to and fro. */
async function scrub(page: Page, first: number): Promise<void> {
  for (let move = 0; move < 100; move++) {
    const minute = first / MINUTE + Math.round((PLAYED / 2) * (1 + Math.sin(move / 8)))
    await slider(page).fill(String(minute))
    await pause(50)
  }
}

/** ms, p95: a minute of the days of which how they were shown was not kept. */
async function beforeTheRecord({ url }: RunningApp, token: string, first: number): Promise<number> {
  const taken: number[] = []
  for (let look = 0; look < LOOKS; look++) {
    const at = first - MINUTE * Math.floor(60 + ((look * 0.618) % 1) * 13 * 24 * 60)
    const began = performance.now()
    const answer = await fetch(`${url}/api/asof?at=${new Date(at).toISOString()}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (!answer.ok) throw new Error(`a minute of the simulated past is answered with ${answer.status}`)
    await answer.arrayBuffer()
    taken.push(performance.now() - began)
  }
  return percentile(taken, 0.95)
}

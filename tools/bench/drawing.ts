import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright'
import { firstMarkers, newWindow, type SignedIn } from './browser.ts'
import { type Figure, percentile, say } from './figures.ts'

/** After the first markers names are decoded and the land comes. */
const SETTLE = 15_000
const REST = 30_000
/** Moves of the pointer while the map is dragged, and how long it waits after each, ms. */
const MOVES = 80
const STEP = 50

/** What a map costs: the GPU process at rest, and the frames while it is dragged and zoomed. `of`: whose map, in words */
export async function measureDrawing(
  browser: Browser,
  url: string,
  signedIn: SignedIn,
  of: string,
): Promise<Figure[]> {
  const context = await newWindow(browser, signedIn)
  const page = await context.newPage()
  await page.goto(url)
  await firstMarkers(page)
  if (of === BARE) await showNone(page)
  await pause(SETTLE)
  const before = await gpuSeconds(context)
  await pause(REST)
  const resting = (((await gpuSeconds(context)) - before) * 60_000) / REST
  const frames = await framesWhileMoved(page)
  await context.close()
  const [p50, p95] = [percentile(frames, 0.5), percentile(frames, 0.95)]
  return [
    {
      what: `map of ${of} at rest: CPU of the GPU process a minute`,
      measured: `${say(resting, 1)} s`,
      target: '≤ 15 s',
      isReached: resting <= 15,
    },
    {
      what: `map of ${of} dragged and zoomed: a frame, p50 / p95`,
      measured: `${say(p50)} / ${say(p95)} ms`,
      target: '',
    },
  ]
}

/** A map on which there is no device. */
export const BARE = 'no device'

/** Picks no group at all. */
async function showNone(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Groups/ }).click()
  await page
    .getByRole('dialog', { name: 'Groups' })
    .getByRole('button', { name: 'Clear', exact: true })
    .click()
  await page.keyboard.press('Escape')
}

/** s of CPU that drawing has taken since the browser was started. */
async function gpuSeconds(context: BrowserContext): Promise<number> {
  const session = await (context.browser() as Browser).newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.find(({ type }) => type === 'GPU')?.cpuTime ?? Number.NaN
}

/** ms between the frames while a hand drags the map to and fro, then turns the wheel. */
async function framesWhileMoved(page: Page): Promise<number[]> {
  const box = await page.getByRole('region', { name: 'Map of devices' }).boundingBox()
  if (box === null) throw new Error('The map has no place')
  const x = box.x + box.width / 2
  const y = box.y + box.height / 2
  await page.mouse.move(x, y)
  await page.evaluate(watchFrames)
  await page.mouse.down()
  for (let move = 0; move < MOVES; move++) {
    await page.mouse.move(x + 150 * Math.sin(move / 6), y + 80 * Math.cos(move / 5))
    await pause(STEP)
  }
  await page.mouse.up()
  for (let turn = 0; turn < MOVES / 2; turn++) {
    await page.mouse.wheel(0, turn < MOVES / 4 ? -60 : 60)
    await pause(STEP)
  }
  return page.evaluate(() => (window as unknown as { frameTimes: number[] }).frameTimes)
}

/** Runs in the page. */
function watchFrames(): void {
  const frameTimes: number[] = []
  Object.assign(window, { frameTimes })
  let last = performance.now()
  const onFrame = (): void => {
    const now = performance.now()
    frameTimes.push(now - last)
    last = now
    requestAnimationFrame(onFrame)
  }
  requestAnimationFrame(onFrame)
}

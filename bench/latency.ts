import type { Browser, Page } from 'playwright'
import { firstMarkers, newWindow, type SignedIn } from './browser.ts'
import { percentile } from './figures.ts'

/** A device the world leaves alone: nothing but what is sent here changes it. */
const IMEI = '352093024171000'
const DEVICE_KEY = 'indus-device-key'
/** Off the coast, where no other marker takes the place of its label. */
const AT_SEA = { lat: 24.2, lng: 65.5 }
/** °C no cargo of the world ever has, so that the text is this device's alone. */
const HOTTEST = 61

/**
 * ms from a reading being received to its temperature standing painted on the map, p95 of many. The map looks at the
 * whole country; the device stands alone off its coast, so its temperature is written beside its marker.
 */
export async function measureLatency(
  browser: Browser,
  url: string,
  signedIn: SignedIn,
  readings: number,
): Promise<number> {
  const context = await newWindow(browser, signedIn)
  const page = await context.newPage()
  await listenToPen(page)
  await page.goto(url)
  await firstMarkers(page)
  await send(url, HOTTEST - 1)
  await select(page)
  const taken: number[] = []
  for (let i = 0; i < readings; i++) {
    const temperature = HOTTEST + (i % 40) / 10
    const text = `${temperature.toFixed(1)} °C`
    const painted = page.evaluate((awaited) => window.whenPainted(awaited), text)
    const sent = await send(url, temperature)
    taken.push((await painted) - sent)
  }
  await context.close()
  return percentile(taken, 0.95)
}

declare global {
  interface Window {
    /** epoch ms at which the next painting that holds this text was on screen */
    whenPainted(text: string): Promise<number>
  }
}

/** From the street where a selection leads to the whole country. */
const ZOOM_STEPS = 12
/** The whole country is in sight below this zoom. */
const COUNTRY_ZOOM = 6

/** Listens to what is written on the map's canvas; the frame after a text was written shows it. */
async function listenToPen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const awaited = new Map<string, (at: number) => void>()
    const { fillText } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
      fillText.apply(this, [text, ...rest])
      const tell = awaited.get(text)
      if (tell === undefined) return
      awaited.delete(text)
      requestAnimationFrame(() => tell(Date.now()))
    }
    window.whenPainted = (text) =>
      new Promise((painted, failed) => {
        awaited.set(text, painted)
        setTimeout(() => failed(new Error(`${text} was not painted`)), 30_000)
      })
  })
}

/** In the list, which takes the map to it; then back out until the country is in sight, and let go: its label is painted. */
async function select(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Find in the list' }).fill(IMEI)
  await page.getByRole('list', { name: 'Devices' }).getByRole('button').first().click()
  await page.getByRole('region', { name: / on the map$/ }).waitFor({ state: 'visible' })
  const out = page.getByRole('button', { name: 'Zoom out' })
  for (let step = 0; step < ZOOM_STEPS; step++) await out.click()
  await page.waitForFunction(
    (most) => Number(document.querySelector<HTMLElement>('canvas[data-zoom]')?.dataset.zoom) < most,
    COUNTRY_ZOOM,
  )
  await page.getByRole('button', { name: 'Let go of the device' }).click()
}

/** @returns epoch ms at which it set out */
async function send(url: string, temperature: number): Promise<number> {
  const { now } = (await (await fetch(`${url}/api/time`)).json()) as { now: number }
  const sent = Date.now()
  const answer = await fetch(`${url}/api/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-device-key': DEVICE_KEY },
    body: JSON.stringify({
      readings: [{ imei: IMEI, at: Math.round(now), ...AT_SEA, temperature, humidity: 60 }],
    }),
  })
  const { accepted } = (await answer.json()) as { accepted: number }
  if (accepted !== 1) throw new Error(`The reading was not accepted: ${answer.status}`)
  return sent
}

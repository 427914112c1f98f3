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
 * ms from a reading being received to its temperature standing painted on the map, p95 of many. The map looks at as
 * much of the country as it names this device in, which stands alone off the coast.
 */
export async function measureLatency(
  browser: Browser,
  url: string,
  signedIn: SignedIn,
  readings: number,
): Promise<number> {
  const context = await newWindow(browser, signedIn)
  const page = await context.newPage()
  await listenToMap(page)
  await page.goto(url)
  await firstMarkers(page)
  await send(url, HOTTEST - 1)
  await standBack(page)
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
/** What was not written anew in so long is not written at all, ms: the map is painted once a second at least. */
const UNSEEN = 4_000

/** The map's element tells what it had drawn, in the frame after; the next one shows it. */
async function listenToMap(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const awaited = new Map<string, (at: number) => void>()
    type Room = HTMLElement & { drawnTexts?: { text: string }[] }
    const onDrawn = ({ target }: Event): void => {
      for (const { text } of (target as Room).drawnTexts ?? []) {
        awaited.get(text)?.(Date.now())
        awaited.delete(text)
      }
    }
    document.addEventListener('fleet-drawn', onDrawn, { capture: true })
    window.whenPainted = (text) =>
      new Promise((painted, failed) => {
        awaited.set(text, painted)
        setTimeout(() => failed(new Error(`${text} was not drawn`)), 30_000)
      })
  })
}

/** In the list, which takes the map to it; let go, then back out for as long as its label is written. */
async function standBack(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'Find in the list' }).fill(IMEI)
  await page.getByRole('list', { name: 'Devices' }).getByRole('button').first().click()
  await page.getByRole('region', { name: / on the map$/ }).waitFor({ state: 'visible' })
  await page.getByRole('button', { name: 'Let go of the device' }).click()
  const text = `${(HOTTEST - 1).toFixed(1)} °C`
  for (let step = 0; step < ZOOM_STEPS; step++) {
    await page.getByRole('button', { name: 'Zoom out' }).click()
    if (await isPainted(page, text)) continue
    await page.getByRole('button', { name: 'Zoom in' }).click()
    return
  }
}

const isPainted = (page: Page, text: string): Promise<boolean> =>
  page.evaluate(
    ([awaited, patience]) =>
      Promise.race([
        window.whenPainted(awaited).then(() => true),
        new Promise<boolean>((resolve) => setTimeout(resolve, patience, false)),
      ]),
    [text, UNSEEN] as const,
  )

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

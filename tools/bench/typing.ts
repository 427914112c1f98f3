import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright'
import { firstMarkers, newWindow, type SignedIn } from './browser.ts'

/** Nine characters, as somebody looking for one device types them. */
const TYPED = 'LHR-FRZ-T'
/** Between two keys, ms: a fast typist. */
const BETWEEN = 120
/** From the press that opens the list to the first key, ms: a hand takes some 400 to go from the mouse to the keys. */
const HOMING = 500
/** The event timeline tells durations from here on, in steps of 8 ms. */
const SHORTEST = 16

/**
 * The slowest of nine keys in the device search, from the press to the paint that answers it, ms.
 * @param settled ms the page is left alone before: names are read and the search is made ready while nothing else is due
 */
export async function measureTyping(
  browser: Browser,
  url: string,
  signedIn: SignedIn,
  settled: number,
): Promise<number> {
  const context = await newWindow(browser, signedIn)
  const page = await context.newPage()
  await page.goto(url)
  await firstMarkers(page)
  await pause(settled)
  await openSearch(page)
  const slowest = await slowestKey(page, () => page.keyboard.type(TYPED, { delay: BETWEEN }))
  await context.close()
  return slowest
}

/** Orders of the list that are chosen: texts, a group, numbers that move. */
const ORDERS = ['Name', 'IMEI', 'Group', 'Temperature', 'Updated'] as const

/** The slowest key that filters the dashboard's list, and the slowest that sorts it, from the press to the paint that answers it, ms. */
export async function measureListing(
  browser: Browser,
  url: string,
  signedIn: SignedIn,
  settled: number,
): Promise<{ filtering: number; sorting: number }> {
  const context = await newWindow(browser, signedIn)
  const page = await context.newPage()
  await page.goto(url)
  await firstMarkers(page)
  await pause(settled)
  await page.getByLabel('Find in the list').focus()
  const filtering = await slowestKey(page, async () => {
    await page.keyboard.type(TYPED, { delay: BETWEEN })
    for (const _ of TYPED) await page.keyboard.press('Backspace', { delay: BETWEEN })
  })
  await page.getByRole('button', { name: /order and columns$/ }).click()
  const order = page.getByRole('group', { name: 'Sort by' })
  const sorting = await slowestKey(page, async () => {
    for (const name of ORDERS) {
      await order.getByRole('button', { name, exact: true }).press('Enter')
      await pause(HOMING)
    }
  })
  await context.close()
  return { filtering, sorting }
}

/** ms of the slowest key among those that are pressed meanwhile; that one is let go of asks for nothing, and its paint may be the map's. */
async function slowestKey(page: Page, presses: () => Promise<void>): Promise<number> {
  await page.evaluate((durationThreshold) => {
    const slow: number[] = []
    Object.assign(window, { keyToPaint: slow })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (/^(keydown|keypress|input)$/.test(entry.name)) slow.push(entry.duration)
    }).observe({ type: 'event', durationThreshold } as PerformanceObserverInit)
  }, SHORTEST)
  await presses()
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted, 500))))
  const slow = await page.evaluate(() => (window as unknown as { keyToPaint: number[] }).keyToPaint)
  return Math.max(SHORTEST, ...slow)
}

async function openSearch(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Devices/ }).click()
  await page.getByRole('combobox', { name: 'Search devices' }).waitFor()
  await pause(HOMING)
}

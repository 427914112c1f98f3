import type { Browser } from 'playwright'
import { firstMarkersOnLand, newWindow, type SignedIn } from './browser.ts'
import { median } from './figures.ts'

/** ms from navigation to the first markers and the land below them, the median of several windows with an empty cache. */
export async function measureFirstMarkers(
  browser: Browser,
  url: string,
  signedIn: SignedIn,
  runs: number,
): Promise<number> {
  const taken: number[] = []
  for (let run = 0; run < runs; run++) {
    const context = await newWindow(browser, signedIn)
    const page = await context.newPage()
    await page.goto(url, { waitUntil: 'commit' })
    taken.push(await firstMarkersOnLand(page))
    await context.close()
  }
  return median(taken)
}

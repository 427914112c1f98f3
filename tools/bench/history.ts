import type { Browser, Page } from 'playwright'
import { newWindow, type SignedIn } from './browser.ts'
import { atMost, type Figure, median } from './figures.ts'

const DAY = 24 * 3_600_000
const WARM_UP = 3

/** How long a device's 24 hours take: the answer over HTTP as a caller waits for it, and the page until both charts stand. */
export async function measureHistory(
  browser: Browser,
  url: string,
  signedIn: SignedIn,
  imeis: readonly string[],
): Promise<Figure[]> {
  const { now, token } = await ask(url, signedIn)
  const answered: number[] = []
  for (const imei of imeis) {
    const data = JSON.stringify({ startDate: now - DAY, endDate: now })
    const address = `${url}/api/things/${imei}/observations?maxPoints=1200&data=${encodeURIComponent(data)}`
    const began = performance.now()
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
    answered.push(performance.now() - began)
  }

  const context = await newWindow(browser, signedIn)
  const page = await context.newPage()
  await markDrawnCharts(page)
  const drawn: number[] = []
  for (const imei of imeis.slice(0, 10)) {
    await page.goto(`${url}/temperature/${imei}`)
    await page.waitForFunction(() => performance.getEntriesByName('charts-drawn').length > 0)
    drawn.push(await page.evaluate(drawnAfterAnswer))
  }
  await context.close()
  return [
    atMost('device history, 24 h: answered, median', median(answered.slice(WARM_UP)), 20, 'ms', 1),
    atMost('device history, 24 h: drawn after the answer, median', median(drawn), 200, 'ms'),
  ]
}

/** Marks the frame in which both charts stand for the first time. */
async function markDrawnCharts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelectorAll('section[aria-label$=" chart"] svg[role="img"]').length < 2) return
      observer.disconnect()
      requestAnimationFrame(() => performance.mark('charts-drawn'))
    })
    observer.observe(document, { childList: true, subtree: true })
  })
}

/** ms from the last byte of the answer to the paint that shows both charts. */
function drawnAfterAnswer(): number {
  const answer = performance
    .getEntriesByType('resource')
    .findLast(({ name }) => name.includes('/observations?')) as PerformanceResourceTiming
  const painted = performance.getEntriesByName('charts-drawn').at(-1)
  if (painted === undefined) throw new Error('The charts were not drawn')
  return painted.startTime - answer.responseEnd
}

async function ask(url: string, signedIn: SignedIn): Promise<{ now: number; token: string }> {
  const stored = signedIn.origins[0]?.localStorage.find(({ name }) => name === 'token')?.value
  if (stored === undefined) throw new Error('The portal keeps no token')
  const { now } = (await (await fetch(`${url}/api/time`)).json()) as { now: number }
  return { now, token: stored }
}

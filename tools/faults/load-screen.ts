import { setTimeout as pause } from 'node:timers/promises'
import { firstMarkers, newWindow, openBrowser, signIn } from '../bench/browser.ts'

const PATIENCE_MS = 60_000

/**
 * Opens the live map in a browser, today's notifications above it, and looks on for so long, ms. It takes a good part of a
 * machine: what else is measured meanwhile says little of the server.
 * @returns of each alarm that came, ms from when it happened until the frame after the one that painted it
 */
export async function alarmsOnScreen(url: string, lasts: number): Promise<number[]> {
  const browser = await openBrowser()
  try {
    const context = await newWindow(browser, await signIn(browser, url))
    const page = await context.newPage()
    await page.goto(url)
    await firstMarkers(page)
    await page.getByRole('button', { name: /^Notifications/ }).click()
    const todays = page.getByRole('dialog', { name: 'Notifications of today' })
    await todays.getByText('High temperature').first().waitFor({ timeout: PATIENCE_MS })
    await todays.evaluate((dialog) => {
      const seen: number[] = []
      const shown = (at: number) => requestAnimationFrame(() => seen.push(Date.now() - at))
      new MutationObserver((changes) => {
        for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
          if (!(node instanceof HTMLLIElement) || !node.textContent.includes('High temperature')) continue
          const at = Date.parse(node.querySelector('time')?.dateTime ?? '')
          requestAnimationFrame(() => shown(at))
        }
      }).observe(dialog, { childList: true, subtree: true })
      Object.assign(window, { seen })
    })
    await pause(lasts)
    return await page.evaluate(() => (window as unknown as { seen: number[] }).seen)
  } finally {
    await browser.close()
  }
}

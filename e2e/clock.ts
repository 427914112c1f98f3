import type { Page } from '@playwright/test'

/** The clock of a browser that stands. */
export type StoppedClock = {
  /** so many ms go by */
  pass(ms: number): Promise<void>
}

/**
 * Stops the clock of a page once it is open: what waits in it waits until time is let pass.
 * @param open opens the page, and waits until it has begun
 */
export async function stopClock(page: Page, open: () => Promise<void>): Promise<StoppedClock> {
  await page.clock.install()
  await open()
  // it goes on from where it is: a moment ahead is where it can be stopped for certain
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  return { pass: (ms) => page.clock.runFor(ms) }
}

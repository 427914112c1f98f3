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
  await standStill(page)
  return { pass: (ms) => page.clock.runFor(ms) }
}

/** Stops a clock that was installed, a second ahead of where it is. */
export async function standStill(page: Page): Promise<void> {
  const stop = async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000)
  // On a machine so busy that the second is over by then, it is refused, and the clock stands all the same: then it is ahead.
  await stop().catch(stop)
}

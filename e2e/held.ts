import { expect, type Page, type Route } from '@playwright/test'

/** Requests that wait at the browser's door until a test says what comes of them, one at a time. */
export type Held = {
  /** one is waiting */
  isHeld(): Promise<void>
  /** goes on to the server */
  release(): Promise<void>
  /** the server says no */
  refuse(status: number, message: string): Promise<void>
  /** the network is gone */
  giveNoAnswer(): Promise<void>
  /** the server took too long */
  takeTooLong(): Promise<void>
}

/** Holds back what a page asks at addresses like these. */
export async function holdBack(page: Page, addresses: RegExp): Promise<Held> {
  let waiting: Route | undefined
  await page.route(addresses, (route) => {
    waiting = route
  })
  const take = (): Route => {
    const route = waiting as Route
    waiting = undefined
    return route
  }
  return {
    isHeld: () => expect.poll(() => waiting !== undefined, 'the server is asked').toBe(true),
    release: () => take().continue(),
    refuse: (status, message) => take().fulfill({ status, json: { code: status, message } }),
    giveNoAnswer: () => take().abort(),
    takeTooLong: () => take().fulfill({ status: 408, body: '' }),
  }
}

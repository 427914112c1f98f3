import { expect, type Page, type Request, type Route } from '@playwright/test'

/** Requests that wait at the browser's door until a test says what comes of them, one at a time. */
export type Held = {
  /** one is waiting */
  isHeld(): Promise<void>
  /** the one that waits */
  request(): Request
  /** the page gives up the one that waits: the next is meant */
  giveUp(): void
  /** goes on to the server */
  release(): Promise<void>
  /** the server answers, but other things than it would now; with an answer in JSON */
  answer<Answer>(change: (answer: Answer) => unknown): Promise<void>
  /** answered in JSON as the server might, which is never asked: what it would do is not done */
  feign(answer: unknown): Promise<void>
  /** the server says no; `errors`: to which fields, and why */
  refuse(status: number, message: string, errors?: { path: string; message: string }[]): Promise<void>
  /** the network is gone */
  giveNoAnswer(): Promise<void>
  /** the server took too long */
  takeTooLong(): Promise<void>
}

/** How a condition in this process is looked at: that costs nothing. In ms. */
export const CLOSELY = { intervals: [20] }

/** Holds back what a page asks at addresses like these; by one method alone where one is named. */
export async function holdBack(page: Page, addresses: RegExp, method?: string): Promise<Held> {
  let waiting: Route | undefined
  await page.route(addresses, (route) => {
    if (method !== undefined && route.request().method() !== method) return route.fallback()
    waiting = route
  })
  const take = (): Route => {
    const route = waiting as Route
    waiting = undefined
    return route
  }
  return {
    isHeld: () =>
      expect.poll(() => waiting !== undefined, { message: 'the server is asked', ...CLOSELY }).toBe(true),
    request: () => (waiting as Route).request(),
    giveUp: () => {
      waiting = undefined
    },
    release: () => take().continue(),
    answer: async (change) => {
      const route = take()
      await route.fulfill({ json: change(await (await route.fetch()).json()) })
    },
    feign: (answer) => take().fulfill({ json: answer }),
    refuse: (status, message, errors) =>
      take().fulfill({ status, json: { code: status, message, ...(errors && { errors }) } }),
    giveNoAnswer: () => take().abort(),
    takeTooLong: () => take().fulfill({ status: 408, body: '' }),
  }
}

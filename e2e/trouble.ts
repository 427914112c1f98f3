import type { BrowserContext } from '@playwright/test'

/** What went wrong in a browser behind the visitor's back. */
export type Trouble = {
  /** from here on this is part of the journey: `allow(/401/)` */
  allow(expected: RegExp): void
  /** everything else, in words */
  unexpected(): string[]
}

/**
 * What a browser says on its own when nobody answers. A script that did not come rejects with an event, which has no words.
 */
export const CUT_OFF =
  /ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_SOCKET|ERR_INTERNET_DISCONNECTED|WebSocket|no answer|Failed to fetch|Worker failed|preload CSS|PartMissing|^exception: $/

/** What a map says that is left while it fetches its tiles: an error without a word. */
const LEFT_MAP = /^console: Error \(\S*maplibre-/

/**
 * Listens to all pages of a browser window: errors on the console (a broken content policy and a refused call are
 * among them), exceptions nobody caught, and requests without an answer.
 */
export function watchTrouble(context: BrowserContext): Trouble {
  const heard: string[] = []
  const allowed = [LEFT_MAP]
  context.on('console', (message) => {
    if (message.type() === 'error') heard.push(`console: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => heard.push(`exception: ${error.error().stack ?? error.error().message}`))
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'no answer'
    // The page itself gave up asking: it was left, or somebody typed on.
    if (reason !== 'net::ERR_ABORTED')
      heard.push(`no answer: ${request.method()} ${request.url()}: ${reason}`)
  })
  return {
    allow: (expected) => allowed.push(expected),
    unexpected: () => heard.filter((line) => !allowed.some((expected) => expected.test(line))),
  }
}

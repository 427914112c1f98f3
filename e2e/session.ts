import type { Page } from '@playwright/test'
import { signIn } from './control.ts'

/** With no icon, or the browser would look for one. */
const BLANK = '<link rel="icon" href="data:,">'

/** Leaves a new session of somebody in the browser's storage as the portal itself keeps it; the next page finds it. */
export async function bringSession(
  page: Page,
  origin: string,
  account: string,
  password: string,
): Promise<void> {
  const session = await signIn(origin, account, password)
  const { user, companyInfo, groupInfo, access_token: accessToken, refresh_token: refreshToken } = session
  const kept = {
    user_id: user._id,
    token: accessToken,
    refreshToken,
    identityId: session.identityId,
    companyInfo: JSON.stringify(companyInfo),
    groupInfo: JSON.stringify(groupInfo),
    user: JSON.stringify({ ...user, accessToken }),
  }
  // storage is the origin's: a page of it that the server is not even asked for will do
  const blank = `${origin}/blank`
  await page.route(blank, (route) => route.fulfill({ contentType: 'text/html', body: BLANK }), { times: 1 })
  await page.goto(blank)
  await page.evaluate((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  }, kept)
}

/**
 * Resolves when the next page that opens there is let in where it hears what happens to its session: who does not hear finds out by being
 * refused, and is not loaded anew. To be begun before the page opens.
 */
export async function isListening(page: Page): Promise<void> {
  await page.waitForEvent('websocket', {
    predicate: async (socket) => {
      if (!socket.url().includes('/socket.io/')) return false
      const admitted = socket.waitForEvent('framereceived', ({ payload }) =>
        String(payload).startsWith(ADMITTED),
      )
      // one that fails is followed by the next
      return admitted.then(
        () => true,
        () => false,
      )
    },
  })
}

/** How Socket.IO says it. */
const ADMITTED = '40/notifications,'

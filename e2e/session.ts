import type { Page } from '@playwright/test'
import { signIn } from './control.ts'

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
  // storage is the origin's: the lightest page of it will do
  await page.goto(`${origin}/favicon.svg`)
  await page.evaluate((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  }, kept)
}

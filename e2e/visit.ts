import type { Page } from '@playwright/test'
import { OPERATOR, PASSWORD } from './app.ts'
import { bringSession } from './session.ts'

/** The operator looks at a page of the portal; whoever is there already stays as they are. */
export async function visit(page: Page, origin: string, path: string): Promise<void> {
  if (page.url() === `${origin}${path}`) return
  if (!page.url().startsWith(origin)) await bringSession(page, origin, OPERATOR, PASSWORD)
  await page.goto(path)
}

import { expect, OPERATOR, PASSWORD, type Visitor } from './app.ts'
import { bringSession } from './session.ts'

/** The operator looks at a page of the portal; whoever is there already stays as they are, and follows to another page. */
export async function visit({ page, shell }: Visitor, origin: string, path: string): Promise<void> {
  if (page.url() === `${origin}${path}`) return
  if (page.url().startsWith(origin)) return shell.follow(path)
  await bringSession(page, origin, OPERATOR, PASSWORD)
  await page.goto(path)
}

/**
 * Nobody is signed in, and the page of sign-in stands there, from which a page that is followed to begins anew: nothing is
 * held back any more, and nothing that popped up is left. Loads the portal only where it is not open.
 */
export async function startSignedOut({ page, shell, login }: Visitor, origin: string): Promise<void> {
  if (page.url().startsWith(origin)) await shell.follow('/login')
  else await page.goto('/login')
  await login.isShown()
  await page.unrouteAll()
  await shell.closeToasts()
}

/**
 * The operator stands on a page that asks for nothing, from which a page that is followed to begins anew: nothing is held
 * back any more, nothing that popped up is left, and what was typed is given up. Loads the portal only where nobody is in it.
 */
export async function startElsewhere({ page, shell }: Visitor, origin: string): Promise<void> {
  if (page.url().startsWith(origin)) await shell.follow('/aboutus')
  else {
    await bringSession(page, origin, OPERATOR, PASSWORD)
    await page.goto('/aboutus')
  }
  const away = shell.content.getByRole('heading', { name: 'About Us', level: 1 })
  const leave = page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Leave' })
  await expect(away.or(leave)).toBeVisible()
  if (await leave.isVisible()) await leave.click()
  await expect(away).toBeVisible()
  // not before: a page that is still there would ask the server itself
  await page.unrouteAll()
  await shell.closeToasts()
}

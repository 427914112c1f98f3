import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What is right need not be told in full, and no style sheet is fetched anew for rules that are not asked. */
const FAULTS_ALONE: axe.RunOptions = { runOnly: WCAG, resultTypes: ['violations'], preload: false }

/** How pages are looked at: colours are the theme's and the layout the width's, whatever the other is. */
export const LOOKS = [
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 1280 },
] as const

/** What is on the page now breaks none of the rules a machine can check. */
export async function isAccessible(page: Page): Promise<void> {
  // Colours are checked when they have come to rest; a toast begins to come into view once it is there.
  await expect(page.locator('[data-sonner-toast][data-mounted="false"]')).toHaveCount(0)
  // What inherits a colour goes after it in a passing of its own, which begins when the other's is on its way.
  await page.evaluate(async () => {
    const passing = () =>
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    for (let left = passing(); left.length > 0; left = passing())
      await Promise.allSettled(left.map(({ finished }) => finished))
  })
  // A page keeps it until it is left. The portal has no frames, which would need one each.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found = await page.evaluate(async (options) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, options)
    return violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html}\n  ${failureSummary}`).join('\n')}`,
    )
  }, FAULTS_ALONE)
  expect(found, page.url()).toEqual([])
}

/** A page that is there is made each look in turn, and checked when it has taken it on. */
export async function isAccessibleInEachLook(page: Page): Promise<void> {
  for (const { colorScheme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    await page.waitForFunction(isInLook, { colorScheme, width })
    await isAccessible(page)
  }
}

/** Two pictures later what follows from a look is drawn as well. */
function isInLook({ colorScheme, width }: { colorScheme: string; width: number }): Promise<boolean> {
  return new Promise((done) =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        done(matchMedia(`(prefers-color-scheme: ${colorScheme})`).matches && window.innerWidth === width),
      ),
    ),
  )
}

import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** What is right need not be told in full, and no style sheet is fetched anew for rules that are not asked. */
const FAULTS_ALONE: Parameters<AxeBuilder['options']>[0] = { resultTypes: ['violations'], preload: false }

/** How pages are looked at: colours are the theme's and the layout the width's, whatever the other is. */
export const LOOKS = [
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 1280 },
] as const

/** What is on the page now breaks none of the rules a machine can check. */
export async function isAccessible(page: Page): Promise<void> {
  // Colours are judged when they have come to rest; a toast begins to come into sight once it is there.
  await expect(page.locator('[data-sonner-toast][data-mounted="false"]')).toHaveCount(0)
  await page.evaluate(() => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    return Promise.allSettled(passing.map(({ finished }) => finished)).then(() => undefined)
  })
  const { violations } = await new AxeBuilder({ page })
    .options({ ...FAULTS_ALONE })
    .withTags(WCAG)
    .analyze()
  const told = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => `  ${html}`).join('\n')}`,
  )
  expect(told, page.url()).toEqual([])
}

import type { Locator, Page } from '@playwright/test'
import { isAccessible } from '../accessible.ts'
import { CALM, expect, test } from '../app.ts'

test.use({ world: CALM, viewport: { width: 1280, height: 800 } })
test.beforeAll(({ app }) => app.sim.pause())

const CONFIRMED = 'asking: confirm → deleting'

test('a tester, signed out, picks a transition in the chart and plays the way to it', async ({ visitor }) => {
  const { page } = visitor
  await page.goto('/lab')
  await page.getByRole('link', { name: 'confirm-delete' }).click()
  const chart = page.getByRole('img', { name: 'Chart of confirm-delete' })
  await chart.locator('.label', { hasText: 'confirm' }).first().click()
  await expect(page.getByRole('heading', { name: CONFIRMED })).toBeVisible()
  await expect(page.getByRole('button', { name: CONFIRMED })).toHaveAttribute('aria-pressed', 'true')

  const step = page.getByRole('button', { name: 'Step' })
  await step.click()
  await expect(page.locator('[aria-current=step]')).toHaveText('It is asking.')
  await step.click()
  await expect(page.getByText(`Arrived. Took ${CONFIRMED}.`)).toBeVisible()
  await expect(chart.locator('.way.is-taken title')).toHaveText(new RegExp(`^${CONFIRMED}`))
  await expect(chart.locator('.is-within .title')).toHaveText('deleting')

  await page.getByRole('button', { name: 'deleting: deleteRecord fails → failed' }).press('Enter')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText('Arrived. Took deleting: deleteRecord fails → failed.')).toBeVisible()
  await isAccessible(page)
})

test('what tests and people did is on the charts', async ({ signedInAt }) => {
  const { page, shell } = await signedInAt('/aboutus')
  await shell.isLive()
  await page.goto('/lab/session')
  // the test before this one left it there
  await expect(covered(page, 'State idle')).toHaveText(['covered', 'covered', 'covered'])
  const remembered = covered(page, 'idle: at once [isRemembered] → authenticated')
  await expect(remembered.last()).toHaveText('covered')
  await page.getByRole('button', { name: 'Forget it' }).click()
  await expect(remembered.last()).toHaveText('not covered')
})

/** The cells of a row: by generated paths, end-to-end tests, and here. */
function covered(page: Page, name: string): Locator {
  return page
    .getByRole('row')
    .filter({ has: page.getByRole('button', { name, exact: true }) })
    .getByRole('cell')
}

import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { createFleet } from '../read-model/fleet.ts'
import { SidebarNav } from './sidebar-nav.tsx'
import { mountPage, type PageHarness } from './testing/mount-page.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

test('the sidebar lists its pages, those of a section as long as it stands open', async () => {
  harness = await mountPage(<SidebarNav isWide />, {
    at: '/',
    server: {},
    fleet: createFleet((call) => call()),
  })
  for (const [title, path] of [
    ['Dashboard', '/'],
    ['Temp Observations', '/devices/chiller-observation'],
    ['Groups', '/groups'],
  ] as const)
    await expect.element(page.getByRole('link', { name: title })).toHaveAttribute('href', path)
  for (const [section, inside] of [
    ['Reports', ['All reports', 'Schedule Report', 'Report Logs']],
    ['Visualization', ['Violations', 'Summary']],
    ['Settings', ['Account', 'Users']],
  ] as const) {
    const links = inside.map((name) => page.getByRole('link', { name, exact: true }))
    for (const link of links) await expect.element(link).toBeVisible()
    await page.getByRole('button', { name: section }).click()
    for (const link of links) await expect.element(link).not.toBeInTheDocument()
  }
})

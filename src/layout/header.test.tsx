import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { createFleet } from '../read-model/fleet.ts'
import { Header } from './header.tsx'
import { mountPage, type PageHarness } from './testing/mount-page.tsx'

let harness: PageHarness
const nothingToday = { notifications: [], notificationsCount: 0, hasMore: false, unread: 120, seq: 0 }
const nothing = () => {}
const menu = page.getByRole('button', { name: /^Bilal.*menu$/ })

function HeaderHarness() {
  return <Header live={useStore(useRoot().live)} onMenu={nothing} onSearch={nothing} />
}

beforeEach(async () => {
  await page.viewport(1280, 600)
  harness = await mountPage(<HeaderHarness />, {
    at: '/aboutus',
    server: { 'POST /groups/top/notifications': { body: nothingToday } },
    fleet: createFleet((call) => call()),
  })
})
afterEach(() => harness.unmount())

test('the bell counts up to 99+, says when nothing happened today, and leads to all there is', async () => {
  await page.getByRole('button', { name: 'Notifications, 99+ new' }).click()
  const today = page.getByRole('dialog', { name: 'Notifications of today' })
  await expect.element(today.getByText('No Notifications Yet!')).toBeVisible()
  await today.getByRole('link', { name: 'View All' }).click()
  expect(harness.went().at(-1)).toBe('/notifications')
  await expect.element(today).not.toBeInTheDocument()
})

test('the group’s picture leads to its settings, the user menu to everything else of theirs', async () => {
  await page.getByRole('link', { name: 'Indus, group settings' }).click()
  expect(harness.went().at(-1)).toBe('/account')
  for (const [name, path] of [
    ['Help', '/help'],
    ['About Us', '/aboutus'],
    ['Account', '/account'],
    ['Users', '/users'],
  ] as const) {
    await menu.click()
    await page.getByRole('menuitem', { name, exact: true }).click()
    expect(harness.went().at(-1)).toBe(path)
  }
})

test('the user menu opens with a key, is walked with keys, and gives the focus back', async () => {
  await expect.element(menu).toHaveAttribute('aria-haspopup', 'menu')
  ;(menu.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(menu).toHaveAttribute('aria-expanded', 'true')
  await expect.element(page.getByRole('menuitem', { name: 'Help' })).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(page.getByRole('menuitem', { name: 'About Us' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  await expect.element(menu).toHaveFocus()
})

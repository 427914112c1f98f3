import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { Header } from './header.tsx'
import { clock, deskWith, incident, notificationOf, threeDevices } from './incidents/testing.ts'
import { mountPage, type PageHarness } from './testing/mount-page.tsx'

let harness: PageHarness
const nothingToday = { notifications: [], notificationsCount: 0, hasMore: false, unread: 120, seq: 0 }
const ACKNOWLEDGE = 'POST /users/notifications/f2/acknowledge'
const nothing = () => {}
const menu = page.getByRole('button', { name: /^Bilal.*menu$/ })

function HeaderHarness() {
  return <Header live={useStore(useRoot().live)} onMenu={nothing} onSearch={nothing} />
}

beforeEach(async () => {
  await page.viewport(1280, 600)
  harness = await mountPage(<HeaderHarness />, {
    at: '/aboutus',
    server: {
      'POST /groups/top/notifications': { body: nothingToday },
      'GET /groups/top/incidents': { body: deskWith({ open: [incident(1), incident(2)] }) },
      [ACKNOWLEDGE]: { body: notificationOf(incident(2)) },
    },
    fleet: threeDevices(),
    clock,
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

test('the bell lists what is open as the dashboard does, the worst first; it is acknowledged there', async () => {
  await page.getByRole('button', { name: 'Notifications, 99+ new' }).click()
  const open = page.getByRole('region', { name: 'Open' })
  await expect.element(open).toMatchTextContent(/Open 2.*nobody has 2.*Reefer 2.*15\.6 above 8.*Reefer 1/)
  await open.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByRole('button', { name: 'Defrost' }).click()
  await expect.poll(() => harness.calls(ACKNOWLEDGE).map(({ body }) => body)).toEqual([{ reason: 'Defrost' }])
  await expect.element(page.getByRole('dialog', { name: 'Acknowledge' })).not.toBeInTheDocument()
  await open.getByRole('button', { name: /Reefer 1/ }).click()
  expect(harness.went().at(-1)).toBe(`/temperature/${incident(1).imei}`)
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
  const heard: string[] = []
  const listen = ({ key }: KeyboardEvent) => void heard.push(key)
  window.addEventListener('keydown', listen)
  await userEvent.keyboard('?')
  window.removeEventListener('keydown', listen)
  expect(heard, 'keys of the page are the page’s').toContain('?')
})

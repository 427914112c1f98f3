import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { setTimeZone } from '../format/time.ts'
import { Header } from './header.tsx'
import { cleared, clock, deskWith, incident, notificationOf, threeDevices } from './incidents/testing.ts'
import { mountPage, type PageHarness } from './testing/mount-page.tsx'
import type { Answer, Server } from './testing/test-root.ts'
import { topOf } from './testing/top-of.ts'

let harness: PageHarness
const nothingToday = { notifications: [], notificationsCount: 0, hasMore: false, unread: 120, seq: 0 }
const ACKNOWLEDGE = 'POST /users/notifications/f2/acknowledge'
const NOTIFICATIONS = 'POST /groups/top/notifications'
const INCIDENTS = 'GET /groups/top/incidents'
const nothing = () => {}
const today = page.getByRole('dialog', { name: 'Notifications of today' })
const menu = page.getByRole('button', { name: /^Bilal.*menu$/ })

function HeaderHarness() {
  return <Header live={useStore(useRoot().live)} onMenu={nothing} onSearch={nothing} />
}

async function shown(server: Server = {}) {
  harness = await mountPage(<HeaderHarness />, {
    at: '/aboutus',
    server: {
      [NOTIFICATIONS]: { body: nothingToday },
      [INCIDENTS]: { body: deskWith({ open: [incident(1), incident(2)] }) },
      [ACKNOWLEDGE]: { body: notificationOf(incident(2)) },
      ...server,
    },
    fleet: threeDevices(),
    clock,
  })
}
beforeEach(() => {
  setTimeZone('Asia/Karachi')
  return page.viewport(1280, 600)
})
afterEach(() => harness.unmount())

test('the bell counts up to 99+, says when nothing happened today, and leads to all there is', async () => {
  await shown()
  await page.getByRole('button', { name: 'Notifications, 99+ new' }).click()
  await expect.element(today.getByText('No Notifications Yet!')).toBeVisible()
  await today.getByRole('link', { name: 'View All' }).click()
  await expect.poll(() => harness.went().at(-1)).toBe('/notifications')
  await expect.element(today).not.toBeInTheDocument()
})

test('the bell lists what is open as the dashboard does, the worst first; it is acknowledged there', async () => {
  await shown()
  await page.getByRole('button', { name: 'Notifications, 99+ new' }).click()
  const open = page.getByRole('region', { name: 'Open' })
  await expect.element(open).toMatchTextContent(/Open 2.*nobody has 2.*Reefer 2.*15\.6 above 8.*Reefer 1/)
  await open.getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByRole('button', { name: 'Defrost' }).click()
  await expect.poll(() => harness.calls(ACKNOWLEDGE).map(({ body }) => body)).toEqual([{ reason: 'Defrost' }])
  await expect.element(page.getByRole('dialog', { name: 'Acknowledge Reefer 2' })).not.toBeInTheDocument()
  await open.getByRole('button', { name: /Reefer 1/ }).click()
  await expect.poll(() => harness.went().at(-1)).toBe(`/temperature/${incident(1).imei}`)
})

test('the window opened in the bell stays where nothing is open any more', async () => {
  await shown({ [INCIDENTS]: { body: deskWith({ open: [incident(2)] }) } })
  await page.getByRole('button', { name: 'Notifications, 99+ new' }).click()
  const open = page.getByRole('region', { name: 'Open' })
  await open.getByRole('button', { name: 'Acknowledge' }).click()
  harness.news.facts$.next(cleared(incident(2)))
  await expect.element(open).not.toBeInTheDocument()
  const asking = page.getByRole('dialog', { name: 'Acknowledge Reefer 2' })
  await asking.getByRole('button', { name: 'Defrost' }).click()
  await expect.element(asking).not.toBeInTheDocument()
  expect(harness.calls(ACKNOWLEDGE)).toEqual([])
})

test('the bell shows an incident whole, and what it does not have room for is scrolled to', async () => {
  for (const [width, height] of [
    [390, 844],
    [844, 390],
  ] as const) {
    await page.viewport(width, height)
    await shown({ [INCIDENTS]: { body: deskWith({ open: [incident(2)] }) } })
    await page.getByRole('button', { name: 'Notifications, 99+ new' }).click()
    const row = today.getByRole('listitem').filter({ hasText: 'Reefer 2' })
    await expect.element(row).toBeVisible()
    const rows = row.element().closest('ul')?.parentElement as HTMLElement
    expect(rows.clientHeight).toBe(row.element().clientHeight)
    const heading = today.getByRole('heading', { name: 'Today' }).element()
    heading.scrollIntoView()
    expect(heading.getBoundingClientRect().bottom).toBeLessThan(height)
    harness.unmount()
  }
})

test('the bell says how many of today’s it does not list, and leads to all of today’s', async () => {
  const notifications = Array.from({ length: 50 }, (_, i) => notificationOf(incident(i)))
  const body = { ...nothingToday, notifications, notificationsCount: 300, hasMore: true }
  await shown({ [NOTIFICATIONS]: { body } })
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const rest = today.getByRole('link', { name: 'and 280 more today' })
  await rest.click()
  await expect.poll(() => harness.went().at(-1)).toMatch(/^\/notifications\?date=\S+Z\.\.\S+Z$/)
})

test('what leads from the bell to all there is stays where it is while what the bell tells comes', async () => {
  const notifications = Promise.withResolvers<Answer>()
  const incidents = Promise.withResolvers<Answer>()
  await shown({ [NOTIFICATIONS]: () => notifications.promise, [INCIDENTS]: () => incidents.promise })
  await page.getByRole('button', { name: 'Notifications' }).click()
  await expect.element(today.getByRole('status', { name: 'Loading' })).toBeVisible()
  const place = () => topOf(today.getByRole('link', { name: 'View All' }).element())
  const before = place()
  notifications.resolve({
    body: {
      ...nothingToday,
      notifications: Array.from({ length: 9 }, (_, i) => notificationOf(incident(i))),
    },
  })
  await expect.element(today.getByRole('listitem').first()).toBeVisible()
  expect(place()).toBe(before)
  incidents.resolve({ body: deskWith({ open: [incident(1), incident(2)] }) })
  await expect.element(today.getByRole('region', { name: 'Open' })).toBeVisible()
  expect(place()).toBe(before)
})

test('the group’s picture leads to its settings, the user menu to everything else of theirs', async () => {
  await shown()
  await page.getByRole('link', { name: 'Indus, group settings' }).click()
  await expect.poll(() => harness.went().at(-1)).toBe('/account')
  for (const [name, path] of [
    ['Help', '/help'],
    ['About Us', '/aboutus'],
    ['Account', '/account'],
    ['Users', '/users'],
  ] as const) {
    await menu.click()
    await page.getByRole('menuitem', { name, exact: true }).click()
    await expect.poll(() => harness.went().at(-1)).toBe(path)
  }
})

test('the user menu opens with a key, is walked with keys, and gives the focus back', async () => {
  await shown()
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

test('on a phone it is told how old the data is and why nothing comes; a screen reader is told what changed', async () => {
  await page.viewport(390, 600)
  await shown()
  const status = page.getByRole('status')
  await expect.element(status).toHaveTextContent('catching up')
  harness.root.link.set({ state: 'live', since: null, dataAt: clock.now() - 14 * 60_000 })
  await expect.element(page.getByText('live, data 14 min ago')).toBeVisible()
  expect(status.element().textContent).toBe('live')
  harness.root.link.set({ state: 'offline', since: clock.now(), dataAt: null, hindrance: 'trying' })
  await expect.element(status).toHaveTextContent('offline since 10:00, trying')
  const words = page.getByText('offline since 10:00, trying').first()
  await expect.element(words).toBeVisible()
  // a line that is cut off would be 12 px more
  expect(words.element().scrollHeight).toBeLessThan(words.element().clientHeight + 6)
  const header = status.element().closest('header') as HTMLElement
  expect(header.scrollWidth).toBe(header.clientWidth)
})

test('the picture of the group leads to its settings on the narrowest phone, where nothing is cut off', async () => {
  await page.viewport(360, 600)
  await shown()
  const group = page.getByRole('link', { name: /, group settings$/ })
  await expect.element(group).toBeVisible()
  const header = group.element().closest('header') as HTMLElement
  expect(header.scrollWidth).toBe(header.clientWidth)
  await group.click()
  await expect.poll(() => harness.went().at(-1)).toBe('/account')
})

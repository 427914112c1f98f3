import { useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import {
  cleared,
  clock,
  deskWith,
  incident,
  notificationOf,
  opened,
  threeDevices,
} from './incidents/testing.ts'
import Palette from './palette.tsx'
import { mountPage, type PageHarness } from './testing/mount-page.tsx'

let harness: PageHarness
const SHELVE = `POST /things/${incident(2).imei}/violations/HIGH_TEMPERATURE_DETECTED/shelve`
const MOVE = 'POST /things/move'
const TAKE = 'POST /users/notifications/f1/take'
const option = (name: RegExp) => page.getByRole('option', { name })

function Harness() {
  const desk = useStore(useRoot().live)?.desk
  const [isOpen, setOpen] = useState(true)
  return isOpen && desk && <Palette desk={desk} onClose={() => setOpen(false)} />
}

beforeEach(async () => {
  await page.viewport(1280, 800)
  const { imei, type, since } = incident(2)
  const silence = { imei, type, until: since, reason: 'Defrost', userName: 'Bilal', createdAt: since }
  harness = await mountPage(<Harness />, {
    at: '/aboutus',
    server: {
      'GET /groups/top/incidents': { body: deskWith({ open: [incident(1), incident(2)] }) },
      [SHELVE]: { body: silence },
      [MOVE]: { body: { moved: 1, refused: [] } },
      [TAKE]: { body: notificationOf(incident(1)) },
    },
    fleet: threeDevices(),
    clock,
  })
  // what is done to what is open is offered once that is known; what is typed goes where the focus is
  await expect.poll(() => harness.root.live.get()?.desk.known.get()).toBeDefined()
  await expect.element(page.getByRole('combobox')).toHaveFocus()
})
afterEach(() => harness.unmount())

test('a device with something open stands as its row does elsewhere, and leads to its page', async () => {
  await userEvent.keyboard('reefer 2')
  await expect
    .element(option(/Reefer 2/))
    .toMatchTextContent(/23\.6 °C.*15\.6 above 8.*1 h 00.*Nobody has it/)
  await userEvent.keyboard('{Enter}')
  expect(harness.went().at(-1)).toBe(`/temperature/${incident(2).imei}`)
})

test('what is open is shelved by its name, with a reason', async () => {
  await userEvent.keyboard('shel{Enter}')
  await expect.element(page.getByRole('option').first()).toMatchTextContent(/Reefer 2/)
  await userEvent.keyboard('2{Enter}')
  await page.getByRole('button', { name: 'Defrost' }).click()
  await expect
    .poll(() => harness.calls(SHELVE).map(({ body }) => body))
    .toEqual([{ minutes: 60, reason: 'Defrost' }])
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('one is taken at once; where nothing is open to do that to, it says so', async () => {
  await userEvent.keyboard('take nobody')
  await expect.element(page.getByText('Nothing is open to do that to.')).toBeVisible()
  await page.getByRole('combobox').fill('take leb-1')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => harness.calls(TAKE)).toHaveLength(1)
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('one that is worse does not come between the one stood on and Enter', async () => {
  await userEvent.keyboard('take ')
  await expect.element(option(/Reefer 2/)).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(option(/Reefer 1/)).toHaveAttribute('aria-selected', 'true')
  harness.news.facts$.next(opened(incident(2, { violationId: 'v9' })))
  await expect.element(page.getByRole('option').nth(2)).toBeVisible()
  await expect.element(option(/Reefer 1/)).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => harness.calls(TAKE)).toHaveLength(1)
})

test('Enter does nothing to another where the one stood on left', async () => {
  await userEvent.keyboard('take ')
  await expect.element(option(/Reefer 2/)).toHaveAttribute('aria-selected', 'true')
  harness.news.facts$.next(cleared(incident(2)))
  await expect.element(option(/Reefer 2/)).not.toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await expect.element(option(/Reefer 1/)).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.poll(() => harness.calls(TAKE)).toHaveLength(1)
})

test('a device is moved by its name to a group that is chosen', async () => {
  await userEvent.keyboard('mov{Enter}')
  await expect.element(option(/Reefer 3/)).toBeVisible()
  await userEvent.keyboard('leb-3{Enter}')
  await page.getByRole('option').first().click()
  await page.getByRole('button', { name: /^Move to / }).click()
  await expect
    .poll(() => harness.calls(MOVE).map(({ body }) => body))
    .toEqual([{ things: [incident(3).imei], groupId: 'top' }])
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('a report is asked for by a device’s name; the beginning of Reports still leads to the page', async () => {
  await userEvent.keyboard('rep{Enter}')
  expect(harness.went().at(-1)).toBe('/reports')
})

test('a page whose name begins with what can be done is still a page', async () => {
  await userEvent.keyboard('report logs{Enter}')
  expect(harness.went().at(-1)).toBe('/download/reports')
})

test('the report’s page opens with the device that was named', async () => {
  await userEvent.keyboard('report reefer 3{Enter}')
  expect(harness.went().at(-1)).toBe(`/temperatureReport?devices=${incident(3).imei}`)
})

test('the theme is chosen by its name', async () => {
  await userEvent.keyboard('dark')
  await expect.element(page.getByRole('option').first()).toMatchTextContent(/Theme dark/)
  await userEvent.keyboard('{Enter}')
  expect(harness.root.preferences.get().theme).toBe('dark')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('on a phone the row one stands on has its columns where the others have them', async () => {
  await page.viewport(390, 844)
  await userEvent.keyboard('acknowledge ')
  await expect.element(option(/Reefer 2/)).toHaveAttribute('aria-selected', 'true')
  await expect.element(option(/Reefer 1/)).toBeVisible()
  const rights = page
    .getByRole('option')
    .elements()
    .map((one) => one.querySelector('time')?.getBoundingClientRect().right)
  expect(new Set(rights).size).toBe(1)
  expect(rights).toHaveLength(2)
})

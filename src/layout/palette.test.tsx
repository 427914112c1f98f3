import { useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { clock, deskWith, incident, notificationOf, threeDevices } from './incidents/testing.ts'
import Palette from './palette.tsx'
import { mountPage, type PageHarness } from './testing/mount-page.tsx'

let harness: PageHarness
const SHELVE = `POST /things/${incident(2).imei}/violations/HIGH_TEMPERATURE_DETECTED/shelve`
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
      [TAKE]: { body: notificationOf(incident(1)) },
    },
    fleet: threeDevices(),
    clock,
  })
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

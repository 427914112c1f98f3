import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ViolationTimes } from '#machines/contracts/entities/violations.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { lastDayOf } from './last-day.ts'
import { timesOf } from './testing.ts'
import { TimeBeyond } from './time-beyond.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const CALL = 'POST /groups/top/violation-times'
async function shown(times: ViolationTimes, server: Server = { [CALL]: { body: times } }) {
  const filter = lastDayOf('top', 86_400_000)
  harness = await mountPage(<TimeBeyond filter={filter} at={86_400_000} />, {
    at: '/',
    server,
    fleet: createFleet((call) => call()),
  })
}
const names = () =>
  page
    .getByRole('table', { name: 'Worst devices' })
    .getByRole('link')
    .elements()
    .map(({ textContent }) => textContent)

test('how long in all, by kind, hour and place, and the worst devices with what is behind each', async () => {
  await shown(timesOf(92, 30))
  await expect.element(page.getByText('2 h 02').first()).toBeVisible()
  await expect
    .element(page.getByRole('list', { name: 'Time beyond the limits by kind' }))
    .toMatchTextContent(/^2 h 02High temperature$/)
  await expect.element(page.getByText('Most from 15:00 to 16:00: 2 h 02.')).toBeVisible()
  await expect
    .element(page.getByRole('list', { name: 'Time beyond the limits by place' }))
    .toMatchTextContent(/^Okara2 h 02$/)
  await expect.element(page.getByRole('row', { name: /^Truck 0.*1 h 32.*920 degree-minutes/ })).toBeVisible()
  await page.getByRole('link', { name: 'Truck 0' }).click()
  await expect.poll(() => harness.went().at(-1)).toMatch(/^\/temperature\/\d+$/)
  expect(page.getByText('By day').elements(), 'one day is no calendar').toEqual([])
})

test('the worst are those that were out longest, farthest or most often', async () => {
  const times = timesOf(90, 60, 30)
  const [a, b, c] = times.devices
  Object.assign(a ?? {}, { degreeMinutes: 5 })
  Object.assign(b ?? {}, { degreeMinutes: 50 })
  Object.assign(c ?? {}, { degreeMinutes: null, percentMinutes: null, violations: 7 })
  await shown(times)
  await expect.poll(names).toEqual(['Truck 0', 'Truck 1', 'Truck 2'])
  await page.getByRole('radio', { name: 'Farthest' }).click()
  await expect.poll(names).toEqual(['Truck 2', 'Truck 1', 'Truck 0'])
  await page.getByRole('radio', { name: 'Most often' }).click()
  await expect.poll(names).toEqual(['Truck 2', 'Truck 0', 'Truck 1'])
})

test('ten are shown, then all there are, and how many are left out', async () => {
  await shown({ ...timesOf(...Array.from({ length: 12 }, (_, i) => 60 - i)), more: 442 })
  await expect.element(page.getByText('442 devices were out for less time than these 12.')).toBeVisible()
  await expect.poll(() => names().length).toBe(10)
  await page.getByRole('button', { name: 'Show 2 more' }).click()
  await expect.poll(() => names().length).toBe(12)
})

test('days of more than two are a calendar', async () => {
  const days = ['13', '14', '15'].map((day, i) => ({
    day: `2026-06-${day}`,
    minutes: 60 * i,
    violations: i,
  }))
  await shown({ ...timesOf(180), days })
  const calendar = page.getByRole('table', { name: 'Time beyond the limits by day' })
  await expect.element(calendar).toMatchTextContent(/Mon.*Sun.*13.*14.*1 h.*15.*2 h/)
})

test('nothing out shows nothing; no answer says what failed, and is tried again', async () => {
  await shown(timesOf())
  await expect.poll(() => harness.calls(CALL).length).toBeGreaterThan(0)
  expect(page.getByText('Worst devices').elements()).toEqual([])
  await harness.unmount()
  await shown(timesOf(), { [CALL]: { status: 500, body: { message: 'Out of order' } } })
  await expect
    .element(page.getByText('How long devices were beyond their limits could not be loaded'))
    .toBeVisible()
  const before = harness.calls(CALL).length
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => harness.calls(CALL).length).toBeGreaterThan(before)
})

import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ViolationSummary } from '#machines/contracts/entities/violations.ts'
import { percentOf } from '../../format/percent.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { createFleet } from '../../read-model/fleet.ts'
import { plainDevice, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import Summary from './summary.tsx'
import { timesOf } from './testing.ts'

let harness: PageHarness
afterEach(() => harness?.unmount())

const CALL = 'POST /groups/top/summaryChart'
const summaryOf = (violating: number, normal: number, totalViolations: number): ViolationSummary => ({
  data: [
    { label: 'Violation Devices', value: violating },
    { label: 'Normal Devices', value: normal },
  ],
  numOfDevices: violating + normal,
  totalViolations,
})

async function shown(body: ViolationSummary) {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, [plainDevice(1)]))
  harness = await mountPage(<Summary />, {
    at: '/visualization/summary',
    server: { [CALL]: { body }, 'POST /groups/top/violation-times': { body: timesOf() } },
    fleet,
  })
}

test('counts, the share with violations in words, and what is behind each part', async () => {
  await shown(summaryOf(40, 1560, 128))
  const pie = page.getByRole('figure', { name: /^Violation Devices/ })
  await expect
    .element(pie)
    .toHaveAttribute('aria-label', 'Violation Devices: 40, 2.5 %. Normal Devices: 1,560, 97.5 %')
  await expect.element(page.getByText('Number Of Devices')).toBeVisible()
  await expect.element(page.getByText('1,600')).toBeVisible()
  await expect.element(page.getByText('128')).toBeVisible()
  await page.getByRole('link', { name: 'Show their notifications' }).click()
  await expect
    .poll(() => harness.went().at(-1))
    .toMatch(/^\/notifications\?date=1969-12-31T.*&type=HIGH_TEMP/)
  const calm = pie.getByRole('link', { name: /^Normal Devices/ }).element()
  calm.querySelector('path')?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  await expect.poll(() => harness.went().at(-1)).toBe('/')
})

test('while the past is still being evaluated it says how far that is, and no totals', async () => {
  await shown({ ...summaryOf(4, 1596, 12), pending: { done: 860, of: 2000 } })
  const progress = page.getByRole('progressbar', { name: 'Evaluation of the past' })
  await expect.element(progress).toMatchTextContent(/The past is still being evaluated: 43 %\./)
  await expect.element(progress).toHaveAttribute('aria-valuenow', '860')
  expect(page.getByText('Total Violations').elements()).toEqual([])
  // more than once, though neither the time nor how far it is differs between two answers
  await expect.poll(() => harness.calls(CALL).length).toBeGreaterThan(3)
})

test('where the past is not evaluated at all it says since when is counted', async () => {
  await shown({ ...summaryOf(4, 1596, 12), countedFrom: '2026-06-14T23:00:00.000Z' })
  await expect.element(page.getByText(/^Counted since .*: what was before is not evaluated$/)).toBeVisible()
})

test('dates that cannot be are refused in the documents words', async () => {
  await shown(summaryOf(0, 3, 0))
  await expect.element(page.getByText('0 %').first()).toBeVisible()
  const before = harness.calls(CALL).length
  const field = page.getByRole('group', { name: 'Start Date', exact: true })
  await field.getByRole('spinbutton', { name: /year/i }).click()
  await userEvent.keyboard('2031')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect.element(page.getByText('Start date cannot be greater than end date')).toBeVisible()
  expect(harness.calls(CALL)).toHaveLength(before)
  await field.getByRole('spinbutton', { name: /year/i }).click()
  await userEvent.keyboard('1969')
  await page.getByRole('button', { name: 'Filter' }).click()
  await expect.poll(() => harness.calls(CALL).length).toBe(before + 1)
})

test('a group without devices has no pie', async () => {
  await shown(summaryOf(0, 0, 0))
  await expect.element(page.getByText('No data Found')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Download chart as image' })).toBeDisabled()
})

test('what is there in part is never none and never all', () => {
  expect([percentOf(1, 3), percentOf(1, 2), percentOf(0, 3), percentOf(3, 3)]).toEqual([
    '33.3 %',
    '50 %',
    '0 %',
    '100 %',
  ])
  expect([percentOf(1, 100_000), percentOf(99_999, 100_000)]).toEqual(['under 0.1 %', 'over 99.9 %'])
})

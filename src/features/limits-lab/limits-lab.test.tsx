import { afterEach, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Group } from '#machines/contracts/entities/groups.ts'
import type { LimitsTrialWithResult } from '#machines/contracts/entities/limits-trials.ts'
import { groupOf } from '../../layout/testing/group-of.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { snapshotOf } from '../../read-model/testing/make-fleet.ts'
import LimitsLab from './limits-lab.tsx'

let harness: PageHarness
beforeEach(() => page.viewport(1280, 900))
afterEach(() => harness.unmount())

const GROUP = 'GET /groups/top'
const ESTIMATE = 'GET /groups/top/limits-trial-estimate'
const TRIALS = 'GET /groups/top/limits-trials'
const TRIAL = 'GET /groups/top/limits-trials/t1'
const START = Date.UTC(2026, 5, 15)
const IMEI = '356307042441013'

const companyEvaluation = {
  ...{ violationDelaySeconds: 600, clearMarginTemperature: 0.5, clearMarginHumidity: 2 },
} as Group['companyEvaluation']
const group = groupOf('top', {
  name: 'Indus',
  things: [IMEI],
  ...(companyEvaluation && { companyEvaluation }),
})
const figures = { episodes: 3, devices: 1, minutesOut: 60, told: 3, atNight: 1, floods: 0 }
const beside = { missed: 0, missedSerious: 0, missedExhausting: 0, added: 0, medianLeadMinutes: 5 }
const iso = (at: number): string => new Date(at).toISOString()

function trialOf(more: Partial<typeof beside> = {}): LimitsTrialWithResult {
  const episode = { side: 'high' as const, since: START - 7_200_000, openedAt: START - 6_600_000, worst: 8.9 }
  return {
    ...{ _id: 't1', groupId: 'top', quantity: 'temperature', userName: 'Imran', state: 'done', reason: null },
    ...{ from: iso(START - 86_400_000), to: iso(START), startedAt: iso(START), done: 1, of: 1 },
    candidates: [{ low: 2, high: 9, delaySeconds: 600, margin: 0.5 }],
    inForce: { low: 2, high: 8, delaySeconds: 600, margin: 0.5 },
    result: {
      ...{ readings: 288, seconds: 0.4, inForce: figures },
      candidates: [{ ...figures, told: 1, ...beside, ...more }],
      devices: [
        {
          ...{ imei: IMEI, name: 'Reefer 1', missed: 2, lows: [5, 6], highs: [7, 8.9] },
          episodes: [[{ ...episode, clearedAt: START - 3_600_000 }], []],
        },
      ],
    },
  }
}

async function shown(server: Server, at = '/limits-lab', now = START) {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, []))
  harness = await mountPage(<LimitsLab />, {
    ...{ at, fleet },
    server: { [GROUP]: { body: group }, [TRIALS]: { body: [] }, ...server },
    clock: { now: () => now, isKnown: () => true, set: () => {}, until: () => Number.POSITIVE_INFINITY },
  })
}

test('a candidate begins as what is in force, and how long a fine month takes is said before it is begun', async () => {
  const requests: string[] = []
  await shown({
    [ESTIMATE]: (_body, _headers, query) => {
      requests.push(`${query.get('startDate')} ${query.get('candidates')}`)
      const isMonth = query.get('startDate') === iso(START - 31 * 86_400_000)
      return { body: { readings: isMonth ? 268_000_000 : 2016, seconds: isMonth ? 428 : 0.002 } }
    },
  })
  await expect
    .element(page.getByText(/^In force: 2 to 8/))
    .toHaveTextContent(
      'In force: 2 to 8 °C · after 10 min · back by 0.5 °C. 1 device is directly in this group.',
    )
  const estimate = page.getByRole('form', { name: 'Try limits' }).getByRole('status')
  await expect
    .element(estimate)
    .toHaveTextContent('About 2,016 readings: it takes a few seconds, by an estimate.')
  await page.getByRole('radio', { name: '31 days' }).click()
  await expect
    .element(estimate)
    .toHaveTextContent(
      'About 268,000,000 readings: it takes about 7 min, by an estimate. It goes on when you leave this page, and can be cancelled.',
    )
  await page.getByRole('button', { name: 'Add a candidate' }).click()
  await expect.poll(() => requests.at(-1)).toBe(`${iso(START - 31 * 86_400_000)} 2`)
})

test('a group without devices, one that cannot be loaded, and an estimate that fails', async () => {
  await shown({ [GROUP]: { body: groupOf('top', { things: [] }) } })
  await expect.element(page.getByText('No device is directly in this group')).toBeVisible()
  harness.unmount()
  await shown({ [GROUP]: { status: 503, body: { code: 503, message: 'The store cannot read now' } } })
  await expect.element(page.getByText('The group could not be loaded')).toBeVisible()
  harness.unmount()
  await shown({ [ESTIMATE]: { status: 503, body: { code: 503, message: 'The store cannot read now' } } })
  await expect.element(page.getByText('How long it takes is not known now.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Try limits' })).toBeEnabled()
})

test('while it is under way, how far it is and how long is left', async () => {
  const running = { ...trialOf(), state: 'running', done: 3, of: 12, startedAt: iso(START - 20_000) }
  await shown({ [TRIAL]: { body: { ...running, result: null } } }, '/limits-lab?trial=t1')
  await expect
    .element(page.getByRole('status').filter({ hasText: 'devices' }))
    .toHaveTextContent('3 of 12 devices are through · about 60 s left')
  await expect.element(page.getByRole('progressbar', { name: 'Devices tried' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toBeEnabled()
})

test('what is asked for and kept no more is said, where others are tried', async () => {
  const message = 'What came of these limits is not kept: it is for 31 days'
  await shown({ [TRIAL]: { status: 404, body: { code: 404, message } } }, '/limits-lab?trial=t1')
  const form = page.getByRole('form', { name: 'Try limits' })
  await expect.element(form.getByRole('alert')).toHaveTextContent(message)
  expect(page.getByRole('button', { name: 'Try again' }).query()).toBeNull()
})

test('others are tried from what was tried before, as are those of a trial that came to nothing', async () => {
  const of = { ...trialOf(), from: iso(START - 31 * 86_400_000) }
  await shown({ [TRIAL]: { body: of } }, '/limits-lab?trial=t1')
  const form = page.getByRole('form', { name: 'Try limits' })
  const high = form.getByRole('group', { name: 'Candidate 1' }).getByLabelText('High')
  await page.getByRole('button', { name: 'Try others' }).click()
  await expect.element(high).toHaveValue('9')
  await expect.element(form.getByRole('radio', { name: '31 days' })).toBeChecked()
  harness.unmount()
  const failed = { ...of, state: 'failed', reason: 'The server ended while it was at this. Try again.' }
  await shown({ [TRIAL]: { body: { ...failed, result: null } } }, '/limits-lab?trial=t1')
  await expect.element(form.getByRole('alert')).toHaveTextContent(failed.reason)
  await expect.element(high).toHaveValue('9')
})

test('figures stand beside each other, and nothing warns where nothing serious is missed', async () => {
  await shown({ [TRIAL]: { body: trialOf() } }, '/limits-lab?trial=t1')
  const table = page.getByRole('table', { name: 'Figures' })
  await expect.element(table.getByRole('row', { name: /^Raised/ })).toMatchTextContent(/acknowledged31$/)
  await expect.element(table.getByRole('row', { name: /^Lead/ })).toMatchTextContent(/5 min$/)
  expect(page.getByText(/would have raised no alarm/).query()).toBeNull()
})

test('on a phone the figures of three candidates stand below one another, each with its column, and nothing is scrolled sideways', async () => {
  await page.viewport(390, 844)
  const { result, candidates, ...trial } = trialOf()
  const three = <T,>(of: readonly T[]): T[] => [0, 1, 2].flatMap(() => of)
  const body = {
    ...{ ...trial, candidates: three(candidates) },
    result: result && { ...result, candidates: three(result.candidates) },
  }
  await shown({ [TRIAL]: { body } }, '/limits-lab?trial=t1')
  const table = page.getByRole('table', { name: 'Figures' })
  const row = table.getByRole('row', { name: /^Raised/ })
  await expect.element(row).toBeVisible()
  const columns = row.getByRole('cell').elements()
  expect(columns.map((cell) => getComputedStyle(cell, '::before').content)).toEqual([
    ...['"In force"', '"Candidate 1"', '"Candidate 2"', '"Candidate 3"'],
  ])
  const wide = [...document.querySelectorAll('*')].filter((one) => one.scrollWidth > 390)
  expect(wide).toEqual([])
  expect(table.element().getBoundingClientRect().right).toBeLessThanOrEqual(390)
})

test.each([
  [
    { missed: 2, missedSerious: 1, missedExhausting: 1 },
    'Excursions that exhausted a budget would have raised no alarm with a candidate',
    '1 excursion that exhausted a budget would have raised no alarm.',
  ],
  [
    { missed: 4, missedSerious: 3, missedExhausting: 1 },
    'Excursions that exhausted a budget would have raised no alarm with a candidate',
    '1 excursion that exhausted a budget would have raised no alarm, nor 2 others of 2 °C and more beyond the limit in force.',
  ],
  [
    { missed: 2, missedSerious: 2 },
    'Serious excursions would have raised no alarm with a candidate',
    '2 excursions of 2 °C and more beyond the limit in force would have raised no alarm.',
  ],
])('%j is warned of below the figures, and before it is applied', async (missed, below, before) => {
  await shown({ [TRIAL]: { body: trialOf(missed) } }, '/limits-lab?trial=t1')
  await expect.element(page.getByText(new RegExp(below))).toBeVisible()
  await page.getByRole('button', { name: /^Apply candidate 1/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Apply to Indus?' })
  await expect.element(dialog.getByText(before, { exact: true })).toBeVisible()
  await expect
    .element(dialog.getByText(/^In that time it would have raised 1 alarm instead of 3 alarms/))
    .toBeVisible()
})

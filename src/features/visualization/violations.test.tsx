import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Fact } from '#machines/contracts/facts.ts'
import { createStore, type Store } from '../../actors/store.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { OfThen } from '../../layout/testing/of-then.tsx'
import type { Server } from '../../layout/testing/test-root.ts'
import { createFleet, type Fleet } from '../../read-model/fleet.ts'
import { imeiOf, plainDevice, plainGroup, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import { barOf, chartOf, timesOf } from './testing.ts'
import Violations from './violations.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const TIMES = 'POST /groups/top/violation-times'
const STATS = 'POST /groups/top/violationstats'
const five = chartOf([
  barOf(1, { HighTemperature: 3, LowHumidity: 1 }),
  barOf(2, { LowTemperature: 9 }),
  barOf(3, { HighHumidity: 1 }),
])

let fleet: Fleet
beforeEach(() => page.viewport(1280, 900))
async function shown(
  server: Server = { [STATS]: { body: five } },
  known?: Fleet,
  time?: Store<string>,
  at = '/visualization/violations',
) {
  fleet = known ?? createFleet((call) => call())
  const devices = Array.from({ length: 1200 }, (_, deviceNo) =>
    plainDevice(deviceNo, { group: deviceNo < 5 ? 1 : 0 }),
  )
  const groups = [plainGroup('top'), plainGroup('north', 'top'), plainGroup('south', 'top')]
  if (!known) fleet.load(snapshotOf(1, devices, groups))
  const requested = time ? (
    <OfThen time={time}>
      <Violations />
    </OfThen>
  ) : (
    <Violations />
  )
  harness = await mountPage(requested, {
    at,
    server: { [TIMES]: { body: timesOf() }, ...server },
    fleet,
  })
}

const bars = () => page.getByRole('list', { name: 'Violations by device' })
const bar = (name: RegExp) => bars().getByRole('link', { name })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const requests = () => harness.calls(STATS).map(({ body }) => body as Record<string, unknown>)

test('everything of the last day is asked for at once: counters, and devices worst first', async () => {
  await shown()
  await expect.element(bar(/^LEB-2: 9 violations, 9 low temperature$/)).toBeVisible()
  expect(requests().at(-1)).toEqual({
    devices: ['ALL'],
    violations: [
      'HIGH_TEMPERATURE_DETECTED',
      'LOW_TEMPERATURE_DETECTED',
      'HIGH_HUMIDITY_DETECTED',
      'LOW_HUMIDITY_DETECTED',
    ],
    startDate: '1969-12-31T00:00:00.000Z',
    endDate: '1970-01-01T00:00:00.000Z',
  })
  const plates = bars()
    .getByRole('listitem')
    .elements()
    .map((row) => row.textContent?.match(/LEB-\d/)?.[0])
  expect(plates).toEqual(['LEB-2', 'LEB-1', 'LEB-3'])
  const counters = page.getByRole('list', { name: 'Violations by kind' })
  await expect
    .element(counters)
    .toMatchTextContent(/3High temperature.*9Low temperature.*1High humidity.*1Low humidity.*14Total/)
})

test('a bar leads to the notifications of its device, a part of it to those of its kind', async () => {
  await shown()
  await bar(/^LEB-1: 4 violations/).click()
  const date = 'date=1969-12-31T00:00:00.000Z..1970-01-01T00:00:00.000Z'
  await expect.poll(() => harness.went().at(-1)).toBe(`/notifications?${date}&thing=${imeiOf(1)}&plate=LEB-1`)
  await bar(/^1 low humidity$/).click()
  await expect
    .poll(() => harness.went().at(-1))
    .toBe(`/notifications?${date}&thing=${imeiOf(1)}&plate=LEB-1&type=LOW_HUMIDITY_DETECTED`)
})

test('each field says what it lacks, and the first of them has the focus', async () => {
  await shown()
  await expect.element(bar(/^LEB-2/)).toBeVisible()
  const before = requests().length
  await page.getByRole('button', { name: /^Violations All/ }).click()
  await page.getByRole('option', { name: 'ALL' }).click()
  await userEvent.keyboard('{Escape}')
  await page.getByRole('group', { name: 'Devices' }).getByRole('button', { name: 'Clear' }).click()
  for (const end of ['Start Date', 'End Date']) {
    await page
      .getByRole('group', { name: end, exact: true })
      .getByRole('spinbutton', { name: /month/i })
      .click()
    await userEvent.keyboard('{Backspace}')
    await userEvent.keyboard('{Backspace}')
  }
  await press('Filter')
  for (const text of [
    'Please select violations',
    'Enter a start date',
    'Enter a end date',
    'Please select Devices',
  ])
    await expect.element(page.getByText(text)).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Violations No/ })).toHaveFocus()
  expect(requests()).toHaveLength(before)
  await expect.element(bar(/^LEB-2/)).toBeVisible()
})

test('a filter is asked for as it was picked: a group with all its devices, or some of them', async () => {
  await shown({ [STATS]: { body: five }, 'POST /groups/north/violationstats': { body: chartOf([]) } })
  await expect.element(bar(/^LEB-2/)).toBeVisible()
  await page.getByRole('button', { name: /^Group/ }).click()
  await page.getByRole('option', { name: 'north' }).click()
  await expect.element(page.getByRole('button', { name: 'Chosen 5' })).toBeVisible()
  await page.getByRole('option', { name: /Reefer 3\b/ }).click()
  await press('Filter')
  await expect.element(page.getByText('No Violations found.')).toBeVisible()
  const body = harness.calls('POST /groups/north/violationstats').at(-1)?.body as { devices: string[] }
  expect(body.devices.toSorted()).toEqual([0, 1, 2, 4].map(imeiOf))
})

test('a group without devices has none to choose', async () => {
  await shown()
  await expect.element(bar(/^LEB-2/)).toBeVisible()
  await page.getByRole('button', { name: /^Group/ }).click()
  await page.getByRole('option', { name: 'south' }).click()
  const before = requests().length
  await press('Filter')
  await expect.element(page.getByText('Please select Devices')).toBeVisible()
  expect(requests()).toHaveLength(before)
})

test('a thousand devices: worst first, any found by plate, of which only those in view exist', async () => {
  const data = Array.from({ length: 1000 }, (_, deviceNo) =>
    barOf(deviceNo, { HighTemperature: 1 + (deviceNo % 97) }),
  )
  await shown({ [STATS]: { body: chartOf(data) } })
  await expect.element(page.getByText('1,000 devices had violations, worst first')).toBeVisible()
  expect(bars().getByRole('listitem').elements().length).toBeLessThan(80)
  await page.getByRole('textbox', { name: 'Find a plate number' }).fill('leb-777')
  await expect.element(bar(/^LEB-777: 2 violations/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Find a plate number' }).fill('nowhere')
  await expect.element(page.getByText('No device with violations has “nowhere”.')).toBeVisible()
})

test('on paper the bars are there to the last one, wherever the list was scrolled', async () => {
  const data = Array.from({ length: 150 }, (_, deviceNo) =>
    barOf(deviceNo, { HighTemperature: 1 + deviceNo }),
  )
  await shown({ [STATS]: { body: chartOf(data) } })
  await expect.element(bar(/^LEB-149:/)).toBeVisible()
  dispatchEvent(new Event('beforeprint'))
  expect(bars().getByRole('listitem').elements()).toHaveLength(150)
  dispatchEvent(new Event('afterprint'))
  await expect.poll(() => bars().getByRole('listitem').elements().length).toBeLessThan(80)
})

test('of more bars than a paper takes it has the worst, and says how many it leaves out', async () => {
  const data = Array.from({ length: 1500 }, (_, deviceNo) =>
    barOf(deviceNo, { HighTemperature: 1 + deviceNo }),
  )
  await shown({ [STATS]: { body: chartOf(data) } })
  await expect.element(bar(/^LEB-1499:/)).toBeVisible()
  const scroller = bars().element().parentElement as HTMLElement
  scroller.scrollTop = scroller.scrollHeight
  await expect.element(bar(/^LEB-0:/)).toBeVisible()
  dispatchEvent(new Event('beforeprint'))
  const printed = bars().getByRole('listitem').elements()
  expect(printed).toHaveLength(500)
  expect(printed[0]?.textContent).toMatch(/LEB-1499/)
  expect(printed.at(-1)?.textContent).toMatch(/LEB-1000/)
  await expect.element(page.getByText('and 1,000 devices with fewer')).toBeVisible()
  dispatchEvent(new Event('afterprint'))
  await expect.element(page.getByText('and 1,000 devices with fewer')).not.toBeInTheDocument()
})

test('what happens meanwhile is told, and asked for when wanted', async () => {
  let answer = chartOf([])
  await shown({ [STATS]: () => ({ body: answer }) })
  await expect.element(page.getByText('No Violations found.')).toBeVisible()
  harness.news.facts$.next(violationOf(imeiOf(1)))
  harness.news.facts$.next(violationOf('000000000000000'))
  await expect.element(page.getByText(/1 new since/)).toBeVisible()
  answer = five
  await press('Refresh')
  await expect.element(bar(/^LEB-2/)).toBeVisible()
  await expect.element(page.getByText(/new since/)).not.toBeInTheDocument()
})

test('what a long cut skipped is asked for, as no fact of it comes', async () => {
  let answer = chartOf([])
  await shown({ [STATS]: () => ({ body: answer }) })
  await expect.element(page.getByText('No Violations found.')).toBeVisible()
  answer = five
  harness.news.liveFrom$.next(90)
  await expect.element(bar(/^LEB-2/)).toBeVisible()
})

test('of a time that is past nothing of now is counted', async () => {
  await shown({ [STATS]: { body: five } }, undefined, createStore('yesterday'))
  await expect.element(bar(/^LEB-2/)).toBeVisible()
  harness.news.facts$.next(violationOf(imeiOf(1)))
  // shown later than what happened
  await page.getByRole('button', { name: /^Group/ }).click()
  await expect.element(page.getByRole('option', { name: 'north' })).toBeVisible()
  await expect.element(page.getByText(/new since/)).not.toBeInTheDocument()
})

test('a failure says what to do; what was shown stays', async () => {
  let isDown = false
  await shown({
    [STATS]: () => (isDown ? { status: 503, body: { code: 503, message: 'Starting' } } : { body: five }),
  })
  await expect.element(bar(/^LEB-2/)).toBeVisible()
  isDown = true
  await press('Refresh')
  await expect.element(page.getByText('The violations could not be loaded')).toBeVisible()
  await expect.element(bar(/^LEB-2/)).toBeVisible()
  isDown = false
  await press('Try again')
  await expect.element(page.getByText('The violations could not be loaded')).not.toBeInTheDocument()
})

test('who comes back finds what they had asked for', async () => {
  await shown()
  await expect.element(bar(/^LEB-2/)).toBeVisible()
  await page.getByRole('group', { name: 'Devices' }).getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('option', { name: /Reefer 3\b/ }).click()
  await press('Filter')
  await expect.poll(() => requests().at(-1)?.devices).toEqual([imeiOf(3)])
  harness.unmount()
  await shown({ [STATS]: { body: five } }, fleet)
  await expect.poll(() => requests()[0]?.devices).toEqual([imeiOf(3)])
})

const violationOf = (imei: string): Fact => ({
  type: 'violation.opened',
  seq: 2,
  id: 'f2',
  v: 1,
  at: 0,
  recordedAt: 0,
  companyId: 'indus',
  data: {
    violationId: 'v1',
    imei,
    type: 'HIGH_TEMPERATURE_DETECTED',
    threshold: 8,
    delaySeconds: 60,
    clearMargin: 0.5,
    since: 0,
    value: 9,
    lat: null,
    lng: null,
    readings: [],
  },
})

test('Filter is heard while an answer is on its way', async () => {
  await shown({ [STATS]: 'hang' })
  await expect.element(page.getByRole('button', { name: 'Filter', exact: true })).toBeVisible()
  const before = requests().length
  await press('Filter')
  await expect.poll(() => requests().length).toBe(before + 1)
})

test('an address of more devices than it can name shows those of its day, all where none are known, and says so', async () => {
  const day = 'date=1969-12-30T00:00:00.000Z..1969-12-31T00:00:00.000Z'
  await shown(undefined, undefined, undefined, `/visualization/violations?devices=~*&${day}`)
  await expect
    .poll(() => requests().at(-1))
    .toMatchObject({
      devices: ['ALL'],
      startDate: '1969-12-30T00:00:00.000Z',
    })
  await expect.poll(() => harness.went().at(-1)).not.toContain('~*')
  expect(harness.went().at(-1)).toContain(day)
})

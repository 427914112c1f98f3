import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import type { ObservationRow } from '#machines/contracts/entities/devices.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Answer } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { imeiOf, plainDevice, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import { ChillerObservations, NamedObservations } from './observations.tsx'

let harness: PageHarness
beforeEach(() => page.viewport(1280, 900))
afterEach(() => harness.unmount())

const PLAIN = `GET /things/${imeiOf(1)}/observations-logs`
const NAMED = `GET /things/${imeiOf(1)}/tempObservations-logs`

const rowsOf = (count: number): ObservationRow[] =>
  Array.from({ length: count }, (_, i) => ({
    imei: imeiOf(1),
    temperature: -4.25 + i,
    humidity: 55.5,
    timestamp: new Date(i * 60_000).toISOString(),
    lat: 31.5204,
    lng: 74.3587,
    GSM_Signal: 4,
    GNSS_Status: 1,
    External_Voltage: 12.61,
    Battery_Voltage: 4.01,
    Ignition: 1,
    Unplug: 0,
    Door: 1,
    location: '12 km NE of Multan',
  }))

async function shown(answer: Answer | (() => Answer), call = PLAIN, at = '/devices') {
  const fleet = createFleet((run) => run())
  fleet.load(snapshotOf(1, [plainDevice(1), plainDevice(2)]))
  const view = call === PLAIN ? <ChillerObservations /> : <NamedObservations />
  harness = await mountPage(view, {
    at,
    server: { [call]: typeof answer === 'function' ? answer : () => answer },
    fleet,
  })
}
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const table = () => page.getByRole('table', { name: 'Observation List' })
async function searched() {
  await page.getByRole('button', { name: /^Vehicle/ }).click()
  await page.getByRole('option', { name: /^Reefer 1 / }).click()
  await press('Search')
}

test('what is missing is said in the words of each table, with the focus there', async () => {
  await shown({ body: [] })
  await expect.element(page.getByRole('button', { name: /Duration \(Hours\)/ })).toBeVisible()
  await press('Search')
  await expect.element(page.getByText('Please Select Vehicle.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Vehicle/ })).toHaveFocus()
  await page.getByRole('spinbutton', { name: /month/i }).click()
  await userEvent.keyboard('{Backspace}')
  await userEvent.keyboard('{Backspace}')
  await press('Search')
  await expect.element(page.getByText('Start date is required.')).toBeVisible()
  harness.unmount()
  await shown({ body: [] }, NAMED)
  await press('Search')
  await expect.element(page.getByText('Id is required.')).toBeVisible()
  expect(harness.calls(NAMED)).toEqual([])
})

test('on paper all rows of a page stand, with all their columns', async () => {
  const media = (name: string) => cdp().send('Emulation.setEmulatedMedia', { media: name })
  await shown({ body: rowsOf(60) })
  await searched()
  await expect.element(table()).toBeVisible()
  await page.viewport(703, 1000)
  onTestFinished(() => media('').then(() => {}))
  await media('print')
  const { scrollHeight, clientHeight, scrollWidth, clientWidth } = table().element()
    .parentElement as HTMLElement
  expect([scrollHeight, scrollWidth]).toEqual([clientHeight, clientWidth])
  await expect.element(page.getByText(/Indus · .* · made /)).toBeVisible()
})

test('what is beyond a limit of its group is marked with the state it is', async () => {
  const [row] = rowsOf(1) as [ObservationRow]
  await shown({
    body: [row, { ...row, temperature: 60, humidity: 95 }, { ...row, temperature: -60, humidity: 5 }],
  })
  await searched()
  const marks = (nth: number) =>
    table()
      .getByRole('row')
      .nth(nth)
      .getByRole('img')
      .elements()
      .map((mark) => mark.getAttribute('aria-label'))
  await expect.poll(() => marks(2)).toEqual(['Too hot', 'Too humid'])
  expect(marks(3)).toEqual(['Too cold', 'Too dry'])
  expect(marks(1)).not.toContain('Too hot')
})

test('a row tells all the documents have, with units, and N/A where there is nothing', async () => {
  const [row] = rowsOf(1) as [ObservationRow]
  const nothing = { temperature: null, timestamp: null, lat: null, GSM_Signal: null }
  await shown({ body: [row, { ...row, ...nothing }] })
  await searched()
  const heads = table()
    .getByRole('columnheader')
    .elements()
    .map((head) => head.textContent)
  expect(heads.join(' ')).toEqual(
    expect.stringMatching(
      /^Imei Temperature \(°C\) Humidity \(%\) Timestamp \(\S+\) LatLng GSM_Signal GNSS_Status External_Voltage \(V\) Battery_Voltage \(V\) Ignition Unplug Door Location$/,
    ),
  )
  const cells = (deviceNo: number) =>
    table()
      .getByRole('row')
      .nth(deviceNo)
      .getByRole('cell')
      .elements()
      .map((cell) => cell.textContent)
  await expect.poll(() => cells(1)[1]).toBe('\u22124.3')
  expect(cells(1).slice(2)).toEqual([
    '55.50',
    expect.stringMatching(/^01\/01\/1970 \d\d:00:00 [AP]M$/),
    '31.520400, 74.358700',
    '4',
    '1',
    '12.61',
    '4.01',
    '1',
    '0',
    '1',
    '12 km NE of Multan',
  ])
  expect(cells(2).slice(1, 6)).toEqual(['N/A', '55.50', 'N/A', 'N/A', 'N/A'])
})

test('the other table has the name of the device', async () => {
  await shown({ body: rowsOf(1).map((row) => ({ ...row, name: '=Reefer' })) }, NAMED)
  await searched()
  await expect.element(table().getByRole('columnheader', { name: 'Name' })).toBeVisible()
  await expect.element(table().getByRole('cell', { name: '=Reefer' })).toBeVisible()
})

test('a page has 100, 300 or 500 rows', async () => {
  await shown({ body: rowsOf(320) })
  await searched()
  const bodyRows = () => table().element().querySelectorAll('tbody tr').length
  await expect.element(page.getByText('1–100 of 320')).toBeVisible()
  expect(bodyRows()).toBe(100)
  await press('Last page')
  await expect.element(page.getByText('301–320 of 320')).toBeVisible()
  expect(bodyRows()).toBe(20)
  await press('300 rows per page')
  await expect.element(page.getByText('301–320 of 320')).toBeVisible()
  await press('500 rows per page')
  await expect.element(page.getByText('1–320 of 320')).toBeVisible()
  expect(bodyRows()).toBe(320)
})

test('the page and its rows are in the address; another search begins on the first', async () => {
  const requested = `device=${imeiOf(1)}&start=1970-01-01T00:00:00.000Z`
  await shown({ body: rowsOf(1200) }, PLAIN, `/devices?${requested}&page=2&rows=300`)
  await expect.element(page.getByText('301–600 of 1,200')).toBeVisible()
  await press('Last page')
  await expect.element(page.getByText('901–1,200 of 1,200')).toBeVisible()
  expect(harness.went().at(-1)).toBe(`/devices?${requested}&page=4&rows=300`)
  await press('500 rows per page')
  await expect.element(page.getByText('501–1,000 of 1,200')).toBeVisible()
  expect(harness.went().at(-1)).toBe(`/devices?${requested}&page=2&rows=500`)
  await press('Search')
  await expect.element(page.getByText('1–500 of 1,200')).toBeVisible()
  harness.unmount()
  await shown({ body: rowsOf(120) }, PLAIN, `/devices?${requested}&page=9`)
  await expect.element(page.getByText('101–120 of 120')).toBeVisible()
})

test('the heads stay where they are while rows are scrolled', async () => {
  await shown({ body: rowsOf(100) })
  await searched()
  const head = table().getByRole('columnheader', { name: 'Imei' })
  await expect.element(head).toBeVisible()
  const scrolled = table().element().parentElement as HTMLElement
  const top = () => head.element().getBoundingClientRect().top
  const before = top()
  scrolled.scrollTop = 500
  expect(scrolled.scrollTop).toBe(500)
  expect(top()).toBe(before)
})

test('nothing found and a failure each say what to do', async () => {
  await shown({ body: [] })
  await searched()
  await expect.element(page.getByText('No data Found')).toBeVisible()
  harness.unmount()
  await shown({ status: 503, body: { code: 503, message: 'Starting' } })
  await searched()
  await expect.element(page.getByText('The observations could not be loaded')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('the file of all rows is made and handed over, once', async () => {
  await shown({ body: rowsOf(120) })
  await searched()
  await press('Download')
  await expect.poll(() => harness.toasts).toEqual(['120 rows saved'])
  await expect.element(page.getByRole('button', { name: 'Download', exact: true })).toBeVisible()
})

test('another search may be pressed while one is on its way, and the rows of before are no file', async () => {
  const answers: Answer[] = [{ body: rowsOf(1) }, 'hang', { body: rowsOf(3) }]
  await shown(() => answers.shift() ?? 'hang')
  await searched()
  await expect.element(page.getByRole('button', { name: 'Download' })).toBeEnabled()
  await press('Search')
  await expect.element(page.getByRole('button', { name: 'Download' })).toBeDisabled()
  await press('Search')
  await expect.element(page.getByRole('button', { name: 'Download' })).toBeEnabled()
  expect(table().getByRole('row').elements()).toHaveLength(4)
})

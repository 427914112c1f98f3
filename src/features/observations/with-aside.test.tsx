import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ObservationRow, ObservationsAside } from '#machines/contracts/entities/devices.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import type { Answer } from '../../layout/testing/test-root.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { imeiOf } from '../../read-model/testing/make-fleet.ts'
import { WithAside } from './with-aside.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const IMEI = imeiOf(1)
const CALL = `GET /things/${IMEI}/observations-aside`
const start = new Date(2026, 10, 21, 9).getTime()
const iso = (minutes: number): string => new Date(start + minutes * 60_000).toISOString()
const rowOf = (minutes: number, temperature: number): ObservationRow => ({
  imei: IMEI,
  temperature,
  humidity: null,
  timestamp: iso(minutes),
  lat: null,
  lng: null,
  GSM_Signal: null,
  GNSS_Status: null,
  External_Voltage: null,
  Battery_Voltage: null,
  Ignition: null,
  Unplug: null,
  Door: null,
  location: '',
})

async function shown(answer: Answer) {
  harness = await mountPage(
    <>
      <h1>Observations</h1>
      <WithAside requested={{ imei: IMEI, start, hours: 1 }} />
    </>,
    { at: '/devices', server: { [CALL]: () => answer }, fleet: createFleet((call) => call()) },
  )
}

test('each reading that is kept aside says why, and which of two counts', async () => {
  const body: ObservationsAside = {
    aside: [
      { kind: 'other', receivedAt: iso(170), row: rowOf(5, 25), counted: rowOf(5, 4) },
      { kind: 'contradicted', receivedAt: iso(5), row: rowOf(10, 4) },
      { kind: 'released', receivedAt: iso(5), row: rowOf(20, 4) },
      { kind: 'held', receivedAt: iso(5), row: rowOf(35, 4) },
    ],
    more: 3,
    dropped: [{ at: iso(8), reason: 'lat is out of range', times: 2 }],
    refused: [{ at: iso(9), reason: 'its time is 1,024 weeks behind (GPS week rollover)', times: 1 }],
    droppedSince: iso(-600),
  }
  await shown({ body })
  const list = page.getByRole('list', { name: 'Readings kept aside' })
  await expect.element(list).toBeVisible()
  const words = list
    .getByRole('listitem')
    .elements()
    .map(({ textContent }) => textContent)
  expect(words).toEqual([
    expect.stringMatching(
      /25\.0 °C.*4\.0 °C counts, as it was received nearer to its time\. This one does not/,
    ),
    expect.stringMatching(/Contradicted: .* It never counts\.$/),
    expect.stringMatching(/Released when its time came: it is among the readings/),
    expect.stringMatching(/Held: .*, ahead of its time/),
    'and 3 more before',
  ])
  await expect
    .element(page.getByRole('list', { name: 'Dropped or refused' }))
    .toMatchTextContent(
      /lat is out of range: it was dropped, the rest of the reading is kept\. 2 times, last.*A reading was refused: its time is 1,024 weeks behind \(GPS week rollover\)\. Once/,
    )
})

test('where nothing was kept aside nothing is said', async () => {
  await shown({ body: { aside: [], more: 0, dropped: [], droppedSince: iso(0) } })
  await expect.poll(() => harness.calls(CALL).length).toBeGreaterThan(0)
  expect(page.getByText('Kept aside').elements()).toEqual([])
})

test('that it could not be loaded is said, and tried again', async () => {
  await shown({ status: 500, body: { code: 500, message: 'No' } })
  const again = page.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  const before = harness.calls(CALL).length
  await again.click()
  await expect.poll(() => harness.calls(CALL).length).toBeGreaterThan(before)
})

test('a damaged span says which it is and what helps', async () => {
  const damaged = [{ from: iso(10), to: iso(30) }]
  await shown({ body: { aside: [], more: 0, dropped: [], droppedSince: iso(0), damaged } })
  await expect
    .element(page.getByRole('status'))
    .toMatchTextContent(/The record of .* of this device is damaged\..*restore it from a backup/)
})

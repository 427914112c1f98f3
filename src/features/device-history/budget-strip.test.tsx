import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { clock, NOW, threeDevices } from '../../layout/incidents/testing.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { imeiOf } from '../../read-model/testing/make-fleet.ts'
import BudgetStrip from './budget-strip.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const HOUR = 3_600_000
const TRACK = {
  ...{ loadId: 'l1', reference: 'PO-1', state: 'within', from: new Date(NOW - HOUR).toISOString(), to: null },
  course: { at: [NOW - HOUR, NOW], percent: [10, 12], temperature: [5, 5] },
}
const strip = page.getByRole('region', { name: 'Budgets of loads' })

/** The strip of a span that a press moves on, or makes longer than the server answers at once. */
function Spans() {
  const [range, setRange] = useState({ from: NOW - 24 * HOUR, to: NOW })
  return (
    <>
      <BudgetStrip imei={imeiOf(2)} range={range} />
      <button type="button" onClick={() => setRange({ from: range.from + 1000, to: range.to + 1000 })}>
        On
      </button>
      <button type="button" onClick={() => setRange({ from: NOW - 7 * 24 * HOUR, to: NOW })}>
        Week
      </button>
    </>
  )
}

test('what a load used stays beneath the chart until that of another span is there, and not beneath one of days', async () => {
  let isAnswering = true
  const call = `GET /things/${imeiOf(2)}/budget-tracks`
  harness = await mountPage(<Spans />, {
    at: '/',
    fleet: threeDevices(),
    clock,
    server: {
      [call]: () => (isAnswering ? { body: { tracks: [TRACK] } } : 'hang'),
      'GET /groups/top/budgets': {
        body: {
          revision: 1,
          isWhole: true,
          told: 0,
          device: [],
          state: [],
          percent: [],
          most: [],
          exhaustsAt: [],
        },
      },
    },
  })
  await expect.element(strip).toBeVisible()
  isAnswering = false
  const before = harness.calls(call).length
  await page.getByRole('button', { name: 'On' }).click()
  await expect.poll(() => harness.calls(call).length).toBeGreaterThan(before)
  await expect.element(strip).toBeVisible()
  await page.getByRole('button', { name: 'Week' }).click()
  await expect.element(strip).not.toBeInTheDocument()
})

import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { createFleet } from '../../read-model/fleet.ts'
import AboutUs from './about-us.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

test('says what the documents say, and then what Frostline does for a cargo', async () => {
  harness = await mountPage(<AboutUs />, { at: '/aboutus', server: {}, fleet: createFleet((call) => call()) })
  await expect
    .element(
      page.getByText(
        'An end-to-end vehicle management solution with live tracking, geo-fencing, driving behaviour and maintenance information.',
        { exact: true },
      ),
    )
    .toBeVisible()
  // nothing is promised that is not there (places, braking, services), and silence is not called disconnected
  for (const untrue of [
    /enters a place/,
    /Harsh/,
    /What each vehicle needs/,
    /not heard of is shown as disconnected/,
  ])
    await expect.element(page.getByText(untrue)).not.toBeInTheDocument()
  const what = page.getByRole('region', { name: 'What Frostline is' })
  await expect.element(what).toMatchTextContent(/Frostline watches cold chains/)
  await expect.element(what.getByRole('heading', { name: 'Somebody has it' })).toBeVisible()
})

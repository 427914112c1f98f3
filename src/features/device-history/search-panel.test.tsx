import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { setTimeZone } from '../../format/time.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { createFleet } from '../../read-model/fleet.ts'
import { SearchPanel } from './search-panel.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

const DAY = 86_400_000

test('24 hours that read so are 24 hours, whatever seconds the last night ended with', async () => {
  setTimeZone('Asia/Karachi')
  const to = Date.UTC(2026, 5, 15, 21, 30)
  const onSearch = vi.fn()
  harness = await mountPage(
    <SearchPanel
      device="Reefer 1"
      range={{ from: Date.UTC(2026, 5, 15, 17), to: to + 40_250 }}
      preset="night"
      onPreset={() => {}}
      message={null}
      onSearch={onSearch}
    />,
    { at: '/', server: {}, fleet: createFleet((call) => call()) },
  )
  await page.getByRole('spinbutton', { name: /^hour, Start date/ }).click()
  await userEvent.keyboard('0230')
  await page.getByRole('button', { name: 'Search' }).click()
  expect(onSearch).toHaveBeenLastCalledWith({ from: to - DAY, to })
})

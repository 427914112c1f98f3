import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { mountPage } from '../../../layout/testing/mount-page.tsx'
import { createFleet } from '../../../read-model/fleet.ts'
import Wall from './wall.tsx'

test('the map of a wall cannot be pressed: nobody is there to undo it', async () => {
  const fleet = createFleet((call) => call())
  const harness = await mountPage(<Wall onLeave={() => {}} />, { at: '/?wall', fleet, server: {} })
  onTestFinished(harness.unmount)
  await expect.element(page.getByText(/0 online/)).toBeVisible()
  const map = document.querySelector('[aria-label="Map of devices"]') as HTMLElement
  const { x, y, width, height } = map.getBoundingClientRect()
  expect(map.contains(document.elementFromPoint(x + width / 2, y + height / 2))).toBe(false)
})

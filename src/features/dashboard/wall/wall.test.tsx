import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { mountPage, type PageHarness } from '../../../layout/testing/mount-page.tsx'
import { createFleet } from '../../../read-model/fleet.ts'
import { useMapController } from '../use-map-controller.ts'
import Wall from './wall.tsx'

// what is drawn is looked at elsewhere
vi.mock('../map/base-map.tsx', () => ({ default: () => null }))
vi.mock('../use-map-controller.ts', { spy: true })

let harness: PageHarness
let looks: (() => void)[]
beforeEach(async () => {
  looks = []
  const timers = vi.spyOn(window, 'setInterval').mockImplementation((look, ms) => {
    if (ms === 60_000) looks.push(look as () => void)
    return 0 as unknown as ReturnType<typeof setInterval>
  })
  onTestFinished(() => timers.mockRestore())
  const fleet = createFleet((call) => call())
  harness = await mountPage(<Wall onLeave={() => {}} />, { at: '/?wall', fleet, server: {} })
  await expect.element(page.getByText(/0 online/)).toBeVisible()
})
afterEach(() => harness.unmount())

test('the map of a wall cannot be pressed: nobody is there to undo it', () => {
  const map = document.querySelector('[aria-label="Map of devices"]') as HTMLElement
  const { x, y, width, height } = map.getBoundingClientRect()
  expect(map.contains(document.elementFromPoint(x + width / 2, y + height / 2))).toBe(false)
})

test('each minute the map of a wall looks whether somebody has left it', async () => {
  const { value } = vi.mocked(useMapController).mock.results.at(-1) as {
    value: ReturnType<typeof useMapController>
  }
  const keepShown = vi.spyOn(value.controller, 'keepShown')
  await expect.poll(() => looks.length).toBeGreaterThan(0)
  looks.at(-1)?.()
  expect(keepShown).toHaveBeenCalledOnce()
})

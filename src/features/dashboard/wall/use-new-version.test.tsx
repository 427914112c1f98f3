import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { useRoot } from '../../../actors/use-root.ts'
import { mountPage, type PageHarness } from '../../../layout/testing/mount-page.tsx'
import { noDrafts } from '../../../layout/testing/no-drafts.ts'
import { createFleet } from '../../../read-model/fleet.ts'
import { useNewVersion } from './use-new-version.ts'

let harness: PageHarness
afterEach(() => {
  harness.unmount()
  newVersion = undefined
})

type NewVersion = ReturnType<typeof useRoot>['newVersion']
let newVersion: NewVersion | undefined

function Wall() {
  newVersion = useRoot().newVersion
  useNewVersion()
  return 'The wall'
}

test.each(['offered', 'putOff'] as const)(
  'a wall loads a new version that is %s once all nodes have it',
  async (state) => {
    const ticks: (() => void)[] = []
    const timers = vi.spyOn(window, 'setInterval').mockImplementation((tick, ms) => {
      if (ms === 60_000) ticks.push(tick as () => void)
      return 0 as unknown as ReturnType<typeof setInterval>
    })
    onTestFinished(() => timers.mockRestore())
    const drafts = { ...noDrafts, keep: () => true }
    harness = await mountPage(<Wall />, { at: '/', server: {}, drafts, fleet: createFleet((call) => call()) })
    await expect.poll(() => newVersion).toBeDefined()
    newVersion?.send({ type: 'build.changed' })
    if (state === 'putOff') newVersion?.send({ type: 'later' })
    await expect.poll(() => ticks.length).toBeGreaterThan(0)
    expect(newVersion?.getSnapshot().value).toBe(state)
    ticks.at(-1)?.()
    expect(newVersion?.getSnapshot().value).toBe('reloading')
  },
)

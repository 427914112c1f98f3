import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { withStatus } from '#machines/contracts/device-state.ts'
import { clock, deskWith, incident } from '../../../layout/incidents/testing.ts'
import { mountPage, type PageHarness } from '../../../layout/testing/mount-page.tsx'
import { createFleet } from '../../../read-model/fleet.ts'
import {
  imeiOf,
  type PlainDevice,
  plainDevice,
  plainGroup,
  snapshotOf,
} from '../../../read-model/testing/make-fleet.ts'
import { WallIncidents } from './wall-incidents.tsx'

let harness: PageHarness
afterEach(() => harness.unmount())

/** The second device, between two that are well; limits are 0 and 8 °C. `only`: devices shown. */
async function shown(
  second: Partial<PlainDevice>,
  { only, ...desk }: Parameters<typeof deskWith>[0] & { only?: number[] } = {},
) {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, [plainDevice(1), plainDevice(2, second), plainDevice(3)], [plainGroup('top')]))
  const imeis = only?.map(imeiOf)
  harness = await mountPage(
    <WallIncidents
      fleet={fleet}
      known={deskWith(desk)}
      isShown={(imei) => imeis?.includes(imei) ?? true}
      isNarrowed={only !== undefined}
    />,
    { at: '/', server: {}, fleet, clock },
  )
}
const all = page.getByRole('main')
const WELL = 'Nothing is openAll devices shown are heard, and within their limits.'
const NOT_ALL = 'Nothing is openYet not all devices shown are heard and within their limits.'

test('where all are heard and within their limits it says so', async () => {
  await shown({})
  await expect.element(all).toHaveTextContent(WELL)
})

test.each([
  ['never heard', { at: 0, state: withStatus(0, 'offline') }],
  ['heard no more', { state: withStatus(0, 'disconnected') }],
  ['beyond its limit, and not yet for long enough', { temperature: 900 }],
])('with a device that is %s it does not say so, unless another is shown', async (_, second) => {
  await shown(second)
  await expect.element(all).toHaveTextContent(NOT_ALL)
  harness.unmount()
  await shown(second, { only: [1, 3] })
  await expect.element(all).toHaveTextContent(WELL)
})

test('the pages turn by themselves, however fast the clock of the server goes', async () => {
  const turns: (() => void)[] = []
  const timers = vi.spyOn(window, 'setInterval').mockImplementation((turn, ms) => {
    if (ms === 15_000) turns.push(turn as () => void)
    return 0 as unknown as ReturnType<typeof setInterval>
  })
  onTestFinished(() => timers.mockRestore())
  await shown({ temperature: 900 }, { open: [incident(1), incident(2), incident(3)] })
  await expect.poll(() => turns.length).toBeGreaterThan(0)
  for (const rows of ['1–1', '2–2', '1–1', '3–3']) {
    await expect.element(page.getByRole('heading')).toHaveTextContent(`Open 3${rows} of 3`)
    turns.at(-1)?.()
  }
})

test('devices that are lost for longer are counted where all are shown, and else only said to be there', async () => {
  await shown({ temperature: 900 }, { open: [incident(2)], moreLost: 40 })
  await expect.element(page.getByRole('heading')).toHaveTextContent('Open 41')
  harness.unmount()
  await shown({ temperature: 900 }, { open: [incident(2)], moreLost: 40, only: [2] })
  await expect.element(page.getByRole('heading')).toHaveTextContent('Open 1+')
})

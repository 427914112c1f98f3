import { useSelector } from '@xstate/react'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { dashboardOf } from '../../actors/dashboard-actor.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { createFleet, type Fleet } from '../../read-model/fleet.ts'
import { imeiOf, plainDevice, plainGroup, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import { useDashboardAddress } from './use-dashboard-address.ts'

let harness: PageHarness
afterEach(() => harness.unmount())

const NUMBERS = Array.from({ length: 102 }, (_, no) => no)
const GROUPS = NUMBERS.map((no) => plainGroup(`g${no}`))

/** Says what is selected, and how many devices and groups are picked. */
function Board({ fleet }: { fleet: Fleet }) {
  const dashboard = dashboardOf(fleet)
  const view = useSelector(dashboard, ({ context }) => context)
  useDashboardAddress({ fleet, dashboard, view, isLoading: false, isLost: false })
  const { selected, devices, groups } = view
  return (
    <output>{[selected, ...[devices, groups].map((one) => (one === 'all' ? one : one.size))].join()}</output>
  )
}

test('what is too much for an address stays picked on the way back, unless it hides what is asked for', async () => {
  const fleet = createFleet((call) => call())
  fleet.load(
    snapshotOf(
      1,
      NUMBERS.map((no) => plainDevice(no, { group: no })),
      GROUPS,
    ),
  )
  harness = await mountPage(<Board fleet={fleet} />, { at: '/', fleet, server: {} })
  const shown = page.getByRole('status')
  const dashboard = dashboardOf(fleet)
  dashboard.send({ type: 'devices.pick', devices: new Set(NUMBERS.slice(1).map(imeiOf)) })
  dashboard.send({ type: 'groups.pick', groups: new Set(NUMBERS.slice(1).map((no) => `g${no}`)) })
  for (const no of [1, 2]) {
    dashboard.send({ type: 'device.select', imei: imeiOf(no) })
    await expect.poll(() => harness.went().at(-1)).toBe(`/?device=${imeiOf(no)}`)
  }
  harness.root.goTo(`/?device=${imeiOf(1)}`)
  await expect.element(shown).toHaveTextContent(`${imeiOf(1)},101,101`)
  harness.root.goTo(`/?device=${imeiOf(0)}`)
  await expect.element(shown).toHaveTextContent(`${imeiOf(0)},all,all`)
})

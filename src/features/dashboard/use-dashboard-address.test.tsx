import { useSelector } from '@xstate/react'
import { afterEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type DashboardActor, dashboardOf } from '../../actors/dashboard-actor.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { createFleet, type Fleet } from '../../read-model/fleet.ts'
import { imeiOf, plainDevice, plainGroup, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import { useDashboardAddress } from './use-dashboard-address.ts'

let harness: PageHarness
afterEach(() => harness.unmount())

const NUMBERS = Array.from({ length: 250 }, (_, no) => no)
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

async function board(): Promise<DashboardActor> {
  const fleet = createFleet((call) => call())
  fleet.load(
    snapshotOf(
      1,
      NUMBERS.map((no) => plainDevice(no, { group: no })),
      GROUPS,
    ),
  )
  harness = await mountPage(<Board fleet={fleet} />, { at: '/', fleet, server: {} })
  return dashboardOf(fleet)
}
const shown = page.getByRole('status')
const groupsFrom = (no: number) => new Set(NUMBERS.slice(no).map((no) => `g${no}`))

test('all groups but a few are in the address, and Back and a view of all groups are what they say', async () => {
  const dashboard = await board()
  dashboard.send({ type: 'groups.pick', groups: groupsFrom(1) })
  dashboard.send({ type: 'device.select', imei: imeiOf(1) })
  await expect.poll(() => harness.went().at(-1)).toBe(`/?groups=~g0&device=${imeiOf(1)}`)
  harness.root.goTo(`/?device=${imeiOf(2)}`)
  await expect.element(shown).toHaveTextContent(`${imeiOf(2)},all,all`)
  harness.root.goTo(`/?groups=~g0&device=${imeiOf(3)}`)
  await expect.element(shown).toHaveTextContent(`${imeiOf(3)},all,249`)
})

test('what is too much for an address stays picked on the way back', async () => {
  const dashboard = await board()
  dashboard.send({ type: 'groups.pick', groups: groupsFrom(125) })
  dashboard.send({ type: 'device.select', imei: imeiOf(125) })
  await expect.poll(() => harness.went().at(-1)).toBe(`/?groups=~*&device=${imeiOf(125)}`)
  harness.root.goTo(`/?groups=~*&device=${imeiOf(126)}`)
  await expect.element(shown).toHaveTextContent(`${imeiOf(126)},all,125`)
})

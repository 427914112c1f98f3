import { afterEach, expect, test, vi } from 'vitest'
import { STATUSES } from '#machines/contracts/device-state.ts'
import { dashboardOf } from '../../actors/dashboard-actor.ts'
import { clock, deskWith } from '../../layout/incidents/testing.ts'
import { mountPage, type PageHarness } from '../../layout/testing/mount-page.tsx'
import { createFleet } from '../../read-model/fleet.ts'
import { imeiOf, plainDevice, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import Dashboard from './dashboard.tsx'

// what is drawn is looked at elsewhere
vi.mock('./map/base-map.tsx', () => ({ default: () => null }))

let harness: PageHarness
afterEach(() => harness.unmount())

const OFFLINE = STATUSES.indexOf('offline')

test('a selected device is let go of when its state is none that the filter lets through', async () => {
  const fleet = createFleet((call) => call())
  const load = (seq: number, states: number[]) =>
    fleet.load(
      snapshotOf(
        seq,
        states.map((state, no) => plainDevice(no, { state })),
      ),
    )
  load(1, [OFFLINE, OFFLINE])
  const server = { 'GET /groups/top/incidents': { body: deskWith({ open: [] }) } }
  harness = await mountPage(<Dashboard />, { at: '/', server, fleet, clock })
  const selected = () => dashboardOf(fleet).getSnapshot().context.selected
  dashboardOf(fleet).send({ type: 'status.pick', status: 'offline' })
  dashboardOf(fleet).send({ type: 'device.select', imei: imeiOf(1) })
  await expect.poll(() => document.querySelector('[aria-current=true]')?.textContent).toMatch(/Reefer 1/)
  expect(selected()).toBe(imeiOf(1))
  load(2, [OFFLINE, 0])
  await expect.poll(selected).toBeNull()
})

import { expect, test } from 'vitest'
import { dashboardOf } from '../../actors/dashboard-actor.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { imeiOf, plainDevice, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import { followReplaced } from './follow-replaced.ts'

test('a device that has another tracker stays selected, and among those picked', () => {
  const fleet = createFleet((call) => call())
  fleet.load(snapshotOf(1, [plainDevice(1), plainDevice(2), plainDevice(3)]))
  const dashboard = dashboardOf(fleet)
  followReplaced(fleet, dashboard)
  dashboard.send({ type: 'device.select', imei: imeiOf(2) })
  dashboard.send({ type: 'devices.pick', devices: new Set([imeiOf(2), imeiOf(3)]) })
  const now = () => dashboard.getSnapshot().context
  fleet.load(snapshotOf(2, [plainDevice(1), plainDevice(3)]))
  expect(now().selected, 'gone, it is nobody else').toBe(imeiOf(2))
  fleet.load(snapshotOf(3, [plainDevice(1), plainDevice(2, { imei: imeiOf(22) }), plainDevice(3)]))
  expect(now().selected).toBe(imeiOf(22))
  expect(now().devices).toEqual(new Set([imeiOf(22), imeiOf(3)]))
})

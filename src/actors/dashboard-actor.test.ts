import { expect, test } from 'vitest'
import { createFleet } from '../read-model/fleet.ts'
import { beginLike, dashboardOf, showOn } from './dashboard-actor.ts'

const fleet = () => createFleet((call) => call())

test('what a dashboard shows already is left as it is: the map goes on with the device it follows', () => {
  const now = fleet()
  const dashboard = dashboardOf(now)
  dashboard.send({ type: 'groups.pick', groups: new Set(['lahore']) })
  dashboard.send({ type: 'device.select', imei: '350000000000001' })
  const then = fleet()
  beginLike(then, now)
  const before = dashboardOf(then).getSnapshot()
  expect(before.matches({ selected: 'followed' })).toBe(true)
  // as the address says it, once more
  const { devices, status, words } = before.context
  showOn(dashboardOf(then), {
    groups: new Set(['lahore']),
    devices,
    status,
    words,
    selected: '350000000000001',
  })
  const after = dashboardOf(then).getSnapshot()
  expect(after.matches({ selected: 'followed' })).toBe(true)
  expect(after.context.groups).toBe(before.context.groups)
})

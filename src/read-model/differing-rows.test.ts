import { expect, test } from 'vitest'
import type { FleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import { differingFrom } from './differing-rows.ts'
import { createFleet } from './fleet.ts'
import { plainDevice, snapshotOf } from './testing/make-fleet.ts'

/** How the list names them, and what they measure. */
function listed(snapshot: FleetSnapshot) {
  const fleet = createFleet(() => {})
  fleet.load(snapshot)
  const { names, columns } = fleet
  return Array.from({ length: columns.size }, (_, row) => [
    names.of(row, 'imei'),
    names.of(row, 'name'),
    columns.temperature[row],
  ])
}

test('devices on which two views disagree keep their names and values; one that the other does not know is among them', () => {
  const then = snapshotOf(
    1,
    [1, 2, 3, 4].map((no) => plainDevice(no)),
  )
  const now = snapshotOf(1, [plainDevice(1), plainDevice(2, { temperature: 910 }), plainDevice(3)])
  const [, second = [], , fourth] = listed(then)
  expect(listed(differingFrom(then, now))).toEqual([second, fourth])
  expect(listed(differingFrom(now, then))).toEqual([[second[0], second[1], 910]])
  expect(listed(differingFrom(then, then))).toEqual([])
})

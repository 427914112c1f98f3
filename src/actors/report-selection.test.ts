import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFleet } from '../read-model/fleet.ts'
import { imeiOf, plainDevice, plainGroup, snapshotOf } from '../read-model/testing/make-fleet.ts'
import { chosenRows, countChosen, selectionToSend, withGroups, withVehicles } from './report-selection.ts'

/** top › punjab › lahore, multan; top › sindh. Devices 1–3 in lahore, 4 in multan, 5 in punjab, 6 in sindh; 3 is a warehouse. */
const groups = [
  plainGroup('top'),
  plainGroup('punjab', 'top'),
  plainGroup('lahore', 'punjab'),
  plainGroup('multan', 'punjab'),
  plainGroup('sindh', 'top'),
]
const placed = [2, 2, 2, 3, 1, 4]
const fleet = createFleet((call) => call())
fleet.load(
  snapshotOf(
    1,
    placed.map((group, i) => plainDevice(i + 1, { group, kind: i === 2 ? 1 : 0 })),
    groups,
  ),
)
const none = new Set<string>()
const imeis = (...numbers: number[]) => new Set(numbers.map(imeiOf))

test('a group stands for all below it once all below it is ticked', () => {
  const punjab = new Set(['punjab', 'lahore', 'multan'])
  expect(selectionToSend(fleet, { groups: punjab, devices: none }, 'vehicle')).toEqual({
    things: [],
    groups: ['punjab'],
  })
  const withoutLahore = new Set(['punjab', 'multan'])
  expect(selectionToSend(fleet, { groups: withoutLahore, devices: none }, 'vehicle')).toEqual({
    things: [imeiOf(5)],
    groups: ['multan'],
  })
})

test('ALL is every vehicle, or every device where that is meant', () => {
  expect(countChosen(fleet, { groups: none, devices: 'all' }, 'vehicle')).toBe(5)
  expect(countChosen(fleet, { groups: none, devices: 'all' }, undefined)).toBe(6)
})

test('what is sent comes to what is chosen, no more and no less', () => {
  const ids = groups.map(({ _id }) => _id)
  const chosen = fc.record({
    groups: fc.subarray(ids).map((some) => new Set(some)),
    devices: fc.oneof(
      fc.constant('all' as const),
      fc.subarray([1, 2, 3, 4, 5, 6]).map((some) => imeis(...some)),
    ),
  })
  fc.assert(
    fc.property(chosen, (choice) => {
      const { things, groups: named } = selectionToSend(fleet, choice, 'vehicle')
      const below = new Set(named.flatMap((id) => fleet.groups.within(id)))
      const reached = placed.map((group, i) =>
        things.includes(imeiOf(i + 1)) || below.has(groups[group]?._id ?? '') ? 1 : 0,
      )
      expect(reached).toEqual([...chosenRows(fleet, choice, 'vehicle')])
    }),
  )
})

test('ticking a group ticks its vehicles, letting it go lets them go', () => {
  const ticked = withGroups(fleet, { groups: none, devices: imeis(6) }, new Set(['lahore']))
  expect(ticked.devices).toEqual(imeis(6, 1, 2))
  expect(withGroups(fleet, ticked, none).devices).toEqual(imeis(6))
})

test('a group that lacks a vehicle is not ticked, nor those above it', () => {
  const all = withVehicles(fleet, { groups: none }, 'all')
  expect(all.groups.size).toBe(5)
  const left = withVehicles(fleet, all, imeis(1, 4, 5, 6))
  expect(left.groups).toEqual(new Set(['multan', 'sindh']))
})

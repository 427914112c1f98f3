import { expect, test } from 'vitest'
import { violationBit } from '#machines/contracts/device-state.ts'
import { createFleet } from '../../read-model/fleet.ts'
import { createSearchIndex } from '../../read-model/search-index.ts'
import { maskOf } from '../../read-model/selection.ts'
import { imeiOf, plainDevice, plainGroup, snapshotOf } from '../../read-model/testing/make-fleet.ts'
import { maskWithin, selectionOf, shownIn } from './shown-fleet.ts'

const fleet = createFleet((call) => call())
fleet.load(
  snapshotOf(
    1,
    [
      plainDevice(0, { group: 0, state: 0 }),
      plainDevice(1, { group: 1, state: 1 }),
      plainDevice(2, { group: 1, state: violationBit('LOW_HUMIDITY_DETECTED') }),
      plainDevice(3, { group: 1, state: 2 }),
    ],
    [plainGroup('top'), plainGroup('lahore', 'top')],
  ),
)
const search = createSearchIndex(fleet.names)
const shown = (
  groups: 'all' | Set<string>,
  devices: 'all' | Set<string>,
  status: Parameters<typeof maskWithin>[2] = 'all',
  words = '',
) => {
  const mask = maskWithin(fleet, maskOf(fleet, selectionOf({ groups, devices, words }, search)), status)
  return mask === undefined ? 'all' : [...mask]
}

test('everything picked hides nothing', () => expect(shown('all', 'all')).toBe('all'))

test('groups, devices and status narrow one another', () => {
  expect(shown(new Set(['lahore']), 'all')).toEqual([0, 1, 1, 1])
  expect(shown(new Set(['lahore']), new Set([imeiOf(0), imeiOf(1)]))).toEqual([0, 1, 0, 0])
  expect(shown(new Set(['lahore']), 'all', 'offline')).toEqual([0, 1, 0, 0])
  expect(shown('all', 'all', 'trouble')).toEqual([0, 0, 1, 0])
  expect(shown('all', 'all', 'online')).toEqual([1, 0, 1, 0])
})

test('what is searched for narrows what is picked', () => {
  expect(shown('all', 'all', 'all', ' ')).toBe('all')
  expect(shown('all', 'all', 'all', 'reefer')).toEqual([1, 1, 1, 1])
  expect(shown('all', 'all', 'all', 'leb-2')).toEqual([0, 0, 1, 0])
  expect(shown(new Set(['lahore']), 'all', 'all', 'reefer')).toEqual([0, 1, 1, 1])
  expect(shown('all', 'all', 'offline', 'reefer')).toEqual([0, 1, 0, 0])
  expect(shown('all', 'all', 'all', 'no such device')).toEqual([0, 0, 0, 0])
})

test('nothing picked shows nothing', () => {
  expect(shown(new Set(), 'all')).toEqual([0, 0, 0, 0])
  expect(shown('all', new Set())).toEqual([0, 0, 0, 0])
})

test('a device that comes into the fleet later is let through by what was asked for before', () => {
  const later = createFleet((call) => call())
  const isShown = shownIn(later, undefined)
  expect(isShown(imeiOf(0))).toBe(false)
  later.load(snapshotOf(1, [plainDevice(0, { group: 0 })], [plainGroup('top')]))
  expect(isShown(imeiOf(0))).toBe(true)
})

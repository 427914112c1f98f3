import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DashboardView } from '../../actors/dashboard-actor.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { addressed, dashboardAddress, isBare, requestedOf } from './dashboard-address.ts'

const imei = fc.stringMatching(/^\d{15}$/)
const BARE: DashboardView = { groups: 'all', devices: 'all', status: 'all', words: '', selected: null }
const SEEN = '356307042000001'
const group = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)
const picked = (id: fc.Arbitrary<string>) =>
  fc.oneof(
    fc.constant('all' as const),
    fc.uniqueArray(id, { maxLength: 100 }).map((ids) => new Set(ids)),
  )
const views = viewsOf(group, imei)
/** of what the visitor sees, and of what they do not */
const mixed = viewsOf(fc.oneof(fc.constant('lahore'), group), fc.oneof(fc.constant(SEEN), imei))
const left = (picked: 'all' | ReadonlySet<string>): string[] => (picked === 'all' ? [] : [...picked])
const fleet = {
  names: { rowOf: (one: string) => (one === SEEN ? 0 : -1), of: () => SEEN },
  groups: { list: [{ _id: 'lahore' }] },
  columns: { group: [0], size: 1 },
} as unknown as Fleet

function viewsOf(group: fc.Arbitrary<string>, imei: fc.Arbitrary<string>) {
  return fc.record({
    status: fc.constantFrom('all', 'online', 'offline', 'disconnected', 'trouble'),
    words: fc.string({ maxLength: 200 }),
    groups: picked(group),
    devices: picked(imei),
    selected: fc.option(imei),
  })
}

test('a view that was written is read', () => {
  fc.assert(
    fc.property(views, (view) => {
      expect(dashboardAddress.read(dashboardAddress.write(view))).toEqual(view)
    }),
  )
})

test('whatever an address holds, what is left of it can be seen by the visitor', () => {
  const seen = requestedOf(
    fleet,
    dashboardAddress.read('groups=lahore,karachi&devices=356307042000002&device=356307042000002&status=no'),
    BARE,
  )
  expect(dashboardAddress.write(addressed(fleet, seen))).toBe('groups=lahore')
  fc.assert(
    fc.property(mixed, (view) => {
      const { groups, devices, selected } = requestedOf(fleet, view, BARE)
      for (const id of left(groups)) expect(id).toBe('lahore')
      for (const id of left(devices)) expect(id).toBe(SEEN)
      expect([null, SEEN]).toContain(selected)
    }),
  )
})

test('the dashboard as it opens has no query', () => {
  expect(isBare(dashboardAddress.read(''))).toBe(true)
})

test('what is too much for an address stays as it was picked, unless it hides the device that is asked for', () => {
  const requested = dashboardAddress.read(`groups=~*&devices=~*&device=${SEEN}`)
  const shows = { ...BARE, groups: new Set(['lahore']), devices: new Set([SEEN]) }
  expect(requestedOf(fleet, requested, shows)).toEqual({ ...shows, selected: SEEN })
  const hides = { ...BARE, groups: new Set(['karachi']), devices: new Set(['356307042000002']) }
  expect(requestedOf(fleet, requested, hides)).toEqual({ ...BARE, selected: SEEN })
  expect(requestedOf(fleet, dashboardAddress.read(''), hides)).toEqual(BARE)
})

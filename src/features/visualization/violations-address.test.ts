import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fleet } from '../../read-model/fleet.ts'
import { KINDS } from './kinds.ts'
import { filterRequested, requestedBy, violationsAddress } from './violations-address.ts'

const NOW = Date.UTC(2026, 10, 21, 9)
const OWN = 'own'
const everybody = { names: { rowOf: () => 0 }, groups: { indexOf: () => 0 } } as unknown as Fleet
const nobody = { names: { rowOf: () => -1 }, groups: { indexOf: () => -1 } } as unknown as Fleet

const filters = fc.record({
  groupId: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
  devices: fc.oneof(
    fc.constant('all' as const),
    fc
      .uniqueArray(fc.stringMatching(/^\d{15}$/), { minLength: 1, maxLength: 100 })
      .map((all) => all.toSorted()),
  ),
  violations: fc.subarray(
    KINDS.map(({ type }) => type),
    { minLength: 1 },
  ),
  range: fc.nat(2_000_000_000).map((ms) => ({ from: NOW - ms, to: NOW })),
})

test('a filter that was written is asked for again', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      const requested = violationsAddress.read(violationsAddress.write(requestedBy(filter, OWN, everybody)))
      expect(filterRequested(requested, OWN, everybody, NOW)).toEqual(filter)
    }),
  )
})

test('groups and devices the visitor cannot see are not asked for', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      const requested = filterRequested(requestedBy(filter, OWN, nobody), OWN, nobody, NOW)
      expect(requested).toMatchObject({ groupId: OWN, devices: 'all', range: filter.range })
    }),
  )
})

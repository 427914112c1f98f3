import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filterIn, observationsAddress, PAGE_SIZES, searchedBy } from './observations-address.ts'

test('a page and its rows that were written are read again; what cannot be read is the first of 100', () => {
  const states = fc.record({
    device: fc.constant('356307042000001'),
    start: fc.constant(0),
    hours: fc.constant('4'),
    page: fc.nat(999_998),
    size: fc.constantFrom(...PAGE_SIZES),
  })
  fc.assert(
    fc.property(states, (state) => {
      expect(observationsAddress.read(observationsAddress.write(state))).toEqual(state)
    }),
  )
  for (const query of ['page=0', 'page=-1', 'page=1e3', 'page=x&rows=200'])
    expect(observationsAddress.read(query)).toMatchObject({ page: 0, size: 100 })
})

test('a search that was written is searched for again; without a device and a start there is none', () => {
  const filters = fc.record({
    imei: fc.stringMatching(/^\d{15}$/),
    start: fc.nat(4e12),
    hours: fc.integer({ min: 1, max: 25 }),
  })
  fc.assert(
    fc.property(filters, (filter) => {
      expect(
        filterIn(observationsAddress.read(observationsAddress.write({ ...searchedBy(filter), size: 100 }))),
      ).toEqual(filter)
    }),
  )
  expect(filterIn(observationsAddress.read('device=356307042000001'))).toBeUndefined()
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { filterIn, observationsAddress, searchedBy } from './observations-address.ts'

test('a search that was written is searched for again; without a device and a start there is none', () => {
  const filters = fc.record({
    imei: fc.stringMatching(/^\d{15}$/),
    start: fc.nat(4e12),
    hours: fc.integer({ min: 1, max: 25 }),
  })
  fc.assert(
    fc.property(filters, (filter) => {
      expect(filterIn(observationsAddress.read(observationsAddress.write(searchedBy(filter))))).toEqual(
        filter,
      )
    }),
  )
  expect(filterIn(observationsAddress.read('device=356307042000001'))).toBeUndefined()
})

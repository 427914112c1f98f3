import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SORTABLE } from '../../../read-model/sorted-rows.ts'
import { CHOICES, type ListLook, lookOfText, OWN_LOOK, sortedBy, textOfLook } from './list-look.ts'

const look = fc.record<ListLook>({
  columns: fc.subarray([...CHOICES]),
  sort: fc.option(fc.record({ by: fc.constantFrom(...SORTABLE), isDescending: fc.boolean() })),
})

test('a look is the same after it was written and read', () => {
  fc.assert(
    fc.property(look, (one) => {
      expect(lookOfText(textOfLook(one))).toEqual(one)
    }),
  )
})

test.each(['', '~', 'nothing~-nothing', 'plate.nothing', '~--at', ' '])(
  'what is no column in %j is passed over',
  (text) => {
    const { columns, sort } = lookOfText(text)
    expect(columns).toEqual(text.startsWith('plate') ? ['plate'] : [])
    expect(sort).toBeNull()
  },
)

test('a column sorts one way, then the other, then not at all', () => {
  const first = sortedBy(OWN_LOOK, 'temperature')
  expect(first).toEqual({ by: 'temperature', isDescending: true })
  const second = sortedBy({ columns: [], sort: first }, 'temperature')
  expect(second).toEqual({ by: 'temperature', isDescending: false })
  expect(sortedBy({ columns: [], sort: second }, 'temperature')).toBeNull()
  expect(sortedBy({ columns: [], sort: second }, 'name')).toEqual({ by: 'name', isDescending: false })
})

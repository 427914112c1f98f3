import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readNames } from './names.ts'
import { createSearchIndex } from './search-index.ts'
import { imeiOf, plainDevice, snapshotOf } from './testing/make-fleet.ts'

const names = (devices: { name: string; plate: string }[]) =>
  readNames(
    snapshotOf(
      1,
      devices.map((d, deviceNo) => plainDevice(deviceNo, d)),
    ),
  )

const text = fc.string({ unit: fc.constantFrom('a', 'B', 'ß', ' ', '1', '-'), maxLength: 6 })
const fleet = fc.array(fc.record({ name: text, plate: text }), { maxLength: 30 })

describe('the search', () => {
  test('finds exactly the rows that hold the query in a field', () => {
    fc.assert(
      fc.property(fleet, text, (devices, query) => {
        const index = createSearchIndex(names(devices))
        const wanted = query.trim().toLowerCase()
        const holding = devices.flatMap(({ name, plate }, deviceNo) =>
          [imeiOf(deviceNo), name, plate].some((field) => field.toLowerCase().includes(wanted))
            ? [deviceNo]
            : [],
        )
        const { rows, more } = index.find(query, 100)
        expect([...rows].toSorted((a, b) => a - b)).toEqual(holding)
        expect(more).toBe(false)
      }),
    )
  })

  test('puts those first that begin with it', () => {
    const index = createSearchIndex(
      names([
        { name: 'Old Lahore', plate: 'X' },
        { name: 'Lahore 1', plate: 'Y' },
        { name: 'Z', plate: 'LAHORE' },
      ]),
    )
    expect([...index.find('  lahore', 10).rows]).toEqual([1, 2, 0])
  })

  test('stops at the limit and says that there is more', () => {
    const index = createSearchIndex(names(Array.from({ length: 20 }, () => ({ name: 'abc', plate: '' }))))
    expect(index.find('b', 5)).toEqual({ rows: Uint32Array.of(0, 1, 2, 3, 4), more: true })
    expect(index.find('b', 20).more).toBe(false)
    expect(index.find('', 3)).toEqual({ rows: Uint32Array.of(0, 1, 2), more: true })
    expect([...index.find('b', 5, (row) => row % 2 === 1).rows]).toEqual([1, 3, 5, 7, 9])
  })

  test('is built slice by slice, and finds in every one', () => {
    const index = createSearchIndex(
      names(Array.from({ length: 5000 }, (_, deviceNo) => ({ name: `Truck ${deviceNo}`, plate: '' }))),
    )
    expect(index.complete).toBe(false)
    let slices = 1
    while (index.build()) slices++
    expect(slices).toBe(3)
    expect(index.complete).toBe(true)
    for (const deviceNo of [0, 2047, 2048, 4999])
      expect(index.find(`truck ${deviceNo}`, 1).rows[0]).toBe(deviceNo)
    expect([...index.find(imeiOf(4096), 5).rows]).toEqual([4096])
  })
})

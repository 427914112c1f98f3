import fc from 'fast-check'
import { expect, test } from 'vitest'
import { READING_FIELDS } from '#machines/contracts/readings.ts'
import { type BudgetNow, setBudgets } from './budgets.ts'
import { createFleet } from './fleet.ts'
import { SORTABLE } from './sort-keys.ts'
import { createRowSorter } from './sorted-rows.ts'
import { plainDevice, plainGroup, snapshotOf } from './testing/make-fleet.ts'

const MISSING = READING_FIELDS.temperature.missing
const fleetOf = (devices: Parameters<typeof plainDevice>[1][], groups = [plainGroup('top')]) => {
  const fleet = createFleet((call) => call())
  fleet.load(
    snapshotOf(
      1,
      devices.map((device, no) => plainDevice(no, device)),
      groups,
    ),
  )
  return fleet
}

test('texts go by their letters whatever their case, figures in them by their value, blanks last', () => {
  const fleet = fleetOf([{ name: 'Truck 10' }, { name: 'truck 9' }, { name: '' }, { name: 'Reefer' }])
  const { rows: sorted } = createRowSorter(fleet)
  expect([...sorted({ by: 'name', isDescending: false })]).toEqual([3, 1, 0, 2])
  expect([...sorted({ by: 'name', isDescending: true })]).toEqual([0, 1, 3, 2])
})

test('groups go by name', () => {
  const groups = [plainGroup('sindh'), plainGroup('lahore')]
  const fleet = fleetOf([{ group: 0 }, { group: 1 }, { group: 0 }], groups)
  expect([...createRowSorter(fleet).rows({ by: 'group', isDescending: false })]).toEqual([1, 0, 2])
})

test('budgets go by what is used of them, where that is known, and follow when more is', () => {
  const fleet = fleetOf([{}, {}, {}, {}])
  const carry = (percents: readonly (readonly [no: number, percent: number | null])[]) =>
    setBudgets(
      fleet,
      new Map(
        percents.map(([no, percent]): [number, BudgetNow] => [
          no,
          { state: 'within', percent, most: percent, exhaustsAt: null },
        ]),
      ),
    )
  const { rows: sorted } = createRowSorter(fleet)
  const by = { by: 'budget', isDescending: true } as const
  carry([
    [1, 12.4],
    [2, null],
    [3, 80],
  ])
  expect([...sorted(by)].slice(0, 2)).toEqual([3, 1])
  carry([
    [1, 92],
    [3, 80],
  ])
  expect([...sorted(by)].slice(0, 2)).toEqual([1, 3])
  expect([...sorted({ by: 'budget', isDescending: false })].slice(0, 2)).toEqual([3, 1])
})

test('a name that changes has its new place', () => {
  const fleet = fleetOf([{ name: 'b' }, { name: 'c' }])
  const { rows: sorted } = createRowSorter(fleet)
  const by = { by: 'name', isDescending: false } as const
  expect([...sorted(by)]).toEqual([0, 1])
  fleet.load(snapshotOf(2, [plainDevice(0, { name: 'd' }), plainDevice(1, { name: 'c' })]))
  expect([...sorted(by)]).toEqual([1, 0])
})

test('texts that were prepared slice by slice are in the same order, and prepared anew when a name is another', () => {
  const devices = Array.from({ length: 9000 }, (_, no) => ({ name: `Van ${(no * 7919) % 9000}` }))
  const fleet = fleetOf(devices)
  const sorter = createRowSorter(fleet)
  const by = { by: 'name', isDescending: false } as const
  let slices = 0
  while (sorter.prepare()) slices++
  // three of rows and one that joins them, for names, plates and IMEIs
  expect(slices).toBe(12)
  expect(sorter.rows(by)).toEqual(createRowSorter(fleet).rows(by))
  expect(devices[sorter.rows(by)[8999] as number]?.name).toBe('Van 8999')
  fleet.load(snapshotOf(2, [plainDevice(0, { name: 'b' }), plainDevice(1, { name: 'a' })]))
  expect(sorter.prepare()).toBe(true)
  expect([...sorter.rows(by)]).toEqual([1, 0])
})

test('numbers are in order, each row once, what is missing last, what is alike in its place', () => {
  const device = fc.record({
    temperature: fc.oneof(fc.integer({ min: -4000, max: 4000 }), fc.constant(MISSING)),
    at: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4_000_000_000_000 })),
    lng: fc.integer({ min: -180_000_000, max: 180_000_000 }),
  })
  fc.assert(
    fc.property(
      fc.array(device, { maxLength: 40 }),
      fc.constantFrom('temperature', 'lng', 'at'),
      fc.boolean(),
      (devices, by, isDescending) => {
        const rows = createRowSorter(fleetOf(devices)).rows({ by, isDescending })
        const sortValue = (row: number) => {
          const value = devices[row]?.[by] as number
          if (value === (by === 'at' ? 0 : MISSING)) return Number.POSITIVE_INFINITY
          return (isDescending ? -1 : 1) * Math.floor(value / (by === 'at' ? 1000 : 1))
        }
        const wanted = devices.map((_, row) => row)
        const wantedRows = wanted.sort((a, b) => {
          const [one, other] = [sortValue(a), sortValue(b)]
          return one === other ? a - b : one - other
        })
        expect([...rows]).toEqual(wantedRows)
      },
    ),
  )
})

test.each(SORTABLE)('a fleet of nothing has no rows: %s', (by) => {
  expect(createRowSorter(fleetOf([])).rows({ by, isDescending: false })).toHaveLength(0)
})

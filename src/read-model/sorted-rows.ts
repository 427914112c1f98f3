import { READING_FIELDS } from '#machines/contracts/readings.ts'
import { budgetsOf } from './budgets.ts'
import type { Fleet } from './fleet.ts'
import type { NameField } from './names.ts'
import { SEVERITY_OF } from './severity.ts'
import type { ListSort, SortKey } from './sort-keys.ts'

/**
 * All rows of a fleet in the order of a column; what is missing comes last either way, and what is alike keeps its place. No
 * object a device: numbers are sorted as one column, texts once for as long as names and groups are the same.
 */
export type RowSorter = {
  /** puts a slice of the texts in order, a few milliseconds' work; call again while it answers true */
  prepare(): boolean
  rows(sort: ListSort): Uint32Array
}

const sorters = new WeakMap<Fleet, RowSorter>()

/** The one of a fleet: whoever prepares it does so for all. */
export function sorterOf(fleet: Fleet): RowSorter {
  const sorter = sorters.get(fleet) ?? createRowSorter(fleet)
  sorters.set(fleet, sorter)
  return sorter
}

export function createRowSorter(fleet: Fleet): RowSorter {
  let structure = -1
  let ranks = new Map<'group' | NameField, Float64Array>()
  let keys: Record<NameField, SortedKeys>

  function renew(): void {
    if (structure === fleet.structure) return
    structure = fleet.structure
    ranks = new Map()
    keys = {
      name: createSortedKeys(fleet, 'name'),
      plate: createSortedKeys(fleet, 'plate'),
      imei: createSortedKeys(fleet, 'imei'),
    }
  }

  /** Of each row its place among the texts of the fleet; the same for the same text. */
  function textRanks(by: 'group' | NameField): Float64Array {
    const known = ranks.get(by)
    if (known !== undefined) return known
    const found = by === 'group' ? groupRanks(fleet) : keys[by].ranks()
    ranks.set(by, found)
    return found
  }

  return {
    prepare() {
      renew()
      for (const by of TEXTS) {
        if (keys[by].take()) return true
        if (!ranks.has(by)) {
          textRanks(by)
          return true
        }
      }
      return false
    },
    rows({ by, isDescending }) {
      renew()
      const isText = by === 'group' || by === 'name' || by === 'plate' || by === 'imei'
      return rowsInOrder(isText ? textRanks(by) : valuesOf(fleet, by), fleet.columns.size, isDescending)
    },
  }
}

const TEXTS: readonly NameField[] = ['name', 'plate', 'imei']

/** Stored values as numbers, NaN where there is none. */
function valuesOf(fleet: Fleet, by: Exclude<SortKey, 'group' | NameField>): Float64Array {
  const { columns } = fleet
  const values = new Float64Array(columns.size)
  if (by === 'state')
    for (let row = 0; row < values.length; row++)
      values[row] = SEVERITY_OF[columns.state[row] as number] as number
  else if (by === 'budget') {
    const budgets = budgetsOf(fleet)
    // tenths of a percent: value and row must fit into one number
    for (let row = 0; row < values.length; row++)
      values[row] = Math.round((budgets.get(columns.device[row] as number)?.percent ?? Number.NaN) * 10)
  } else {
    const stored = columns[by]
    const missing = by === 'at' ? 0 : READING_FIELDS[by].missing
    // seconds: value and row must fit into one number
    const scale = by === 'at' ? 1000 : 1
    for (let row = 0; row < values.length; row++)
      values[row] = stored[row] === missing ? Number.NaN : Math.floor((stored[row] as number) / scale)
  }
  return values
}

/** Value and row as one number each (below 2^53), so that the browser's own sort of numbers does the rest. */
function rowsInOrder(values: Float64Array, size: number, isDescending: boolean): Uint32Array {
  const keys = new Float64Array(size)
  const last: number[] = []
  let count = 0
  for (let row = 0; row < size; row++) {
    const value = values[row] as number
    if (Number.isNaN(value)) last.push(row)
    else keys[count++] = (isDescending ? -value : value) * size + row
  }
  const sorted = keys.subarray(0, count).sort()
  const rows = new Uint32Array(size)
  for (let i = 0; i < count; i++) {
    const key = sorted[i] as number
    rows[i] = key - Math.floor(key / size) * size
  }
  rows.set(last, count)
  return rows
}

function groupRanks({ columns, groups }: Fleet): Float64Array {
  const order = groups.list
    .map(({ name }, index) => ({ name, index }))
    .sort((a, b) => collator.compare(a.name, b.name))
  const ranks = new Float64Array(groups.list.length)
  order.forEach(({ index }, rank) => {
    ranks[index] = rank
  })
  return Float64Array.from(
    { length: columns.size },
    (_, row) => ranks[columns.group[row] as number] ?? Number.NaN,
  )
}

const collator = new Intl.Collator('en', { numeric: true })
/** Figures stand in texts as wide as this, so that 9 comes before 10. */
const FIGURES = 12
const ZEROS = '0'.repeat(FIGURES)

const ROWS_A_SLICE = 4096

/** Texts that come into order slice by slice: what is sorted in parts is quickly sorted as a whole. */
type SortedKeys = {
  /** takes a slice of rows in; false where there are no more */
  take(): boolean
  /** takes in what is missing */
  ranks(): Float64Array
}

/** Without a collator, which takes a second for 100,000 names. A blank name is missing. */
function createSortedKeys({ columns, names }: Fleet, field: NameField): SortedKeys {
  const { size } = columns
  const offset = FIELDS_OF_A_ROW.indexOf(field)
  const keys: string[] = []
  let taken = 0

  function take(): boolean {
    if (taken === size) return false
    const to = Math.min(size, taken + ROWS_A_SLICE)
    const texts = names.slice(taken, to)
    const slice: string[] = []
    for (let row = taken; row < to; row++) {
      const text = texts[(row - taken) * 3 + offset] as string
      if (text !== '') slice.push(`${sortable(text)}\n${row}`)
    }
    for (const key of slice.sort()) keys.push(key)
    taken = to
    return true
  }

  function ranks(): Float64Array {
    while (take());
    const found = new Float64Array(size).fill(Number.NaN)
    let before = ''
    let rank = 0
    for (const key of keys.sort()) {
      const end = key.indexOf('\n')
      const text = key.slice(0, end)
      if (text !== before) rank++
      before = text
      found[Number(key.slice(end + 1))] = rank
    }
    return found
  }

  return { take, ranks }
}

/** As `names.slice` has them. */
const FIELDS_OF_A_ROW: readonly NameField[] = ['imei', 'name', 'plate']

const sortable = (text: string): string =>
  text.toLowerCase().replace(/\d+/g, (digits) => ZEROS.slice(digits.length) + digits)

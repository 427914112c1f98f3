import type { ReadingColumns } from '#machines/contracts/readings.ts'

/** Which readings (device and time) are among the rows of some columns: open addressing, a slot holds a row's number + 1. */
export class RowSet {
  #columns: ReadingColumns
  #slots: Int32Array
  #mask: number

  constructor(columns: ReadingColumns) {
    this.#columns = columns
    const size = 2 ** Math.ceil(Math.log2(Math.max(columns.device.length, 4) * 2))
    this.#slots = new Int32Array(size)
    this.#mask = size - 1
  }

  has(device: number, at: number): boolean {
    return this.#slots[this.#find(device, at)] !== 0
  }

  /** The row is there already; it becomes findable. */
  add(row: number): void {
    this.#slots[this.#find(this.#columns.device[row] as number, this.#columns.at[row] as number)] = row + 1
  }

  /** The slot that holds the reading, or the free one where it belongs. */
  #find(device: number, at: number): number {
    const low = at % 0x1_0000_0000
    let slot = Math.imul(Math.imul(device + 1, 0x9e3779b1) ^ (low >>> 0), 0x85ebca6b) & this.#mask
    for (;;) {
      const row = this.#slots[slot] as number
      if (row === 0 || (this.#columns.device[row - 1] === device && this.#columns.at[row - 1] === at))
        return slot
      slot = (slot + 1) & this.#mask
    }
  }
}

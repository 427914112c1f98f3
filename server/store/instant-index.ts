import { randomInt } from 'node:crypto'
import type { ReadingColumns } from '#machines/contracts/readings.ts'

const TWO_32 = 2 ** 32

/** Odd numbers that differ with each start: nobody outside knows which instants share a slot (multiply-shift hashing). */
const [OF_DEVICE, OF_LOW, OF_HIGH] = Array.from({ length: 3 }, () => randomInt(TWO_32) | 1) as [
  number,
  number,
  number,
]

/**
 * Which of some rows is of a device and instant, found by one look: a table with open addressing over columns it does not own. Of
 * several rows of one device and instant it knows the last one that was added.
 */
export class InstantIndex {
  /** rows by slot; 0 is none, as row 0 is looked at by itself */
  private readonly slots: Uint16Array
  private readonly shift: number
  private isEmpty = true

  /** @param most rows there may be, a power of two of at most 65,536 */
  constructor(most: number) {
    this.slots = new Uint16Array(most * 2)
    this.shift = 32 - Math.log2(this.slots.length)
  }

  clear(): void {
    this.slots.fill(0)
    this.isEmpty = true
  }

  /** `row` is in the columns already. */
  add(columns: Pick<ReadingColumns, 'device' | 'at'>, row: number): void {
    this.isEmpty = false
    if (row > 0)
      this.slots[this.slotOf(columns, columns.device[row] as number, columns.at[row] as number)] = row
  }

  /** The row of a device and instant, -1 where there is none. */
  rowOf(columns: Pick<ReadingColumns, 'device' | 'at'>, device: number, at: number): number {
    if (this.isEmpty) return -1
    const row = this.slots[this.slotOf(columns, device, at)] as number
    if (row > 0) return row
    return columns.device[0] === device && columns.at[0] === at ? 0 : -1
  }

  /** The slot of a device and instant, or the free one where it would be; half of them are free. */
  private slotOf(
    { device: devices, at: ats }: Pick<ReadingColumns, 'device' | 'at'>,
    device: number,
    at: number,
  ): number {
    const { slots } = this
    const sum = Math.imul(at, OF_LOW) + Math.imul(at / TWO_32, OF_HIGH) + Math.imul(device, OF_DEVICE)
    for (let slot = sum >>> this.shift; ; slot = (slot + 1) % slots.length) {
      const row = slots[slot] as number
      if (row === 0 || (devices[row] === device && ats[row] === at)) return slot
    }
  }
}

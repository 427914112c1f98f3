import { grown } from './hot-tail.ts'

/** A batch of the log that is still in the tail: its rows end before `endRow`. */
export type IndexedBatch = { seq: number; recordedAt: number; endRow: number }

const NAMES = ['seq', 'recordedAt', 'endRow'] as const
const FIRST_ROOM = 1024

/** Batches in the order of the log, as columns: dozens come a second, and those of an hour are held. */
export class BatchIndex {
  length = 0
  private columns = {
    seq: new Float64Array(FIRST_ROOM),
    recordedAt: new Float64Array(FIRST_ROOM),
    endRow: new Float64Array(FIRST_ROOM),
  }

  add(batch: IndexedBatch): void {
    const room = this.columns.seq.length
    for (const name of NAMES) {
      if (this.length === room) this.columns[name] = grown(this.columns[name], room * 2)
      this.columns[name][this.length] = batch[name]
    }
    this.length++
  }

  /** The first of a batch after `seq`; undefined where there is none. */
  firstAfter(seq: number): IndexedBatch | undefined {
    const i = this.after('seq', seq)
    if (i === this.length) return undefined
    const { columns } = this
    return {
      seq: columns.seq[i] as number,
      recordedAt: columns.recordedAt[i] as number,
      endRow: columns.endRow[i] as number,
    }
  }

  /** The row after the last one that came in with `seq` or before, of a tail with these rows. */
  rowsThrough(seq: number, { first, end }: { first: number; end: number }): number {
    const next = this.after('seq', seq)
    if (next === this.length) return end
    return next === 0 ? first : (this.columns.endRow[next - 1] as number)
  }

  /** Forgets batches whose rows all lie before `endRow`. */
  forget(endRow: number): void {
    const kept = this.after('endRow', endRow)
    for (const name of NAMES) this.columns[name].copyWithin(0, kept, this.length)
    this.length -= kept
  }

  copy(): BatchIndex {
    const copy = new BatchIndex()
    for (const name of NAMES) copy.columns[name] = this.columns[name].slice()
    copy.length = this.length
    return copy
  }

  /** index of the first whose number is larger than this one; both numbers ascend */
  private after(name: 'seq' | 'endRow', than: number): number {
    const column = this.columns[name]
    let low = 0
    for (let high = this.length; low < high; ) {
      const middle = (low + high) >> 1
      if ((column[middle] as number) <= than) low = middle + 1
      else high = middle
    }
    return low
  }
}

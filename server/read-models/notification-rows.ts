import { NotificationType } from '#machines/contracts/entities/notifications.ts'

/** Names of the numbers in `type`. */
export const TYPES = Object.values(NotificationType.schema)

/** `since`: when a violation began, for all others `at`; `until`: when one was over that was published as a whole, else 0. */
export type NotificationRow = {
  seq: number
  at: number
  since: number
  until: number
  no: number
  type: number
  isShown: boolean
}

type Columns = {
  seq: Float64Array<ArrayBuffer>
  at: Float64Array<ArrayBuffer>
  since: Float64Array<ArrayBuffer>
  until: Float64Array<ArrayBuffer>
  no: Uint32Array<ArrayBuffer>
  type: Uint8Array<ArrayBuffer>
  isShown: Uint8Array<ArrayBuffer>
}

const FIRST_ROOM = 1024
/** Of so many rows at a time the newest `seq` is kept. */
const BLOCK = 1024

/**
 * Where in the log the notifications are, by when they happened, those of one time by `seq`: 38 bytes each, so that a year of
 * them fits. `no`: device number; `isShown`: whether a bell rings for it.
 */
export class NotificationRows {
  length = 0
  private columns = roomFor(FIRST_ROOM)
  /** by block */
  private newest: number[] = []

  get seq(): Float64Array {
    return this.columns.seq
  }
  get at(): Float64Array {
    return this.columns.at
  }
  get since(): Float64Array {
    return this.columns.since
  }
  get until(): Float64Array {
    return this.columns.until
  }
  get no(): Uint32Array {
    return this.columns.no
  }
  get type(): Uint8Array {
    return this.columns.type
  }
  get isShown(): Uint8Array {
    return this.columns.isShown
  }

  /** Puts rows where they belong. What came last is mostly newest, so little moves: never more than is newer than them. */
  insert(rows: NotificationRow[]): void {
    const sorted = rows.toSorted((a, b) => a.at - b.at || a.seq - b.seq)
    this.makeRoom(this.length + sorted.length)
    let end = this.length
    this.length += sorted.length
    for (let left = sorted.length; left > 0; left--) {
      const row = sorted[left - 1] as NotificationRow
      const place = this.placeOf(row, end)
      for (const column of Object.values(this.columns)) column.copyWithin(place + left, place, end)
      this.write(place + left - 1, row)
      end = place
    }
    this.noteNewest(end)
  }

  /** Index of the first row from `i` on whose `seq` is above this one, `length` where there is none; blocks without one are passed over. */
  nextAfter(seq: number, i: number): number {
    for (let row = i; row < this.length; ) {
      const isBlock = row % BLOCK === 0
      if (isBlock && (this.newest[row / BLOCK] as number) <= seq) row += BLOCK
      else if ((this.seq[row] as number) > seq) return row
      else row++
    }
    return this.length
  }

  /** index of the first row of `at` or later */
  from(at: number): number {
    return this.placeOf({ at, seq: Number.NEGATIVE_INFINITY })
  }

  /** index of the first row later than `at` */
  after(at: number): number {
    return this.placeOf({ at, seq: Number.POSITIVE_INFINITY })
  }

  /** index of the first of the rows before `end` that belongs behind this one, or is it */
  placeOf({ at, seq }: { at: number; seq: number }, end = this.length): number {
    let low = 0
    for (let high = end; low < high; ) {
      const middle = (low + high) >> 1
      const other = this.at[middle] as number
      if (other < at || (other === at && (this.seq[middle] as number) < seq)) low = middle + 1
      else high = middle
    }
    return low
  }

  private write(i: number, { seq, at, since, until, no, type, isShown }: NotificationRow): void {
    this.columns.seq[i] = seq
    this.columns.at[i] = at
    this.columns.since[i] = since
    this.columns.until[i] = until
    this.columns.no[i] = no
    this.columns.type[i] = type
    this.columns.isShown[i] = isShown ? 1 : 0
  }

  /** Rows from `i` on are new or were moved. A block may have kept the `seq` of one that has moved on: it is only looked at in vain. */
  private noteNewest(i: number): void {
    for (let row = i; row < this.length; row++) {
      const block = Math.floor(row / BLOCK)
      this.newest[block] = Math.max(this.newest[block] ?? 0, this.seq[row] as number)
    }
  }

  private makeRoom(rows: number): void {
    if (rows <= this.seq.length) return
    const larger = roomFor(Math.max(rows, this.seq.length * 2))
    for (const name of Object.keys(larger) as (keyof Columns)[])
      larger[name].set(this.columns[name].subarray(0, this.length))
    this.columns = larger
  }
}

function roomFor(rows: number): Columns {
  return {
    seq: new Float64Array(rows),
    at: new Float64Array(rows),
    since: new Float64Array(rows),
    until: new Float64Array(rows),
    no: new Uint32Array(rows),
    type: new Uint8Array(rows),
    isShown: new Uint8Array(rows),
  }
}

import {
  createReadings,
  LATE_UNKNOWN,
  READING_COLUMN_NAMES,
  READING_FIELD_NAMES,
  type ReadingColumns,
  type ReadingField,
  sliceReadings,
} from '#machines/contracts/readings.ts'
import { InstantIndex } from './instant-index.ts'
import { ReadingRows } from './reading-rows.ts'

/** 52 bytes a reading: a segment is 3.4 MB. */
const SEGMENT = 65_536
/** Rows brought together at a time: 32 kB, which the processor's nearest cache holds. */
const AT_ONCE = 1024

/**
 * What readings are found by, as columns, and the rest of them.
 * `back[i]`: how many rows before row i the same device's row before it lies; 0 where it is the first.
 */
type Segment = {
  device: Uint32Array
  at: Float64Array
  back: Uint32Array
  rows: ReadingRows
  index: InstantIndex
}

/**
 * The newest readings of the whole fleet, in order of arrival. Each row knows the row of the same device
 * before it, so one device's readings are found without looking at the others'. Rows are numbered from 0 and keep
 * their number; forgetting takes from the front.
 */
export class HotTail {
  /** first row still held, and the row the next reading gets */
  first = 0
  end = 0
  /** highest device number that ever had a reading, plus one */
  devices = 0
  /** number of the first segment held: rows from `base * SEGMENT` on */
  private base = 0
  private segments: Segment[] = []
  private spare: Segment[] = []
  /** last row of each device, -1 where it never had one */
  private heads = new Float64Array(0)
  private newestAt = new Float64Array(0)
  /** rows of the device asked for last, newest arrival first */
  private found = new Float64Array(1024)
  /** some of them, brought together */
  private gathered = new ReadingRows(AT_ONCE)

  get length(): number {
    return this.end - this.first
  }

  append(readings: ReadingColumns): void {
    let done = 0
    while (done < readings.length) {
      const at = this.end % SEGMENT
      const segment = this.segmentOf(this.end) ?? this.addSegment()
      const count = Math.min(readings.length - done, SEGMENT - at)
      segment.device.set(readings.device.subarray(done, done + count), at)
      segment.at.set(readings.at.subarray(done, done + count), at)
      segment.rows.put(at, readings, done, count)
      this.link(segment, at, count)
      done += count
      this.end += count
    }
  }

  /** Forgets all rows before `row`. */
  forget(row: number): void {
    this.first = Math.min(Math.max(row, this.first), this.end)
    const base = Math.floor(this.first / SEGMENT)
    for (; this.base < base; this.base++) {
      const segment = this.segments.shift()
      if (segment && this.spare.length < 4) this.spare.push(segment)
    }
  }

  /** Newest `at` ever seen of a device, by the device's clock; -Infinity where it never had a reading here. */
  newest(device: number): number {
    return this.newestAt[device] ?? Number.NEGATIVE_INFINITY
  }

  /** Raises what `newest` answers, for readings that are stored elsewhere. */
  raiseNewest(device: number, at: number): void {
    if (device >= this.devices) this.grow(device)
    if (at > (this.newestAt[device] as number)) this.newestAt[device] = at
  }

  /** One look at each segment, however many rows a device has: whoever has a key of a company chooses how many. */
  has(device: number, at: number): boolean {
    for (const [n, segment] of this.segments.entries()) {
      const i = segment.index.rowOf(segment, device, at)
      if (i >= 0 && (this.base + n) * SEGMENT + i >= this.first) return true
    }
    return false
  }

  /** Whether a device has any row here, of those before row `end`. */
  holds(device: number): boolean {
    return (this.heads[device] ?? -1) >= this.first
  }

  /** Readings of one device with from ≤ at < to, of rows before `end`, in order of arrival, with these fields. */
  readingsOf(
    device: number,
    from: number,
    to: number,
    end = this.end,
    fields: readonly ReadingField[] = READING_FIELD_NAMES,
  ): ReadingColumns {
    let n = 0
    for (let row = this.heads[device] ?? -1; row >= this.first; ) {
      const segment = this.segmentOf(row) as Segment
      const i = row % SEGMENT
      const at = segment.at[i] as number
      if (row < end && at >= from && at < to) {
        if (n === this.found.length) this.found = grown(this.found, n * 2)
        this.found[n++] = row
      }
      const back = segment.back[i] as number
      if (back === 0) break
      row -= back
    }
    return this.gather(device, n, fields)
  }

  /** All readings of one device in order of arrival, with these fields, and the row of each. */
  rowsOf(device: number, fields: readonly ReadingField[]): { readings: ReadingColumns; rows: Float64Array } {
    const readings = this.readingsOf(
      device,
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      this.end,
      fields,
    )
    return { readings, rows: this.found.slice(0, readings.length).reverse() }
  }

  /** Names device and time of each row from the first held to the one before `end`. */
  eachBefore(end: number, visit: (device: number, at: number) => void): void {
    for (let row = this.first; row < end; ) {
      const segment = this.segmentOf(row) as Segment
      const stop = Math.min(end, (Math.floor(row / SEGMENT) + 1) * SEGMENT)
      for (; row < stop; row++)
        visit(segment.device[row % SEGMENT] as number, segment.at[row % SEGMENT] as number)
    }
  }

  private gather(device: number, n: number, fields: readonly ReadingField[]): ReadingColumns {
    const readings = createReadings(n)
    readings.length = n
    readings.device.fill(device)
    for (let from = 0; from < n; from += AT_ONCE) {
      const count = Math.min(AT_ONCE, n - from)
      for (let k = 0; k < count; k++) {
        const row = this.found[n - 1 - from - k] as number
        const { at, rows } = this.segmentOf(row) as Segment
        readings.at[from + k] = at[row % SEGMENT] as number
        this.gathered.copy(k, rows, row % SEGMENT)
      }
      this.gathered.take('lateBy', count, readings, from)
      for (const name of fields) this.gathered.take(name, count, readings, from)
    }
    return readings
  }

  private segmentOf(row: number): Segment | undefined {
    return this.segments[Math.floor(row / SEGMENT) - this.base]
  }

  private addSegment(): Segment {
    const segment = this.spare.pop() ?? {
      device: new Uint32Array(SEGMENT),
      at: new Float64Array(SEGMENT),
      back: new Uint32Array(SEGMENT),
      rows: new ReadingRows(SEGMENT),
      index: new InstantIndex(SEGMENT),
    }
    segment.index.clear()
    this.segments.push(segment)
    return segment
  }

  private link(segment: Segment, from: number, count: number): void {
    const { device: devices, at: ats, back, index } = segment
    const offset = this.end - from
    for (let i = from; i < from + count; i++) {
      const device = devices[i] as number
      if (device >= this.devices) this.grow(device)
      const row = offset + i
      const before = this.heads[device] as number
      back[i] = before < 0 || before < this.first ? 0 : row - before
      this.heads[device] = row
      index.add(segment, i)
      if ((ats[i] as number) > (this.newestAt[device] as number)) this.newestAt[device] = ats[i] as number
    }
  }

  private grow(device: number): void {
    this.devices = device + 1
    if (device < this.heads.length) return
    const size = Math.max(1024, 2 ** Math.ceil(Math.log2(device + 1)))
    const known = this.heads.length
    this.heads = grown(this.heads, size).fill(-1, known)
    this.newestAt = grown(this.newestAt, size).fill(Number.NEGATIVE_INFINITY, known)
  }
}

/** The same numbers with room for so many. */
export function grown(array: Float64Array<ArrayBuffer>, size: number): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(size)
  larger.set(array)
  return larger
}

/**
 * Rows of one device as history answers them: ascending by `at`, of several with one `at` the one that was received nearest to it,
 * of several as near the first.
 */
export function inOrder(readings: ReadingColumns): ReadingColumns {
  const { at, length } = readings
  let ascending = true
  for (let i = 1; ascending && i < length; i++) ascending = (at[i - 1] as number) < (at[i] as number)
  if (ascending) return readings
  const order = Array.from({ length }, (_, i) => i)
  const far = (row: number) => distance(readings.lateBy[row] as number)
  // the sort is stable: of equal times, as near, the one that came first stays first
  order.sort((a, b) => (at[a] as number) - (at[b] as number) || far(a) - far(b))
  const kept = order.filter((row, k) => k === 0 || at[row] !== at[order[k - 1] as number])
  const sorted = sliceReadings(readings, 0, kept.length)
  for (const name of READING_COLUMN_NAMES)
    for (const [k, row] of kept.entries()) sorted[name][k] = readings[name][row]!
  return sorted
}

/** How far from its time a reading was received, s; where that is not known it was on time. */
const distance = (lateBy: number): number => (lateBy === LATE_UNKNOWN ? 0 : Math.abs(lateBy))

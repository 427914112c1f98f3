import {
  createReadings,
  READING_FIELD_NAMES,
  type ReadingColumns,
  type ReadingField,
} from '#machines/contracts/readings.ts'

/** What a row holds of a reading: its fields and how late it came. */
type RowColumn = 'lateBy' | ReadingField
/** `step` and `unit`: how far apart two rows' values are and where the first is, counted in values of their width. */
type Place = { name: RowColumn; width: number; step: number; unit: number }

const SAMPLE = createReadings(0)
const widthOf = (name: RowColumn): number => SAMPLE[name].BYTES_PER_ELEMENT
// the widest first: each value then lies at a multiple of its width
const COLUMNS = (['lateBy', ...READING_FIELD_NAMES] as const).toSorted((a, b) => widthOf(b) - widthOf(a))
const USED = COLUMNS.reduce((sum, name) => sum + widthOf(name), 0)
/** Words of a row: 8, so that two rows share a line of the processor's cache, and none lies on two. */
const WORDS = Math.ceil(USED / 32) * 8
const PLACES = new Map<RowColumn, Place>()
for (let i = 0, start = 0; i < COLUMNS.length; i++) {
  const name = COLUMNS[i] as RowColumn
  const width = widthOf(name)
  PLACES.set(name, { name, width, step: (WORDS * 4) / width, unit: start / width })
  start += width
}

/**
 * Readings row by row instead of column by column. Those of one device lie far apart in the order of arrival: each is then fetched
 * from memory once, and not once for each of its columns.
 */
export class ReadingRows {
  private readonly words: Int32Array<ArrayBuffer>
  private readonly halves: Uint16Array<ArrayBuffer>
  private readonly bytes: Uint8Array<ArrayBuffer>

  /** @param room most rows */
  constructor(room: number) {
    const buffer = new ArrayBuffer(room * WORDS * 4)
    this.words = new Int32Array(buffer)
    this.halves = new Uint16Array(buffer)
    this.bytes = new Uint8Array(buffer)
  }

  /** Takes `count` readings, from `from` on, into the rows from `row` on. */
  put(row: number, readings: ReadingColumns, from: number, count: number): void {
    for (const { name, width, step, unit } of PLACES.values()) {
      const start = row * step + unit
      const values = readings[name].subarray(from, from + count)
      if (width === 4) putWords(this.words, start, step, values as Int32Array)
      else if (width === 2) putHalves(this.halves, start, step, unsigned(values))
      else putBytes(this.bytes, start, step, values as Uint8Array)
    }
  }

  /** Copies a row of others. */
  copy(row: number, others: ReadingRows, from: number): void {
    for (let i = 0; i < WORDS; i++) this.words[row * WORDS + i] = others.words[from * WORDS + i] as number
  }

  /** Writes one column of the first `count` rows into readings, from `at` on. */
  take(name: RowColumn, count: number, to: ReadingColumns, at: number): void {
    const { width, step, unit } = PLACES.get(name) as Place
    const values = to[name].subarray(at, at + count)
    if (width === 4) takeWords(this.words, unit, step, values as Int32Array)
    else if (width === 2) takeHalves(this.halves, unit, step, unsigned(values))
    else takeBytes(this.bytes, unit, step, values as Uint8Array)
  }
}

/** The same bits without a sign. */
const unsigned = ({ buffer, byteOffset, length }: ArrayBufferView & { length: number }): Uint16Array =>
  new Uint16Array(buffer, byteOffset, length)

// two functions for each width: loops over arrays of many types run several times slower

function putWords(rows: Int32Array, start: number, step: number, values: Int32Array): void {
  for (let i = 0, to = start; i < values.length; i++, to += step) rows[to] = values[i] as number
}

function putHalves(rows: Uint16Array, start: number, step: number, values: Uint16Array): void {
  for (let i = 0, to = start; i < values.length; i++, to += step) rows[to] = values[i] as number
}

function putBytes(rows: Uint8Array, start: number, step: number, values: Uint8Array): void {
  for (let i = 0, to = start; i < values.length; i++, to += step) rows[to] = values[i] as number
}

function takeWords(rows: Int32Array, start: number, step: number, values: Int32Array): void {
  for (let i = 0, from = start; i < values.length; i++, from += step) values[i] = rows[from] as number
}

function takeHalves(rows: Uint16Array, start: number, step: number, values: Uint16Array): void {
  for (let i = 0, from = start; i < values.length; i++, from += step) values[i] = rows[from] as number
}

function takeBytes(rows: Uint8Array, start: number, step: number, values: Uint8Array): void {
  for (let i = 0, from = start; i < values.length; i++, from += step) values[i] = rows[from] as number
}

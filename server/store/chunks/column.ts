import type { BitReader, BitWriter } from './bits.ts'
import { readNumbers, writeNumbers } from './run-length-golomb-rice.ts'

/*
 * One column of whole numbers (32 bits, signed) as: how it is predicted (3 bits), whether values are missing (1 bit),
 * and what the prediction left over. All arithmetic wraps at 32 bits in both directions, so it is exact for any number.
 */
const ALL_MISSING = 0
const CONSTANT = 1
/** each value as its distance from the first */
const FROM_FIRST = 2
/** … from the one before */
const FROM_PREVIOUS = 3
/** … from where the two before it point */
const FROM_TREND = 4

/** Any typed array; the widest stands for all, since none of what is used here differs between them. */
type Values = Int32Array

let left = new Uint32Array(4096)
let present = new Int32Array(4096)

/** Writes `count` values; `missing` is the value that means "not measured". */
export function writeColumn(
  out: BitWriter,
  values: Values,
  count: number,
  missing: number | undefined,
): void {
  reserve(count)
  // into one array of one type first: loops over arrays of many types run several times slower
  present.set(values.subarray(0, count))
  let n = 0
  for (let i = 0; i < count; i++) {
    const value = present[i] as number
    if (value !== missing) present[n++] = value
  }
  if (n === 0) {
    out.put(ALL_MISSING << 1, 4)
    return
  }
  const way = bestWay(n)
  out.put((way << 1) | (n < count ? 1 : 0), 4)
  if (n < count) writePresence(out, values, count, missing)
  out.putVarint(zigzag(present[0] as number))
  if (way === CONSTANT) return
  for (let i = 1; i < n; i++) left[i - 1] = zigzag((present[i] as number) - predicted(way, present, i))
  writeNumbers(out, left, n - 1)
}

/** Reads what `writeColumn` wrote. */
export function readColumn(
  from: BitReader,
  values: Values,
  count: number,
  missing: number | undefined,
): void {
  reserve(count)
  const head = from.take(4)
  const way = head >> 1
  if (way > FROM_TREND) throw new RangeError(`chunk: prediction ${way} is not known`)
  if (way === ALL_MISSING) {
    values.fill(missing as number, 0, count)
    return
  }
  const sparse = (head & 1) === 1
  const n = sparse ? readPresence(from, values, count, missing) : count
  const first = unzigzag(from.takeVarint())
  present[0] = first
  if (way === CONSTANT) {
    if (!sparse) {
      values.fill(first, 0, count)
      return
    }
    present.fill(first, 0, n)
  } else {
    readNumbers(from, left, n - 1)
    for (let i = 1; i < n; i++) present[i] = predicted(way, present, i) + unzigzag(left[i - 1] as number)
  }
  if (!sparse) values.set(present.subarray(0, count))
  else for (let i = 0, k = 0; i < count; i++) if (values[i] !== missing) values[i] = present[k++] as number
}

function bestWay(n: number): number {
  const first = present[0] as number
  let start = 1
  while (start < n && present[start] === first) start++
  if (start === n) return CONSTANT
  // up to there each way leaves nothing over
  let fromFirst = 0
  let fromPrevious = 0
  let fromTrend = 0
  for (let i = start; i < n; i++) {
    const value = present[i] as number
    fromFirst += size(value - first)
    fromPrevious += size(value - (present[i - 1] as number))
    fromTrend += size(value - predicted(FROM_TREND, present, i))
  }
  if (fromPrevious <= fromFirst && fromPrevious <= fromTrend) return FROM_PREVIOUS
  return fromTrend < fromFirst ? FROM_TREND : FROM_FIRST
}

function predicted(way: number, values: Int32Array, i: number): number {
  const before = values[i - 1] as number
  if (way === FROM_PREVIOUS) return before
  if (way === FROM_FIRST) return values[0] as number
  return i === 1 ? before : (2 * before - (values[i - 2] as number)) | 0
}

/** about the bits a number will take */
function size(difference: number): number {
  return 33 - Math.clz32(zigzag(difference))
}

/** Which values are there, as 0 where that is as for the value before (the first: as if there was one before). */
function writePresence(
  out: BitWriter,
  values: ArrayLike<number>,
  count: number,
  missing: number | undefined,
) {
  let before = true
  for (let i = 0; i < count; i++) {
    const here = values[i] !== missing
    left[i] = here === before ? 0 : 1
    before = here
  }
  writeNumbers(out, left, count)
}

/** Sets what is not there to `missing` and all else to something that is not; answers how many are there. */
function readPresence(from: BitReader, values: Values, count: number, missing: number | undefined): number {
  readNumbers(from, left, count)
  let here = true
  let n = 0
  for (let i = 0; i < count; i++) {
    if (left[i] !== 0) here = !here
    if (here) n++
    values[i] = here ? 0 : (missing as number)
  }
  return n
}

/** 32-bit whole numbers as ones without sign, near 0 as small ones: 0, -1, 1, -2 are 0, 1, 2, 3 (as in Protocol Buffers). */
export function zigzag(value: number): number {
  const whole = value | 0
  return ((whole << 1) ^ (whole >> 31)) >>> 0
}

/** The other way round. */
export function unzigzag(value: number): number {
  return (value >>> 1) ^ -(value & 1)
}

function reserve(count: number): void {
  if (count <= left.length) return
  left = new Uint32Array(count * 2)
  present = new Int32Array(count * 2)
}

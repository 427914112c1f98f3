import type { BitReader, BitWriter } from './bits.ts'

/*
 * Adaptive run-length / Golomb-Rice coding: near the entropy for numbers that are mostly small, and next to nothing for
 * long runs of zeros, without a header. It needs no tables: both parameters follow the numbers as they come.
 * Source: H. S. Malvar, "Adaptive Run-Length / Golomb-Rice Encoding of Quantized Generalized Gaussian Sources with
 * Unknown Statistics", Data Compression Conference 2006; its step sizes are used. Ours is the escape, so that any
 * 32-bit number costs at most 52 bits.
 */
const SCALE_BITS = 3
const RUN_MAX = 80
const RICE_MAX = 26 << SCALE_BITS
const RUN_UP = 4
const RUN_DOWN = 6
const ZERO_UP = 3
const NONZERO_DOWN = 3
/** this many ones mean: the number itself follows, 32 bits */
const ESCAPE = 20

/** Writes `count` numbers, 0 to 2^32 - 1. */
export function writeNumbers(out: BitWriter, numbers: Uint32Array, count: number): void {
  let run = 0
  let rice = 2 << SCALE_BITS
  for (let i = 0; i < count; ) {
    let runBits = run >> SCALE_BITS
    if (runBits === 0) {
      const value = numbers[i++] as number
      rice = writeRice(out, value, rice)
      run = value === 0 ? Math.min(run + ZERO_UP, RUN_MAX) : Math.max(run - NONZERO_DOWN, 0)
      continue
    }
    let zeros = 0
    while (i < count && numbers[i] === 0) {
      zeros++
      i++
    }
    while (zeros >= 1 << runBits) {
      out.put(0, 1)
      zeros -= 1 << runBits
      run = Math.min(run + RUN_UP, RUN_MAX)
      runBits = run >> SCALE_BITS
    }
    out.put(1, 1)
    out.put(zeros, runBits)
    if (i === count) return
    rice = writeRice(out, (numbers[i++] as number) - 1, rice)
    run = Math.max(run - RUN_DOWN, 0)
  }
}

/** Reads `count` numbers that `writeNumbers` wrote. */
export function readNumbers(from: BitReader, numbers: Uint32Array, count: number): void {
  let run = 0
  let rice = 2 << SCALE_BITS
  for (let i = 0; i < count; ) {
    let runBits = run >> SCALE_BITS
    if (runBits === 0) {
      const value = readRice(from, rice)
      rice = nextRice(rice, value)
      numbers[i++] = value
      run = value === 0 ? Math.min(run + ZERO_UP, RUN_MAX) : Math.max(run - NONZERO_DOWN, 0)
      continue
    }
    let zeros = 0
    while (from.take(1) === 0) {
      zeros += 1 << runBits
      if (i + zeros > count) throw new RangeError('chunk: a run is longer than its column')
      run = Math.min(run + RUN_UP, RUN_MAX)
      runBits = run >> SCALE_BITS
    }
    zeros += from.take(runBits)
    if (i + zeros > count) throw new RangeError('chunk: a run is longer than its column')
    numbers.fill(0, i, i + zeros)
    i += zeros
    if (i === count) return
    const value = readRice(from, rice)
    rice = nextRice(rice, value)
    numbers[i++] = value + 1
    run = Math.max(run - RUN_DOWN, 0)
  }
}

function writeRice(out: BitWriter, value: number, rice: number): number {
  const bits = rice >> SCALE_BITS
  const ones = value >>> bits
  if (ones >= ESCAPE) {
    out.put((1 << ESCAPE) - 1, ESCAPE)
    out.put32(value)
  } else {
    out.put(2 ** (ones + 1) - 2, ones + 1)
    if (bits <= 24) out.put(value & ((1 << bits) - 1), bits)
    else {
      out.put((value >>> 16) & ((1 << (bits - 16)) - 1), bits - 16)
      out.put(value & 0xffff, 16)
    }
  }
  return nextRice(rice, value)
}

function readRice(from: BitReader, rice: number): number {
  const bits = rice >> SCALE_BITS
  const ones = from.takeOnes(ESCAPE)
  if (ones === ESCAPE) return from.take32()
  if (bits <= 24) return ((ones << bits) | from.take(bits)) >>> 0
  const high = from.take(bits - 16)
  return ((ones << bits) | (high << 16) | from.take(16)) >>> 0
}

function nextRice(rice: number, value: number): number {
  const ones = value >>> (rice >> SCALE_BITS)
  if (ones === 0) return Math.max(rice - 2, 0)
  return ones > 1 ? Math.min(rice + Math.min(ones, 40), RICE_MAX) : rice
}

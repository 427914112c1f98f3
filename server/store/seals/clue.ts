import { HASH_BYTES } from './tiles.ts'

/** A prime, 2^127 − 1: what is calculated modulo it can be divided. */
const P = (1n << 127n) - 1n
const DIGITS = 32

/**
 * Two sums over leaves, each device's and the same times its number, modulo 2^127 − 1, hex. Where one leaf alone is another, gone or more,
 * the two differ by d and by its number times d, so they tell whose it is, as the syndromes of a Reed–Solomon code do that mends one error.
 * @param leaves one behind the other, in the order of `devices`
 */
export function clueOf(devices: readonly number[], leaves: Uint8Array): string {
  const view = new DataView(leaves.buffer, leaves.byteOffset)
  let [sum, weighed] = [0n, 0n]
  for (const [i, device] of devices.entries()) {
    const leaf = (view.getBigUint64(i * HASH_BYTES) << 64n) | view.getBigUint64(i * HASH_BYTES + 8)
    sum += leaf
    weighed += leaf * BigInt(device)
  }
  return [sum, weighed].map((each) => (each % P).toString(16).padStart(DIGITS, '0')).join('')
}

/** The device whose leaf alone differs between what two clues are of; undefined: none does, or several. */
export function deviceBetween(before: string, after: string): number | undefined {
  const [d, weighed] = [0, DIGITS].map((from) => {
    const [one, other] = [before, after].map((clue) => BigInt(`0x${clue.slice(from, from + DIGITS)}`))
    return modulo((other as bigint) - (one as bigint))
  }) as [bigint, bigint]
  if (d === 0n) return undefined
  const device = modulo(weighed * inverse(d))
  // of several it is a number as good as any, far beyond those of devices
  return device <= Number.MAX_SAFE_INTEGER ? Number(device) : undefined
}

const modulo = (value: bigint): bigint => ((value % P) + P) % P

/** By Fermat: x^(P − 2). */
function inverse(value: bigint): bigint {
  let [result, power] = [1n, value]
  for (let left = P - 2n; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * power) % P
    power = (power * power) % P
  }
  return result
}

/**
 * Chance without state: a number is a hash of who asks, what for and which time. So any moment of any device can be worked
 * out alone, and no device disturbs another.
 */

/** The streams of a device; each purpose draws numbers of its own. */
export const PURPOSE = {
  identity: 1,
  plan: 2,
  door: 3,
  leg: 4,
  incident: 5,
  defrost: 6,
  noise: 7,
  radio: 8,
  body: 9,
  skew: 10,
  script: 11,
  backlog: 12,
} as const
export type Purpose = (typeof PURPOSE)[keyof typeof PURPOSE]

/** 32 bits, well mixed (the finaliser of MurmurHash3 over a running combination). */
export function hash32(key: number, purpose: number, counter: number): number {
  let h = key ^ Math.imul(purpose, 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h ^= counter
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h ^= Math.floor(counter / 0x1_0000_0000)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** From 0 (included) to 1 (not). */
export function chance(key: number, purpose: Purpose, counter: number): number {
  return hash32(key, purpose, counter) / 0x1_0000_0000
}

/** From `low` to `high`. */
export function within(key: number, purpose: Purpose, counter: number, low: number, high: number): number {
  return low + (high - low) * chance(key, purpose, counter)
}

/** The stream key of a thing named by text, under a seed (FNV-1a, then mixed). */
export function keyOf(seed: number, text: string): number {
  let h = 0x811c9dc5 ^ (seed | 0)
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return hash32(h, 0, seed)
}

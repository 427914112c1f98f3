/** A set of numbers of the sequence, a bit each. */
export type SeenNumbers = { has(seq: number): boolean; add(seq: number): void }

/** Empty. It grows to a bit for each number up to the greatest that is added. */
export function createSeenNumbers(): SeenNumbers {
  let bits = new Uint8Array(1024)
  return {
    has: (seq) => (((bits[Math.floor(seq / 8)] ?? 0) >> (seq & 7)) & 1) === 1,
    add(seq) {
      const place = Math.floor(seq / 8)
      if (place >= bits.length) {
        const larger = new Uint8Array(Math.max(place + 1, bits.length * 2))
        larger.set(bits)
        bits = larger
      }
      bits[place] = (bits[place] as number) | (1 << (seq & 7))
    },
  }
}

/** Device days that were found in the store before: one bit a device. */
export class HeldDays {
  private days = new Map<number, Uint8Array>()

  has(device: number, day: number): boolean {
    return (((this.days.get(day)?.[device >> 3] ?? 0) >> (device & 7)) & 1) === 1
  }

  add(device: number, day: number): void {
    const byte = device >> 3
    let bits = this.days.get(day)
    if (bits === undefined || byte >= bits.length) {
      const larger = new Uint8Array(Math.max(64, 2 * byte))
      if (bits) larger.set(bits)
      bits = larger
      this.days.set(day, bits)
    }
    bits[byte] = (bits[byte] ?? 0) | (1 << (device & 7))
  }

  clear(): void {
    this.days.clear()
  }
}

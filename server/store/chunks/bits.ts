/** Writes numbers of some bits one behind the other, highest bit first. */
export class BitWriter {
  private bytes = new Uint8Array(4096)
  private length = 0
  private pending = 0
  private pendingBits = 0

  /** @param bits 0 to 24 */
  put(value: number, bits: number): void {
    this.pending = (this.pending << bits) | value
    this.pendingBits += bits
    while (this.pendingBits >= 8) {
      this.pendingBits -= 8
      if (this.length === this.bytes.length) this.grow()
      this.bytes[this.length++] = this.pending >>> this.pendingBits
    }
  }

  put32(value: number): void {
    this.put(value >>> 16, 16)
    this.put(value & 0xffff, 16)
  }

  /** 0 or more, up to 2^53; seven bits a byte, lowest first */
  putVarint(value: number): void {
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.put((rest % 128) | 128, 8)
    this.put(rest, 8)
  }

  /** All that was written, filled up to whole bytes, as a copy; the writer is empty again. */
  finish(): Uint8Array<ArrayBuffer> {
    if (this.pendingBits > 0) this.put(0, 8 - this.pendingBits)
    const written = this.bytes.slice(0, this.length)
    this.length = 0
    this.pending = 0
    return written
  }

  private grow(): void {
    const larger = new Uint8Array(this.bytes.length * 2)
    larger.set(this.bytes)
    this.bytes = larger
  }
}

/** Reads what a BitWriter wrote. */
export class BitReader {
  private readonly bytes: Uint8Array
  private position = 0
  private pending = 0
  private pendingBits = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** @param bits 0 to 24 */
  take(bits: number): number {
    if (this.pendingBits < bits) this.fill()
    this.pendingBits -= bits
    return (this.pending >>> this.pendingBits) & ((1 << bits) - 1)
  }

  take32(): number {
    const high = this.take(16)
    return ((high << 16) | this.take(16)) >>> 0
  }

  /** Counts ones up to the next zero and steps over it; at `limit` ones (≤ 24) it stops without looking for a zero. */
  takeOnes(limit: number): number {
    if (this.pendingBits <= limit) this.fill()
    const ones = Math.clz32(~(this.pending << (32 - this.pendingBits)))
    if (ones >= limit) {
      this.pendingBits -= limit
      return limit
    }
    this.pendingBits -= ones + 1
    return ones
  }

  takeVarint(): number {
    let value = 0
    for (let place = 1; ; place *= 128) {
      const byte = this.take(8)
      value += (byte & 127) * place
      if (byte < 128) return value
    }
  }

  /** @throws RangeError when it was asked for more than there is */
  private fill(): void {
    if (this.position > this.bytes.length + 4) throw new RangeError('chunk: too short')
    while (this.pendingBits <= 24) {
      this.pending = (this.pending << 8) | (this.bytes[this.position++] ?? 0)
      this.pendingBits += 8
    }
  }
}

import { frameLength } from './codec.ts'

/** A device may send this byte between frames to keep the line open. */
const PING = 0xff

/** Cuts what comes over a connection into whole frames, wherever the chunks were cut. */
export class FrameStream {
  #bytes: Buffer = Buffer.alloc(0)

  push(chunk: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
  }

  /**
   * The IMEI a device begins with: u16 length, that many digits. Undefined while it is not whole.
   * @throws RangeError when it cannot become one
   */
  imei(): string | undefined {
    if (this.#bytes.length < 2) return undefined
    const length = this.#bytes.readUInt16BE(0)
    if (length < 14 || length > 17) throw new RangeError(`an IMEI of ${length} digits`)
    if (this.#bytes.length < 2 + length) return undefined
    const imei = this.#bytes.toString('latin1', 2, 2 + length)
    if (!/^\d+$/.test(imei)) throw new RangeError('an IMEI that is no number')
    this.#drop(2 + length)
    return imei
  }

  /**
   * The next whole frame, or undefined while more must come.
   * @throws FrameError when no frame can begin here
   */
  frame(): Uint8Array | undefined {
    while (this.#bytes[0] === PING) this.#drop(1)
    const length = frameLength(this.#bytes)
    if (length === undefined) return undefined
    const frame = this.#bytes.subarray(0, length)
    this.#drop(length)
    return frame
  }

  #drop(length: number): void {
    this.#bytes = this.#bytes.subarray(length)
  }
}

/** One file of an archive. */
export type ZipFile = { name: string; bytes: Uint8Array }

const CENTRAL = 0x02014b50
const END = 0x06054b50
/** The end of an archive has so many bytes, and a comment of so many at most. */
const END_BYTES = 22
const MOST_COMMENT = 0xffff
const STORED = 0
const DEFLATED = 8

/**
 * The files of a ZIP, by its directory at the end, unpacked by the browser itself. Folders are left out.
 * @throws Error for what is no ZIP, is encrypted or larger than 4 GB, or unpacks to more than `most` bytes
 */
export async function readZip(bytes: Uint8Array, most: number): Promise<ZipFile[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = endOf(view)
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  let left = most
  const files: ZipFile[] = []
  for (let i = 0; i < count; i++) {
    if (view.getUint32(at, true) !== CENTRAL) throw new Error('no directory')
    const method = view.getUint16(at + 10, true)
    const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)]
    const [name, extra, comment] = [28, 30, 32].map((field) => view.getUint16(at + field, true)) as [
      number,
      number,
      number,
    ]
    const local = view.getUint32(at + 42, true)
    const called = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name))
    at += 46 + name + extra + comment
    if (called.endsWith('/')) continue
    left -= size
    if (left < 0) throw new Error('too large')
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    const content = bytes.subarray(start, start + packed)
    files.push({ name: called, bytes: await unpacked(content, method, size) })
  }
  return files
}

function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_BYTES - MOST_COMMENT)
  for (let at = view.byteLength - END_BYTES; at >= first; at--)
    if (view.getUint32(at, true) === END) return at
  throw new Error('no end')
}

/** A file of `size` bytes as its directory says; of more nothing is kept. */
async function unpacked(content: Uint8Array, method: number, size: number): Promise<Uint8Array> {
  if (method === STORED) return content
  if (method !== DEFLATED) throw new Error(`method ${method}`)
  const stream = new Blob([content as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  const whole = new Uint8Array(size)
  let at = 0
  for (const reader = stream.getReader(); ; ) {
    const { value, done } = await reader.read()
    if (done) break
    if (at + value.length > size) {
      await reader.cancel()
      throw new Error('larger than it says')
    }
    whole.set(value, at)
    at += value.length
  }
  return whole.subarray(0, at)
}

import { crc32 } from 'node:zlib'
import { Deflate } from 'fflate'

/** One file of an archive, compressed as it is written. */
export type Entry = {
  readonly path: string
  readonly crc: number
  readonly size: number
  readonly parts: Uint8Array[]
}

/** Quick and still a tenth of the XML; the difference to the best is a few percent. */
const LEVEL = 3
const VERSION = 20
const UTF8_NAMES = 1 << 11
const DEFLATED = 8
/** 1 January 1980, midnight: the first moment an archive can name. No other moment is in the bytes. */
const DATE = (1 << 5) | 1

/**
 * Starts a file of an archive. `fflate` rather than the platform's zlib: that one gives other bytes on another
 * processor, and a report must be the same to the byte.
 */
export function startEntry(path: string) {
  const parts: Uint8Array[] = []
  const encoder = new TextEncoder()
  let [crc, size] = [0, 0]
  const deflate = new Deflate({ level: LEVEL }, (part) => void parts.push(part))
  const push = (text: string, isLast: boolean) => {
    const bytes = encoder.encode(text)
    crc = crc32(bytes, crc)
    size += bytes.length
    deflate.push(bytes, isLast)
  }
  return {
    write: (text: string): void => push(text, false),
    end(text: string): Entry {
      push(text, true)
      return { path, crc, size, parts }
    },
  }
}

/** Bytes of an archive (PKWARE APPNOTE 6.3) of files below 4 GB, in this order. */
export function zipOf(entries: readonly Entry[]): Uint8Array {
  const chunks: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const entry of entries) {
    const packed = entry.parts.reduce((sum, part) => sum + part.length, 0)
    const name = new TextEncoder().encode(entry.path)
    const local = header(0x04034b50, [VERSION], entry, packed, name)
    directory.push(header(0x02014b50, [VERSION, VERSION], entry, packed, name, offset))
    chunks.push(local, ...entry.parts)
    offset += local.length + packed
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0)
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(8, entries.length, true)
  end.setUint16(10, entries.length, true)
  end.setUint32(12, length, true)
  end.setUint32(16, offset, true)
  return joined([...chunks, ...directory, new Uint8Array(end.buffer)])
}

/** A local header; given the `offset` of that, one of the directory. */
function header(
  signature: number,
  versions: number[],
  { crc, size }: Entry,
  packed: number,
  name: Uint8Array,
  offset?: number,
): Uint8Array {
  const isDirectory = offset !== undefined
  const bytes = new Uint8Array((isDirectory ? 46 : 30) + name.length)
  const view = new DataView(bytes.buffer)
  let at = 0
  const u16 = (value: number) => {
    view.setUint16(at, value, true)
    at += 2
  }
  const u32 = (value: number) => {
    view.setUint32(at, value, true)
    at += 4
  }
  u32(signature)
  for (const version of versions) u16(version)
  u16(UTF8_NAMES)
  u16(DEFLATED)
  u16(0)
  u16(DATE)
  u32(crc)
  u32(packed)
  u32(size)
  u16(name.length)
  u16(0)
  if (isDirectory) {
    u16(0)
    u16(0)
    u16(0)
    u32(0)
    u32(offset)
  }
  bytes.set(name, at)
  return bytes
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

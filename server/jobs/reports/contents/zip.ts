import { Zip, ZipDeflate } from 'fflate'

/** One whole file of an archive, compressed as it was written. */
export type Entry = { readonly file: ZipDeflate; readonly parts: readonly Uint8Array<ArrayBuffer>[] }

/** Quick and still a tenth of the XML; the difference to the best is a few percent. */
const LEVEL = 3
/** The only time in an archive. It names local time, so this is the same in any zone; noon: no change of clocks is near. */
const TIME = new Date(1980, 0, 1, 12)

/**
 * Starts a file of an archive. `fflate` rather than the platform's zlib: that one gives other bytes on another
 * processor, and a report must be the same to the byte.
 */
export function startEntry(path: string) {
  const parts: Uint8Array<ArrayBuffer>[] = []
  const encoder = new TextEncoder()
  const file = new ZipDeflate(path, { level: LEVEL })
  file.mtime = TIME
  file.ondata = (_, part) => void parts.push(part)
  return {
    write: (text: string): void => file.push(encoder.encode(text)),
    end(text: string): Entry {
      file.push(encoder.encode(text), true)
      return { file, parts }
    },
  }
}

/** Bytes of an archive of these files, in this order. */
export function zipOf(entries: readonly Entry[]): Uint8Array {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    chunks.push(chunk)
  })
  for (const { file, parts } of entries) {
    zip.add(file)
    for (const [i, part] of parts.entries()) file.ondata(null, part, i === parts.length - 1)
  }
  zip.end()
  return joined(chunks)
}

/** In memory of its own: it is handed from thread to thread, which memory shared with others cannot be. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

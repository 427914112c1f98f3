import { decodeTimes } from './chunk.ts'

/** Times of all readings in chunks of one device and day, ascending; the same one may be there twice. */
export function timesOfChunks(chunks: Uint8Array[], day: number): Float64Array {
  const parts = chunks.map((bytes) => decodeTimes(bytes, day))
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0))
  let length = 0
  for (const part of parts) {
    all.set(part, length)
    length += part.length
  }
  if (parts.length > 1) all.sort()
  return all
}

/** The newest time in a chunk; -1 where it has no readings. */
export const newestTimeOf = (bytes: Uint8Array, day: number): number => decodeTimes(bytes, day).at(-1) ?? -1

/** Whether ascending times hold this one. */
export function isAmong(times: Float64Array, at: number): boolean {
  let low = 0
  for (let high = times.length; low < high; ) {
    const middle = (low + high) >> 1
    if ((times[middle] as number) < at) low = middle + 1
    else high = middle
  }
  return times[low] === at
}

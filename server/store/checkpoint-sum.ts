import { sumOfChunk } from './checksums.ts'

const SUM_BYTES = 32
/** Stands behind a checksum. What an earlier release saved ends with something else, and has none. */
const MARK = Buffer.from('frostline sha256')

/**
 * What a checkpoint says, and its checksum behind it: earlier releases, which read what is serialized up to its end, read it
 * too. Empty ones say nothing, and have none.
 */
export const withSum = (bytes: Uint8Array): Uint8Array =>
  bytes.length === 0 ? bytes : Buffer.concat([bytes, sumOfChunk(bytes), MARK])

/** What `withSum` was given, or an earlier release saved; undefined where that is not what was written. */
export function withoutSum(saved: Uint8Array): Uint8Array | undefined {
  const end = saved.length - MARK.length
  if (end < SUM_BYTES || Buffer.compare(saved.subarray(end), MARK) !== 0) return saved
  const bytes = saved.subarray(0, end - SUM_BYTES)
  return Buffer.compare(saved.subarray(end - SUM_BYTES, end), sumOfChunk(bytes)) === 0 ? bytes : undefined
}

/** SQLite's extended result codes for "the disk did not confirm what was written". */
const FSYNC_CODES = new Set([1034, 1290])
/** Primary result codes that concern one statement's values, not the store: CONSTRAINT, TOOBIG, MISMATCH, RANGE. */
const OWN_FAULT_CODES = new Set([19, 18, 20, 25])

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || (error as { code?: unknown }).code !== 'ERR_SQLITE_ERROR') return undefined
  const { errcode } = error as { errcode?: unknown }
  return typeof errcode === 'number' ? errcode : 1
}

/** The store itself can't write: disk full, I/O error, out of memory. */
export function isStoreFailure(error: unknown): boolean {
  const code = sqliteCode(error)
  return code !== undefined && !OWN_FAULT_CODES.has(code & 0xff)
}

/**
 * After a failed fsync the kernel may have dropped the pages and report success next time, so nothing this process
 * still believes about the file can be trusted. Only a new start, which reads what really is there, can.
 */
export function isFsyncFailure(error: unknown): boolean {
  return FSYNC_CODES.has(sqliteCode(error) ?? 0)
}

/** Parts of the file are not what SQLite wrote there: CORRUPT, NOTADB. Other parts can be read all the same. */
export const isCorrupt = (error: unknown): boolean => [11, 26].includes((sqliteCode(error) ?? 0) & 0xff)

import type { EventLog, LogRecord } from './store.ts'

/** Columns of so many readings are some megabytes. */
const MOST_READINGS = 65_536
const MOST_RECORDS = 2_000

/**
 * Keeps the records that were read last. Several follow the log and each wants what was just committed: the first of them reads and
 * decodes it, the others are given the same records, which nobody changes.
 * @param read `EventLog.read` of the tables
 * @param head the last number that is committed
 */
export function keepRecent(read: EventLog['read'], head: EventLog['head']): EventLog['read'] {
  /** all there is with from < seq ≤ through */
  let kept: LogRecord[] = []
  let from = 0
  let through = -1
  let readings = 0

  function keep(after: number, found: readonly LogRecord[]): void {
    if (after !== through) {
      kept = []
      from = after
      readings = 0
    }
    for (const record of found) {
      kept.push(record)
      readings += sizeOf(record)
    }
    through = head()
    let left = 0
    for (; readings > MOST_READINGS || kept.length - left > MOST_RECORDS; left++) {
      const first = kept[left] as LogRecord
      readings -= sizeOf(first)
      from = first.seq
    }
    if (left > 0) kept = kept.slice(left)
  }

  return (after, limit) => {
    if (through === head() && after >= from) {
      const first = kept.findLastIndex(({ seq }) => seq <= after) + 1
      return kept.slice(first, first + limit)
    }
    const found = read(after, limit)
    if (found.at(-1)?.seq === head()) keep(after, found)
    return found
  }
}

const sizeOf = (record: LogRecord): number => (record.kind === 'readings' ? record.readings.length : 0)

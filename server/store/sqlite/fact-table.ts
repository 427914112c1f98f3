import type { DatabaseSync } from 'node:sqlite'
import type { Fact, FactType } from '#machines/contracts/facts.ts'
import { isSound, OTHER_THAN_WRITTEN, sumOfFact } from '../checksums.ts'
import { type FactRow, factOf } from '../fact-rows.ts'
import type { SeenNumbers } from '../seen-numbers.ts'
import type { EventLog } from '../store.ts'
import type { FactFormat } from '../upcast.ts'
import { isCorrupt } from './failures.ts'
import { noteDamaged, noteHoles, type Readable, readableRows, type TableReading } from './readable-rows.ts'

const COLUMNS = 'seq, stream, version, type, v, at, recorded_at, company, by_user, data, sum'
/** Most facts read at a time. */
const PAGE = 1000

export type FactTable = Pick<EventLog, 'readFacts' | 'readStream' | 'version'> & {
  putFact(row: FactRow): void
  /** rows after a number and, of what cannot be read, the numbers */
  rowsAfter(seq: number, limit: number): Readable<FactRow>
  /** undefined: it cannot be read */
  readable(row: FactRow): Fact | undefined
}

/** A fact that is not what was written and can still be read is answered all the same: others build on it. */
export function createFactTable(db: DatabaseSync, format: FactFormat, reading: TableReading): FactTable {
  const insert = db.prepare(`INSERT INTO facts (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const versionOf = db.prepare('SELECT max(version) AS version FROM facts WHERE stream = ?')
  const ofStream = db.prepare(`SELECT ${COLUMNS} FROM facts WHERE stream = ? ORDER BY version`)
  const after = db.prepare(`SELECT ${COLUMNS} FROM facts WHERE seq > ? ORDER BY seq LIMIT ?`)
  const at = db.prepare(`SELECT ${COLUMNS} FROM facts WHERE seq = ?`)
  const ofTypesAfter = db.prepare(
    `SELECT ${COLUMNS} FROM facts WHERE type IN (SELECT value FROM json_each(?)) AND seq > ? ORDER BY seq LIMIT ?`,
  )
  // a directory is folded from 100,000 of them: objects made there take half as long again
  ofTypesAfter.setReturnArrays(true)

  function rowsAfter(seq: number, limit: number): Readable<FactRow> {
    const found = readableRows<FactRow>({ after, at }, { seq, limit, head: reading.head })
    noteHoles(reading, 'facts', found.holes)
    return found
  }

  function readable(row: FactRow): Fact | undefined {
    const isAsWritten = isWhole(row, reading.sound)
    if (!isAsWritten) noteDamaged(reading, 'facts', row.seq, OTHER_THAN_WRITTEN)
    try {
      return factOf(row, format)
    } catch (error) {
      // as it was written, and yet unknown: of another release, which is no damage
      if (isAsWritten) throw error
      return undefined
    }
  }

  const readableFacts = (rows: readonly FactRow[]): Fact[] => rows.flatMap((row) => readable(row) ?? [])

  /** Facts after `seq` that can be read, as many as are asked for while there are more. */
  function readOn(seq: number, limit: number, isWanted: (row: FactRow) => boolean): Fact[] {
    const found: Fact[] = []
    for (let from = seq; found.length < limit; ) {
      const { rows, holes, through } = rowsAfter(from, Math.min(PAGE, limit - found.length))
      found.push(...readableFacts(rows.filter(isWanted)))
      const last = through ?? Math.max(rows.at(-1)?.seq ?? 0, holes.at(-1)?.last ?? 0)
      if (last === 0) break
      from = last
    }
    return found
  }

  function readTypes(seq: number, limit: number, types: readonly FactType[]): Fact[] {
    const named = JSON.stringify(types)
    const found: Fact[] = []
    for (let from = seq; found.length < limit; ) {
      const columns = ofTypesAfter.all(named, from, limit - found.length) as unknown as FactColumns[]
      const rows = columns.map(rowOf)
      const last = rows.at(-1)
      if (last === undefined) break
      found.push(...readableFacts(rows))
      from = last.seq
    }
    return found
  }

  return {
    rowsAfter,
    readable,
    putFact({ seq, stream, version, type, v, at, recorded_at, company, by_user, data, sum }) {
      insert.run(seq, stream, version, type, v, at, recorded_at, company, by_user, data, sum ?? null)
    },
    version: (stream) => (versionOf.get(stream) as { version: number | null }).version ?? 0,
    readStream: (stream) =>
      unlessCorrupt(
        () => readableFacts(ofStream.all(stream) as unknown as FactRow[]),
        () => readOn(0, Number.POSITIVE_INFINITY, (row) => row.stream === stream),
      ),
    readFacts: (seq, { limit = 1000, types } = {}) =>
      types === undefined
        ? readOn(seq, limit, () => true)
        : unlessCorrupt(
            () => readTypes(seq, limit, types),
            () => readOn(seq, limit, ({ type }) => types.includes(type)),
          ),
  }
}

/** In the order of `COLUMNS`. */
type FactColumns = [
  seq: number,
  stream: string,
  version: number,
  type: FactType,
  v: number,
  at: number,
  recorded_at: number,
  company: string | null,
  by_user: string | null,
  data: string,
  sum: FactRow['sum'],
]

function rowOf([
  seq,
  stream,
  version,
  type,
  v,
  at,
  recorded_at,
  company,
  by_user,
  data,
  sum,
]: FactColumns): FactRow {
  return { seq, stream, version, type, v, at, recorded_at, company, by_user, data, sum }
}

/** What an index finds, or what a walk finds where the index or a page is damaged. */
function unlessCorrupt<T>(find: () => T, walk: () => T): T {
  try {
    return find()
  } catch (error) {
    if (!isCorrupt(error)) throw error
    return walk()
  }
}

function isWhole(row: FactRow, sound: SeenNumbers): boolean {
  if (sound.has(row.seq)) return true
  try {
    if (!isSound(row.sum, () => sumOfFact(row))) return false
  } catch {
    return false
  }
  sound.add(row.seq)
  return true
}

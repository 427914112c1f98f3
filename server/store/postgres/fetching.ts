import type { FactRow } from '../fact-rows.ts'
import type { BatchRow } from '../sqlite/batch-table.ts'
import type { LogRow, SharedCheckpoint } from './copy.ts'
import type { Query } from './session.ts'

/** Most facts and batches (of some 80 kB) in one answer. */
const FACTS = 2000
const BATCHES = 32

/** What the record has after a number, of one moment. */
export type Fetched = {
  database: string
  epoch: number
  /** the last number given */
  head: number
  /** batches up to this number may be deleted */
  deletedThrough: number
  /** in order; all there is up to `through` */
  rows: LogRow[]
  through: number
}

type State = { database: string; epoch: number; head: number; deleted_through: number }
type Row = State & { seq: number | null } & Omit<FactRow, 'seq' | 'stream'> & {
    stream: string | null
    bytes: Buffer | null
  }

/** The state of the record and what it has after `seq`, in one statement, so of one moment. */
export async function fetchAfter(sql: Query, seq: number): Promise<Fetched> {
  const found = await sql<Row[]>`
    SELECT log.database, log.epoch, log.head, batches_deleted.through AS deleted_through, entries.*
    FROM log CROSS JOIN batches_deleted LEFT JOIN (
      (SELECT seq, stream, version, type, v, at, recorded_at, company, by_user, data, sum, NULL::bytea AS bytes
        FROM facts WHERE seq > ${seq} ORDER BY seq LIMIT ${FACTS})
      UNION ALL
      (SELECT seq, NULL, NULL, NULL, NULL, NULL, recorded_at, NULL, NULL, NULL, sum, bytes
        FROM batches WHERE seq > ${seq} ORDER BY seq LIMIT ${BATCHES})
    ) AS entries ON true
    ORDER BY entries.seq`
  const [state] = found
  if (state === undefined) throw new Error('the record has no state: something emptied its tables')
  const rows = found.filter(({ seq }) => seq !== null).map(rowOf)
  const { database, epoch, head, deleted_through: deletedThrough } = state
  let through = head
  for (const [limit, of] of [
    [FACTS, rows.filter((row) => !('bytes' in row))],
    [BATCHES, rows.filter((row) => 'bytes' in row)],
  ] as const)
    if (of.length === limit) through = Math.min(through, of.at(-1)?.seq ?? head)
  return {
    database,
    epoch,
    head,
    deletedThrough,
    rows: rows.filter(({ seq }) => seq <= through),
    through,
  }
}

/** The entry of one number; undefined where it was deleted, or never was. */
export async function fetchOne(sql: Query, seq: number): Promise<LogRow | undefined> {
  const { rows } = await fetchAfter(sql, seq - 1)
  return rows.find((row) => row.seq === seq)
}

/** Batches of a part of the record, in order, at most `limit`. @param part `after` left out, `upTo` included */
export async function fetchBatches(
  sql: Query,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<BatchRow[]> {
  return sql<BatchRow[]>`
    SELECT seq, recorded_at, bytes, sum FROM batches WHERE seq > ${after} AND seq <= ${upTo} ORDER BY seq LIMIT ${limit}`
}

export async function fetchCheckpoints(sql: Query): Promise<SharedCheckpoint[]> {
  return sql<SharedCheckpoint[]>`SELECT name, seq, revision, bytes FROM checkpoints`
}

function rowOf(row: Row): LogRow {
  const { seq, stream, recorded_at, bytes, sum } = row
  if (seq === null) throw new Error('an entry without a number')
  if (bytes !== null) return { seq, recorded_at, bytes, sum } satisfies BatchRow
  if (stream === null) throw new Error(`entry ${seq} is neither fact nor batch`)
  const { version, type, v, at, company, by_user, data } = row
  return { seq, stream, version, type, v, at, recorded_at, company, by_user, data, sum }
}

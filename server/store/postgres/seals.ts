import type { SealHead } from '#machines/contracts/entities/seals.ts'
import { type Checksum, sumOfBatch, sumOfFact, textOfFact } from '../checksums.ts'
import type { FactRow } from '../fact-rows.ts'
import {
  bitsOf,
  type ChunkGroup,
  type ChunkToHash,
  chunkGroupOf,
  DEVICES_A_BLOCK,
  faultsOf,
  type GroupKey,
  type HashedEntry,
  HEADS_KEPT_MS,
  HOUR_MS,
  LEAVES_AT_ONCE,
  leavesInOrder,
  MOST_STATED,
  type SealStore,
  type TreeSize,
} from '../seals/seal-store.ts'
import { HASH_BYTES, NOTHING_LEFT, noTreeRow, TILE, type Tile, tilesWith } from '../seals/tiles.ts'
import type { BatchRow } from '../sqlite/batch-table.ts'
import { StoreUnavailable } from '../store.ts'
import type { Database } from './database.ts'
import type { Query } from './session.ts'
import { FRESH } from './telemetry-tables.ts'

type SharedDatabase = Pick<Database, 'ask' | 'transaction'>
type State = TreeSize & { stated: number | null }
type HeadRow = Omit<SealHead, 'keyId'> & { key_id: string }
type ChunkRow = { device: number; sum: Checksum; bytes: Buffer | null }

/** The tree over the record in the database, for all nodes. @param epoch of the record that this node has */
export function createSharedSeals(database: SharedDatabase, epoch: number): SealStore {
  const heads = async (sql: Query, size: number, limit: number): Promise<SealHead[]> => {
    const rows = await sql<HeadRow[]>`
      SELECT size, root, at, key_id, signature FROM seal_heads WHERE size <= ${size} ORDER BY size DESC LIMIT ${limit}`
    return rows.map(({ key_id: keyId, ...head }) => ({ ...head, keyId }))
  }
  return {
    extend: () => database.transaction((sql) => extendTree(sql, epoch)),
    async size() {
      const { size, past } = await database.ask(stateOf)
      return { size, past }
    },
    tile: (level, tile) => database.ask((sql) => tileOf(sql, level, tile)),
    heads: ({ size = Number.MAX_SAFE_INTEGER, limit = 1 } = {}) =>
      database.ask((sql) => heads(sql, size, limit)),
    keepHead: (head, term) => database.transaction((sql) => keepHead(sql, epoch, head, term)),
    holdBatches: () =>
      database.transaction(async (sql) => {
        await refuseOtherEpoch(sql, epoch)
        await sql`UPDATE seal_tree SET stated_through = (SELECT through FROM batches_deleted) WHERE stated_through IS NULL`
      }),
    compacted: () => database.transaction((sql) => compacted(sql, epoch)),
    noteStated: ({ toSeq, groups }) => database.transaction((sql) => noteStated(sql, epoch, toSeq, groups)),
    entries: (after, upTo) => database.ask((sql) => entriesOf(sql, after, upTo)),
    factText: (seq) =>
      database.ask(async (sql) => {
        const [row] = await sql<FactRow[]>`SELECT * FROM facts WHERE seq = ${seq}`
        try {
          return row && textOfFact(row)
        } catch {
          return undefined
        }
      }),
    groups: () => groupsOf(database),
    group: (key) =>
      database.transaction(async (sql) => {
        await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`
        const [row] = await sql<{ change: number; stated: number }[]>`
          SELECT change, stated FROM chunk_groups WHERE day = ${key.day} AND place = ${key.place} AND block = ${key.block}`
        const chunks = await chunksIn(sql, key, true)
        return {
          ...chunkGroupOf(key, row?.change ?? 0, chunks),
          isStated: row === undefined || row.stated >= row.change,
          faults: faultsOf(chunks),
        }
      }),
  }
}

const stateOf = async (sql: Query): Promise<State> => {
  const [row] = await sql<State[]>`SELECT size, past, stated_through AS stated FROM seal_tree`
  if (row === undefined) throw noTreeRow()
  return row
}

async function tileOf(sql: Query, level: number, tile: number): Promise<Uint8Array | undefined> {
  const [row] = await sql<
    { bytes: Buffer }[]
  >`SELECT bytes FROM seal_tiles WHERE level = ${level} AND tile = ${tile}`
  return row?.bytes
}

/** @throws StoreUnavailable where the record was begun anew: this node's store is to be opened anew */
async function refuseOtherEpoch(sql: Query, epoch: number): Promise<number> {
  const [row] = await sql<[{ epoch: number; head: number }]>`SELECT epoch, head FROM log`
  if (row.epoch !== epoch) throw new StoreUnavailable('the record was begun anew')
  return row.head
}

/** Takes entries on as leaves, one node at a time; whether there are more. */
export async function extendTree(sql: Query, epoch: number): Promise<boolean> {
  const [state] = await sql<{ size: number }[]>`SELECT size FROM seal_tree FOR UPDATE`
  if (state === undefined) throw noTreeRow()
  const { size } = state
  const head = await refuseOtherEpoch(sql, epoch)
  if (size >= head) return false
  const upTo = Math.min(head, size + LEAVES_AT_ONCE)
  const found: { seq: number; sum: Uint8Array }[] = []
  for (const table of ['facts', 'batches'] as const)
    for (const { seq, sum } of await sql<{ seq: number; sum: Checksum }[]>`
      SELECT seq, sum FROM ${sql(table)} WHERE seq > ${size} AND seq <= ${upTo}`)
      found.push({ seq, sum: sum ?? (await sumOf(sql, table, seq)) })
  const leaves = leavesInOrder(size, upTo, found, NOTHING_LEFT)
  const last = await lastTiles(sql, size)
  for (const { level, tile, bytes } of tilesWith(size, leaves, (each) => last[each] as Uint8Array) as Tile[])
    await sql`INSERT INTO seal_tiles VALUES (${level}, ${tile}, ${Buffer.from(bytes)})
      ON CONFLICT (level, tile) DO UPDATE SET bytes = excluded.bytes`
  await sql`UPDATE seal_tree SET size = ${upTo}`
  return upTo < head
}

/** The last tile of each level, as far as there are some. */
async function lastTiles(sql: Query, size: number): Promise<Uint8Array[]> {
  const tiles: Uint8Array[] = []
  for (let level = 0, count = size; count > 0; level++, count = Math.floor(count / TILE))
    tiles.push((await tileOf(sql, level, Math.floor(count / TILE))) ?? new Uint8Array(0))
  return tiles
}

/** Of a row of an older release, which has no checksum yet. */
async function sumOf(sql: Query, table: 'facts' | 'batches', seq: number): Promise<Uint8Array> {
  const [row] = await sql<(FactRow & BatchRow)[]>`SELECT * FROM ${sql(table)} WHERE seq = ${seq}`
  return row === undefined ? NOTHING_LEFT : hashedOr(table, row, NOTHING_LEFT).sum
}

function hashedOr(table: 'facts' | 'batches', row: FactRow & BatchRow, instead: Uint8Array): HashedEntry {
  const { seq } = row
  const what = table === 'facts' ? row.type : undefined
  try {
    return { seq, sum: table === 'facts' ? sumOfFact(row) : sumOfBatch(row.bytes), what }
  } catch {
    return { seq, sum: instead, what }
  }
}

async function entriesOf(sql: Query, after: number, upTo: number): Promise<HashedEntry[]> {
  const found: HashedEntry[] = []
  for (const table of ['facts', 'batches'] as const)
    for (const row of await sql<(FactRow & BatchRow)[]>`
      SELECT * FROM ${sql(table)} WHERE seq > ${after} AND seq <= ${upTo}`)
      found.push(hashedOr(table, row, new Uint8Array(HASH_BYTES)))
  return found.sort((a, b) => a.seq - b.seq)
}

/** Under a lock on who leads: whoever takes over waits, and whoever was taken over from is refused. */
async function keepHead(sql: Query, epoch: number, head: SealHead, term: number): Promise<boolean> {
  const lead = await sql`
    SELECT term FROM lead WHERE term = ${term} AND until > clock_timestamp() FOR SHARE`
  if (lead.length === 0) return false
  await refuseOtherEpoch(sql, epoch)
  const kept = await sql`
    INSERT INTO seal_heads (size, root, at, key_id, signature)
    SELECT ${head.size}, ${head.root}, ${head.at}, ${head.keyId}, ${head.signature}
    WHERE NOT EXISTS (SELECT FROM seal_heads WHERE size >= ${head.size}) RETURNING size`
  const old = head.at - HEADS_KEPT_MS
  await sql`DELETE FROM seal_heads WHERE at < ${old} AND size NOT IN (
    SELECT max(size) FROM seal_heads WHERE at < ${old} GROUP BY floor(at / ${HOUR_MS}))`
  return kept.length > 0
}

async function compacted(sql: Query, epoch: number) {
  await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`
  await refuseOtherEpoch(sql, epoch)
  const [state] = await sql<[{ from: number; done: number }]>`
    SELECT (SELECT coalesce(stated_through, (SELECT through FROM batches_deleted)) FROM seal_tree) AS "from",
      (SELECT done_through FROM telemetry_state) AS done`
  const fromSeq = state.from
  const toSeq = Math.max(fromSeq, Math.min(state.done, fromSeq + MOST_STATED.entries))
  const changed = await sql<(GroupKey & { change: number })[]>`
    SELECT day, place, block, change FROM chunk_groups WHERE stated < change ORDER BY change LIMIT ${MOST_STATED.groups}`
  if (toSeq === fromSeq && changed.length === 0) return undefined
  const batches = await sql<{ seq: number }[]>`
    SELECT seq FROM batches WHERE seq > ${fromSeq} AND seq <= ${toSeq} ORDER BY seq`
  const groups: ChunkGroup[] = []
  for (const each of changed) groups.push(chunkGroupOf(each, each.change, await chunksIn(sql, each, false)))
  const seqs = batches.map(({ seq }) => seq)
  return { fromSeq, toSeq, batches: bitsOf(fromSeq, toSeq, seqs), groups }
}

async function noteStated(
  sql: Query,
  epoch: number,
  toSeq: number,
  groups: readonly ChunkGroup[],
): Promise<void> {
  await refuseOtherEpoch(sql, epoch)
  await sql`UPDATE seal_tree SET stated_through = greatest(stated_through, ${toSeq})`
  for (const { day, place, block, change, chunks } of groups) {
    await sql`UPDATE chunk_groups SET stated = greatest(stated, ${change})
      WHERE day = ${day} AND place = ${place} AND block = ${block}`
    if (chunks === 0)
      await sql`DELETE FROM chunk_groups
        WHERE day = ${day} AND place = ${place} AND block = ${block} AND change = ${change}`
  }
}

/** By days, so that no statement takes long. */
async function groupsOf(database: SharedDatabase): Promise<GroupKey[]> {
  const days = await database.ask(
    (sql) => sql<{ day: number }[]>`SELECT day FROM telemetry_days ORDER BY day`,
  )
  const found: GroupKey[] = []
  for (const { day } of days)
    found.push(
      ...(await database.ask(
        (sql) => sql<GroupKey[]>`
          SELECT DISTINCT day, job::text AS place, device / ${DEVICES_A_BLOCK}::int AS block
          FROM telemetry_chunks WHERE day = ${day}
          UNION SELECT DISTINCT day, ${FRESH} || job, device / ${DEVICES_A_BLOCK}::int
          FROM telemetry_fresh WHERE day = ${day}`,
      )),
    )
  return found
}

/** @param isHashedAnew whether the chunks' bytes count, not what is kept as their checksum */
async function chunksIn(
  sql: Query,
  { day, place, block }: GroupKey,
  isHashedAnew: boolean,
): Promise<ChunkToHash[]> {
  const isFresh = place.startsWith(FRESH)
  const job = Number(isFresh ? place.slice(FRESH.length) : place)
  const first = block * DEVICES_A_BLOCK
  const rows = await sql<ChunkRow[]>`
    SELECT device, sum, CASE WHEN sum IS NULL OR ${isHashedAnew} THEN bytes END AS bytes
    FROM ${sql(isFresh ? 'telemetry_fresh' : 'telemetry_chunks')}
    WHERE day = ${day} AND job = ${job} AND device >= ${first} AND device < ${first + DEVICES_A_BLOCK}
    ORDER BY device`
  return rows.map(({ device, sum, bytes }) => ({ device, sum, bytes: bytes ?? undefined }))
}

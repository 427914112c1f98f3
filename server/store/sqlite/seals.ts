import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as breath } from 'node:timers/promises'
import type { SealHead } from '#machines/contracts/entities/seals.ts'
import { type Checksum, sumOfBatch, sumOfFact, textOfFact } from '../checksums.ts'
import type { FactRow } from '../fact-rows.ts'
import {
  bitsOf,
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
import {
  HASH_BYTES,
  NOTHING_LEFT,
  noTreeRow,
  TILE,
  type Tile,
  TreeUnreadable,
  tilesWith,
} from '../seals/tiles.ts'
import type { BatchRow } from './batch-table.ts'
import { createChunkGroups } from './chunk-groups.ts'
import { isCorrupt } from './failures.ts'
import { readableRows } from './readable-rows.ts'
import type { Writer } from './writer.ts'

export const TILES_A_LEVEL = 2 ** 40
/** Key of a tile: its level, then its number. */
const tileId = (level: number, tile: number): number => level * TILES_A_LEVEL + tile

type SumRow = { seq: number; sum: Checksum }
type State = TreeSize & { stated_through: number | null }

export type Seals = SealStore & {
  /** as `extend`, at once: before anything is deleted */
  extendNow(): boolean
  /** batches up to this number may be deleted */
  mayDeleteThrough(): number
}

/** The tree over the record in the store's own file. */
export function createSeals(
  db: DatabaseSync,
  writer: Pick<Writer, 'head' | 'inBackground' | 'submit'>,
): Seals {
  const tree = createTree(db)
  const groups = createChunkGroups(db)
  const putHead = db.prepare(
    'INSERT INTO seal_heads (size, root, at, key_id, signature) VALUES (?, ?, ?, ?, ?)',
  )
  const heads = db.prepare('SELECT * FROM seal_heads WHERE size <= ? ORDER BY size DESC LIMIT ?')
  const thin = db.prepare(`DELETE FROM seal_heads WHERE at < ?1 AND size NOT IN (
    SELECT max(size) FROM seal_heads WHERE at < ?1 GROUP BY at - at % ${HOUR_MS})`)
  const noteStated = db.prepare('UPDATE seal_tree SET stated_through = ?')
  const deletedThrough = db.prepare('SELECT deleted_through AS seq, done_through AS done FROM compaction')
  const batchesIn = db.prepare('SELECT seq FROM batches WHERE seq > ? AND seq <= ? ORDER BY seq')

  function extend(): boolean {
    const { size } = tree.state()
    if (size >= writer.head()) return false
    return writer.inBackground(() => tree.grow(writer.head()))
  }

  function newest(size = Number.MAX_SAFE_INTEGER, limit = 1): SealHead[] {
    return (heads.all(size, limit) as unknown as HeadRow[]).map(headOf)
  }

  /** Of a record whose compaction nobody spoke of until now: what was deleted before is in no batch's bit. */
  function statedThrough(): number {
    const { stated_through: known } = tree.state()
    if (known !== null) return known
    const { seq } = deletedThrough.get() as { seq: number }
    writer.inBackground(() => {
      noteStated.run(seq)
      groups.markAll()
    })
    return seq
  }

  return {
    extendNow: extend,
    async extend() {
      const hasMore = extend()
      // of a record of an earlier release there is much: others have their turn in between
      if (hasMore) await breath()
      return hasMore
    },
    mayDeleteThrough() {
      const { size, stated_through: stated } = tree.state()
      return Math.min(size, stated ?? size)
    },
    async size() {
      const { size, past } = tree.state()
      return { size, past }
    },
    tile: tree.tile,
    heads: async ({ size, limit = 1 } = {}) => newest(size, limit),
    keepHead: (head) =>
      writer.submit(() => {
        if ((newest()[0]?.size ?? 0) >= head.size) return false
        putHead.run(head.size, head.root, head.at, head.keyId, head.signature)
        thin.run(head.at - HEADS_KEPT_MS)
        return true
      }),
    async holdBatches() {
      try {
        statedThrough()
      } catch (error) {
        // nothing is deleted and nothing signed, and whoever signs says so: readings come in all the same
        if (!(error instanceof TreeUnreadable)) throw error
      }
    },
    async compacted() {
      const fromSeq = statedThrough()
      const { done } = deletedThrough.get() as { done: number }
      const toSeq = Math.min(done, fromSeq + MOST_STATED.entries)
      const changed = groups.unstated(MOST_STATED.groups)
      if (toSeq <= fromSeq && changed.length === 0) return undefined
      const to = Math.max(fromSeq, toSeq)
      const seqs = (batchesIn.all(fromSeq, to) as { seq: number }[]).map(({ seq }) => seq)
      return { fromSeq, toSeq: to, batches: bitsOf(fromSeq, to, seqs), groups: changed }
    },
    noteStated: ({ toSeq, groups: stated }) =>
      writer.submit(() => {
        noteStated.run(toSeq)
        groups.noteStated(stated)
      }),
    entries: async (after, upTo) => tree.entries(after, upTo),
    factText: async (seq) => tree.factText(seq),
    groups: async () => groups.all(),
    group: async (key: GroupKey) => groups.group(key),
  }
}

type HeadRow = { size: number; root: string; at: number; key_id: string; signature: string }
const headOf = ({ key_id: keyId, ...head }: HeadRow): SealHead => ({ ...head, keyId })

/** Tiles, and the rows they are made of. What is written belongs to the caller's transaction. */
function createTree(db: DatabaseSync) {
  const get = db.prepare('SELECT bytes FROM seal_tiles WHERE id = ?')
  const put = db.prepare('INSERT OR REPLACE INTO seal_tiles (id, bytes) VALUES (?, ?)')
  const stateOf = db.prepare('SELECT size, past, stated_through FROM seal_tree')
  const noteSize = db.prepare('UPDATE seal_tree SET size = ?')
  const statements = (table: 'facts' | 'batches', columns: string) => ({
    after: db.prepare(`SELECT ${columns} FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?`),
    at: db.prepare(`SELECT ${columns} FROM ${table} WHERE seq = ?`),
  })
  const sums = { facts: statements('facts', 'seq, sum'), batches: statements('batches', 'seq, sum') }
  const whole = { facts: statements('facts', '*'), batches: statements('batches', '*') }

  /** @throws TreeUnreadable */
  function state(): State {
    let row: unknown
    try {
      row = stateOf.get()
    } catch (error) {
      if (!isCorrupt(error)) throw error
      throw noTreeRow((error as Error).message)
    }
    if (row === undefined) throw noTreeRow()
    return row as State
  }

  const tile = (level: number, number: number): Uint8Array | undefined =>
    (get.get(tileId(level, number)) as { bytes: Uint8Array } | undefined)?.bytes

  /** Rows of an older release have no checksum yet; one that cannot be read has none at all. */
  function sumOf(table: 'facts' | 'batches', { seq, sum }: SumRow): Uint8Array {
    if (sum !== null) return sum
    try {
      return hashed(table, whole[table].at.get(seq) as unknown as FactRow & BatchRow).sum
    } catch {
      return NOTHING_LEFT
    }
  }

  return {
    state,
    tile,
    /** Takes entries on up to `head`, some of them; whether there are more. */
    grow(head: number): boolean {
      const { size } = state()
      const found: { seq: number; sum: Uint8Array }[] = []
      let upTo = head
      for (const table of ['facts', 'batches'] as const) {
        const { rows, through } = readableRows<SumRow>(sums[table], {
          seq: size,
          limit: LEAVES_AT_ONCE,
          head: () => head,
        })
        if (rows.length === LEAVES_AT_ONCE) upTo = Math.min(upTo, rows.at(-1)?.seq ?? head)
        if (through !== undefined) upTo = Math.min(upTo, through)
        for (const row of rows) found.push({ seq: row.seq, sum: sumOf(table, row) })
      }
      upTo = Math.min(upTo, size + LEAVES_AT_ONCE)
      const leaves = leavesInOrder(size, upTo, found, NOTHING_LEFT)
      const last = (level: number): Uint8Array =>
        tile(level, Math.floor(size / TILE ** (level + 1))) ?? new Uint8Array(0)
      for (const { level, tile: number, bytes } of tilesWith(size, leaves, last) as Tile[])
        put.run(tileId(level, number), bytes)
      noteSize.run(upTo)
      return upTo < head
    },
    factText(seq: number): string | undefined {
      try {
        const row = whole.facts.at.get(seq) as FactRow | undefined
        return row && textOfFact(row)
      } catch {
        return undefined
      }
    },
    entries(after: number, upTo: number): HashedEntry[] {
      const found: HashedEntry[] = []
      for (const table of ['facts', 'batches'] as const) {
        const { rows } = readableRows<FactRow & BatchRow>(whole[table], {
          seq: after,
          limit: upTo - after,
          head: () => upTo,
        })
        for (const row of rows) if (row.seq <= upTo) found.push(hashedOr(table, row))
      }
      return found.sort((a, b) => a.seq - b.seq)
    },
  }
}

function hashed(table: 'facts' | 'batches', row: FactRow & BatchRow): HashedEntry {
  return table === 'facts'
    ? { seq: row.seq, sum: sumOfFact(row), what: row.type }
    : { seq: row.seq, sum: sumOfBatch(row.bytes), what: undefined }
}

/** A fact whose data is no JSON any more is not what it was. */
function hashedOr(table: 'facts' | 'batches', row: FactRow & BatchRow): HashedEntry {
  try {
    return hashed(table, row)
  } catch {
    return { seq: row.seq, sum: new Uint8Array(HASH_BYTES), what: table === 'facts' ? row.type : undefined }
  }
}

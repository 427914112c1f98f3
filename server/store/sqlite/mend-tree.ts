import type { DatabaseSync } from 'node:sqlite'
import { HASH_BYTES, TILE } from '../seals/tiles.ts'
import { headOf } from './head.ts'
import { TILES_A_LEVEL } from './seals.ts'

/**
 * Puts the tree right after its tables were copied as far as they could be read. Where its leaves, what stands above them and its heads
 * fit together it goes on from there. Else it begins anew over what is there now, all of it `past`, and has no heads until the next is
 * signed. Runs in the caller's transaction.
 */
export function mendTree(db: DatabaseSync): void {
  const one = <T>(sql: string) => db.prepare(sql).get() as T | undefined
  const size = sizeOfTiles(db)
  const { signed } = one<{ signed: number }>('SELECT ifnull(max(size), 0) AS signed FROM seal_heads') as {
    signed: number
  }
  const isWhole = size !== undefined && size > 0 && signed <= size
  if (isWhole && one<{ size: number }>('SELECT size FROM seal_tree')?.size === size) return
  if (!isWhole) db.exec('DELETE FROM seal_tiles; DELETE FROM seal_heads')
  // before the first key there was no head: what was deleted by then is not in the tree either
  const past = isWhole ? `(SELECT min(seq) - 1 FROM facts WHERE type = 'seal.key-added')` : 'NULL'
  db.exec(`INSERT OR REPLACE INTO seal_tree (id, size, past, changes, stated_through) VALUES (
    1, ${isWhole ? size : 0}, ifnull(${past}, ${headOf(db)}),
    max(ifnull((SELECT max(change) FROM chunk_groups), 0), ifnull((SELECT max(value ->> '$.change') FROM ${STATED}, json_each(said, '$.groups')), 0)),
    (SELECT max(said ->> '$.toSeq') FROM ${STATED}))`)
}

/** What facts say of compaction. */
const STATED = `(SELECT data AS said FROM facts WHERE type = 'chunks.written' AND json_valid(data))`

/** Entries that the tiles are of; undefined: some are missing. */
function sizeOfTiles(db: DatabaseSync): number | undefined {
  const levels = db
    .prepare(
      `SELECT id / ${TILES_A_LEVEL} AS level, sum(length(bytes)) / ${HASH_BYTES} AS hashes FROM seal_tiles GROUP BY 1 ORDER BY 1`,
    )
    .all() as { level: number; hashes: number }[]
  const size = levels[0]?.hashes ?? 0
  let count = size
  for (const { hashes } of levels) {
    if (hashes !== count) return undefined
    count = Math.floor(count / TILE)
  }
  return count === 0 ? size : undefined
}

import type { DatabaseSync } from 'node:sqlite'
import type { Checksum } from '../checksums.ts'
import {
  blockOf,
  type ChunkGroup,
  type ChunkToHash,
  chunkGroupOf,
  DEVICES_A_BLOCK,
  faultsOf,
  type GroupAsIs,
  type GroupKey,
} from '../seals/seal-store.ts'
import { DEVICES } from '../storable.ts'
import { createMark } from './chunk-mark.ts'
import { chunkId, keyOfChunk } from './chunk-table.ts'

type GroupRow = GroupKey & { change: number; stated: number }
type ChunkRow = { id: number; sum: Checksum; bytes: Uint8Array | null }

/** Which groups of chunks changed; see `ChunkGroup`. What is written belongs to the caller's transaction. */
export function createChunkGroups(db: DatabaseSync) {
  const one = db.prepare('SELECT * FROM chunk_groups WHERE day = ? AND place = ? AND block = ?')
  const unstated = db.prepare(
    'SELECT day, place, block, change, stated FROM chunk_groups WHERE stated < change ORDER BY change LIMIT ?',
  )
  const noteStated = db.prepare(
    'UPDATE chunk_groups SET stated = max(stated, ?) WHERE day = ? AND place = ? AND block = ?',
  )
  const forget = db.prepare(
    'DELETE FROM chunk_groups WHERE day = ? AND place = ? AND block = ? AND change = ?',
  )
  const chunksOf = db.prepare(
    'SELECT id, sum, CASE WHEN sum IS NULL OR ?3 THEN bytes END AS bytes FROM chunks WHERE id >= ?1 AND id < ?2 ORDER BY id',
  )
  const firstFrom = db.prepare('SELECT min(id) AS id FROM chunks WHERE id >= ?')
  const mark = createMark(db)

  function chunksIn({ day, place, block }: GroupKey, isHashedAnew: boolean): ChunkToHash[] {
    const first = chunkId(day, Number(place), block * DEVICES_A_BLOCK)
    const rows = chunksOf.all(first, first + DEVICES_A_BLOCK, isHashedAnew ? 1 : 0) as unknown as ChunkRow[]
    return rows.map(({ id, sum, bytes }) => ({ device: id % DEVICES, sum, bytes: bytes ?? undefined }))
  }

  /** Found by looking up the first chunk of each: few look-ups, whatever the table says of groups. */
  function all(): GroupKey[] {
    const found: GroupKey[] = []
    for (let from = 0; ; ) {
      const { id } = firstFrom.get(from) as { id: number | null }
      if (id === null) return found
      const { device, day, window } = keyOfChunk(id)
      const block = blockOf(device)
      found.push({ day, place: String(window), block })
      from = chunkId(day, window, (block + 1) * DEVICES_A_BLOCK)
    }
  }

  return {
    /** Notes that all there is has to be said: of a record whose chunks nobody spoke of until now. */
    markAll(): void {
      for (const { day, place, block } of all()) mark(day, Number(place), block)
    },
    all,
    unstated: (limit: number): ChunkGroup[] =>
      (unstated.all(limit) as unknown as GroupRow[]).map((row) =>
        chunkGroupOf(row, row.change, chunksIn(row, false)),
      ),
    noteStated(stated: readonly ChunkGroup[]): void {
      for (const { day, place, block, change, chunks } of stated) {
        noteStated.run(change, day, place, block)
        if (chunks === 0) forget.run(day, place, block, change)
      }
    },
    group(key: GroupKey): GroupAsIs {
      const row = one.get(key.day, key.place, key.block) as GroupRow | undefined
      const chunks = chunksIn(key, true)
      return {
        ...chunkGroupOf(key, row?.change ?? 0, chunks),
        isStated: row === undefined || row.stated >= row.change,
        faults: faultsOf(chunks),
      }
    },
  }
}

import type { DatabaseSync } from 'node:sqlite'
import { noTreeRow } from '../seals/tiles.ts'

/** How the chunk table says that a group changes. */
export function createMark(db: DatabaseSync) {
  const next = db.prepare('UPDATE seal_tree SET changes = changes + 1 RETURNING changes')
  const put = db.prepare(`INSERT INTO chunk_groups (day, place, block, change, stated) VALUES (?, ?, ?, ?, 0)
    ON CONFLICT (day, place, block) DO UPDATE SET change = excluded.change`)
  return (day: number, window: number, block: number): void => {
    const row = next.get() as { changes: number } | undefined
    if (row === undefined) throw noTreeRow()
    put.run(day, String(window), block, row.changes)
  }
}

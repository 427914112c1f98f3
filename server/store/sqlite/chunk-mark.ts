import type { DatabaseSync } from 'node:sqlite'

/** How the chunk table says that a group changes. */
export function createMark(db: DatabaseSync) {
  const next = db.prepare('UPDATE seal_tree SET changes = changes + 1 RETURNING changes')
  const put = db.prepare(`INSERT INTO chunk_groups (day, place, block, change, stated) VALUES (?, ?, ?, ?, 0)
    ON CONFLICT (day, place, block) DO UPDATE SET change = excluded.change`)
  return (day: number, window: number, block: number): void => {
    const { changes } = next.get() as { changes: number }
    put.run(day, String(window), block, changes)
  }
}

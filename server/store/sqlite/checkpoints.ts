import type { DatabaseSync } from 'node:sqlite'
import { withoutSum, withSum } from '../checkpoint-sum.ts'
import { OTHER_THAN_WRITTEN } from '../checksums.ts'
import type { DamageRegister } from '../damage.ts'
import { type CheckpointStore, StoreUnavailable } from '../store.ts'
import type { Writer } from './writer.ts'

/** Checkpoints in SQLite. Saving does not wait for the disk: after a power cut an older one is as good. */
export function createCheckpoints(db: DatabaseSync, writer: Writer, damage: DamageRegister): CheckpointStore {
  const put = db.prepare('INSERT OR REPLACE INTO checkpoints (name, seq, bytes) VALUES (?, ?, ?)')
  const get = db.prepare('SELECT seq, bytes FROM checkpoints WHERE name = ?')
  const keyOf = (name: string) => `checkpoint ${name}`
  const damaged = new Set<string>()
  return {
    save(name, seq, make) {
      const bytes = withSum(make())
      try {
        writer.inBackground(() => put.run(name, seq, bytes))
        if (damaged.delete(name)) damage.clear(({ table, key }) => table === 'file' && key === keyOf(name))
        return true
      } catch (error) {
        if (error instanceof StoreUnavailable) return false
        throw error
      }
    },
    load(name) {
      const saved = get.get(name) as { seq: number; bytes: Uint8Array } | undefined
      const bytes = saved && withoutSum(saved.bytes)
      if (saved !== undefined && bytes === undefined) {
        damaged.add(name)
        const nowhere = { device: null, from: null, to: null }
        damage.note({ table: 'file', key: keyOf(name), ...nowhere, reason: OTHER_THAN_WRITTEN })
      }
      return saved && bytes && { seq: saved.seq, bytes }
    },
    // nobody else saves into this file
    caughtUp: async () => {},
  }
}

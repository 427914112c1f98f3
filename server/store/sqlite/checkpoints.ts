import type { DatabaseSync } from 'node:sqlite'
import { type CheckpointStore, StoreUnavailable } from '../store.ts'
import type { Writer } from './writer.ts'

/** Checkpoints in SQLite. Saving does not wait for the disk: after a power cut an older one is as good. */
export function createCheckpoints(db: DatabaseSync, writer: Writer): CheckpointStore {
  const put = db.prepare('INSERT OR REPLACE INTO checkpoints (name, seq, bytes) VALUES (?, ?, ?)')
  const get = db.prepare('SELECT seq, bytes FROM checkpoints WHERE name = ?')
  return {
    save(name, seq, bytes) {
      try {
        writer.inBackground(() => put.run(name, seq, bytes))
        return true
      } catch (error) {
        if (error instanceof StoreUnavailable) return false
        throw error
      }
    },
    load(name) {
      return get.get(name) as { seq: number; bytes: Uint8Array } | undefined
    },
    // nobody else saves into this file
    caughtUp: async () => {},
  }
}

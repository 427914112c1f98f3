import { withoutSum, withSum } from '../checkpoint-sum.ts'
import { OTHER_THAN_WRITTEN } from '../checksums.ts'
import { type CheckpointStore, StoreUnavailable } from '../store.ts'
import type { Copy, SharedCheckpoint } from './copy.ts'
import type { Database } from './database.ts'
import { fetchCheckpoints } from './fetching.ts'

type Saved = { seq: number; bytes: Uint8Array }

export type SharedCheckpoints = CheckpointStore & {
  /**
   * Resolves when those saved before are in the database, if this node leads and the database can be had. Rejects with why it does
   * not take them though it can be had.
   */
  shared(): Promise<void>
}

/**
 * Checkpoints are saved beside the copy, and by the lead, in the background, in the database: for nodes that begin with
 * less than all of the record, and for whoever leads next.
 * @param epoch of the record that the copy is of
 * @param leads whether this node leads now, with a copy that is of the record
 */
export function createCheckpoints(
  database: Database,
  copy: Copy,
  epoch: number,
  leads: () => boolean,
): SharedCheckpoints {
  const waiting = new Map<string, Saved>()
  /** names of which the database has an empty one at this position */
  const emptyAt = new Map<string, number>()
  let sharing: Promise<void> | undefined
  /** why the database, which was there, did not take the last one */
  let fault: unknown

  function share(): void {
    sharing ??= shareAll().finally(() => {
      sharing = undefined
    })
  }

  async function shareAll(): Promise<void> {
    for (const [name, saved] of waiting) {
      waiting.delete(name)
      // whoever led until now and does not any more leaves it to the next one
      if (!leads()) continue
      try {
        if (!(await put(name, saved))) continue
        if (saved.bytes.length === 0) emptyAt.set(name, saved.seq)
        else emptyAt.delete(name)
        fault = undefined
      } catch (error) {
        // where it was away the next one saved is as good
        fault = error instanceof StoreUnavailable ? undefined : error
      }
    }
  }

  /** Whether it is there: a record that has not all this node has knows nothing of what its checkpoint is of. */
  async function put(name: string, { seq, bytes }: Saved): Promise<boolean> {
    const [row] = await database.ask(
      (sql) => sql<{ revision: number }[]>`
        INSERT INTO checkpoints AS held (name, seq, revision, bytes)
        SELECT ${name}, ${seq}::bigint, 1, ${bytes}::bytea FROM log WHERE epoch = ${epoch} AND head >= ${copy.head()}
        ON CONFLICT (name) DO UPDATE SET seq = excluded.seq, revision = held.revision + 1, bytes = excluded.bytes
        RETURNING revision`,
    )
    if (row && copy.isOpen()) copy.noteShared(name, row.revision)
    return row !== undefined
  }

  return {
    save(name, seq, make) {
      const bytes = withSum(make())
      try {
        copy.save(name, seq, bytes)
      } catch (error) {
        if (error instanceof StoreUnavailable) return false
        throw error
      }
      // a trial of the disk, say, is the same each time
      if (leads() && (bytes.length > 0 || emptyAt.get(name) !== seq)) {
        waiting.set(name, { seq, bytes })
        share()
      }
      return database.isUp()
    },
    load(name) {
      const saved = copy.load(name)
      const bytes = saved && withoutSum(saved.bytes)
      if (saved !== undefined && bytes === undefined)
        console.error(`The checkpoint ${name} on this node's disk is passed over: ${OTHER_THAN_WRITTEN}.`)
      return saved && bytes && { seq: saved.seq, bytes }
    },
    async caughtUp() {
      const found: SharedCheckpoint[] = await database.ask(fetchCheckpoints, 30_000)
      for (const checkpoint of found) copy.takeShared(checkpoint)
    },
    async shared() {
      while (sharing !== undefined) await sharing
      if (fault !== undefined) throw fault
    },
  }
}

import type { Retention } from '../retention.ts'
import type { RecentOfNode } from './recent-readings.ts'
import type { Record } from './record.ts'
import { createCleanup } from './telemetry-cleanup.ts'
import { createCompaction } from './telemetry-compaction.ts'
import { createArchiveKeeper } from './telemetry-keeper.ts'
import { createMerging } from './telemetry-merging.ts'

/** Compaction, merging and cleaning: one thing at a time, they go on from one another. */
export function createUpkeep(record: Record, followed: RecentOfNode, retention: Retention, sliceMs: number) {
  const { database, damage, head } = record
  const { recent } = followed
  const keeper = createArchiveKeeper(record, followed.compacted)
  const compaction = createCompaction({ keeper, recent, head, retention, damage, sliceMs })
  const merging = createMerging({ database, keeper, damage, sliceMs })
  const cleanup = createCleanup(record, retention)
  let turn: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  async function makeRoom(now: number): Promise<void> {
    // it may be compacted, and only the word of it lost
    await keeper.refresh().catch(() => {})
    await followed.forgotten()
    while (recent.isOverfull() && (await compaction.run(now, true)));
    await followed.forgotten()
  }

  /** whether there are more */
  async function deleteBatches(now: number): Promise<boolean> {
    if (followed.doneThrough() <= record.batchesFrom()) return false
    await record.checkpointsShared()
    const { through, hasMore } = await cleanup.deleteBatches(now)
    if (through > record.batchesFrom()) await record.caughtUp()
    return hasMore
  }

  async function maintain(now: number): Promise<boolean> {
    if (record.isClosed()) return false
    if (await compaction.run(now)) return true
    await followed.forgotten()
    if ((await deleteBatches(now)) || (await merging.run())) return true
    return cleanup.dropDays(now)
  }

  return {
    inTurn,
    /** asks how far the archive is */
    refresh: keeper.refresh,
    /** the same; where the database does not answer, it is asked when that is needed */
    refreshWhenThere: () => keeper.refresh().catch(() => {}),
    /**
     * Nobody called maintain() in time, or no other node did: memory is bounded all the same, and the sender waits for it. Their
     * batch is stored, whatever comes of this; maintain() rejects with what stands against it.
     */
    makeRoom: (now: number) => inTurn(() => makeRoom(now)).catch(() => {}),
    maintain: (now: number) => inTurn(() => maintain(now)),
    async done(): Promise<void> {
      await turn
      await followed.forgotten()
    },
  }
}

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

const LOOK_EVERY = 1_000

/** How far a running server's compaction of its fleet is, by its data folder. */
export type CompactionWatch = {
  /** number of the log up to which the newest one goes; whether it is at work */
  newest(): { through: number; isWorking: boolean }
  /** Waits until one more has ended. @param most ms @throws Error when none does */
  ended(most: number): Promise<void>
  close(): void
}

/** Looks into the store of a server that runs on SQLite, without a hand on it. */
export function watchCompaction(dataDir: string): CompactionWatch {
  const db = new DatabaseSync(join(dataDir, 'frostline.sqlite'), { readOnly: true })
  const row = db.prepare('SELECT done_through AS done, job_through AS working FROM compaction')
  const look = () => row.get() as { done: number; working: number | null }
  return {
    newest() {
      const { done, working } = look()
      return { through: working ?? done, isWorking: working !== null }
    },
    async ended(most) {
      const { done } = look()
      for (const began = performance.now(); look().done === done; await pause(LOOK_EVERY))
        if (performance.now() - began > most) throw new Error('no compaction of the fleet ended in time')
    },
    close: () => db.close(),
  }
}

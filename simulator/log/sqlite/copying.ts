import { open } from 'node:fs/promises'
import { type BackupProgressInfo, backup, type DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { StoreUnavailable } from '../log.ts'

/** Pages copied at a time, 800 kB: the store waits no longer than that takes. */
const PAGES = 100
/** How often a copy is begun where the store is being written to just then. */
const MOST_TRIALS = 1000
/** Pages of a copy that may not be on the disk yet, 64 MB: the store waits for the last of them. */
const MOST_UNWRITTEN = 8000

export type Copying = {
  /** a copy of the store as it is when this resolves, made while it is written to; what was there is overwritten */
  copyTo(file: string): Promise<void>
  /** gives up what is being copied; undefined: nothing is, else it resolves when nothing is any more */
  stop(): Promise<unknown> | undefined
}

/** The file itself cannot be copied while it is written to, nor opened by another process. */
export function createCopying(db: DatabaseSync): Copying {
  const underWay = new Set<Promise<unknown>>()
  let isStopped = false

  async function copyTo(path: string): Promise<void> {
    if (isStopped) throw new StoreUnavailable('it is closed')
    const file = await open(path, 'w')
    let written = 0
    let syncing: Promise<void> | undefined
    let failure: unknown
    try {
      await begun(path, ({ totalPages, remainingPages }) => {
        if (isStopped) throw new StoreUnavailable('it is closed')
        const copied = totalPages - remainingPages
        if (syncing !== undefined || copied - written < MOST_UNWRITTEN) return
        written = copied
        syncing = file
          .datasync()
          .catch((error: unknown) => {
            failure = error
          })
          .finally(() => {
            syncing = undefined
          })
      })
    } finally {
      await syncing
      await file.close()
    }
    if (failure !== undefined) throw failure
  }

  /**
   * Where a transaction is open at the first step, Node takes the answer to try again for a failure without a reason; at
   * later steps it does try again.
   */
  async function begun(path: string, progress: (told: BackupProgressInfo) => void): Promise<void> {
    for (let trial = 1; ; trial++) {
      let isBegun = false
      try {
        await backup(db, path, {
          rate: PAGES,
          progress(told) {
            isBegun = true
            progress(told)
          },
        })
        return
      } catch (error) {
        const isTaken = !isBegun && !isStopped && (error as { errcode?: number }).errcode === 0
        if (!isTaken || trial === MOST_TRIALS) throw error
        await nextTurn()
      }
    }
  }

  return {
    copyTo(path) {
      const copied = copyTo(path)
      const settled = copied.catch(() => {}).finally(() => underWay.delete(settled))
      underWay.add(settled)
      return copied
    },
    stop() {
      isStopped = true
      return underWay.size === 0 ? undefined : Promise.all(underWay)
    },
  }
}

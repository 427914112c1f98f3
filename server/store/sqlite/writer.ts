import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../store.ts'
import { isFsyncFailure, isStoreFailure } from './failures.ts'

/** Hands out the next `count` numbers of the sequence and answers the first of them. */
export type TakeSeq = (count: number) => number

type Waiting = {
  write: (take: TakeSeq) => unknown
  committed: ((result: never) => void) | undefined
  resolve: (result: never) => void
  reject: (error: unknown) => void
}

/**
 * The one writer. What is submitted during one turn of the event loop shares one transaction, so one wait for the
 * disk; each piece has a savepoint of its own, so one that fails takes neither numbers nor the others with it.
 */
export type Writer = {
  /** `committed` runs after the commit and before the promise resolves */
  submit<T>(write: (take: TakeSeq) => T, committed?: (result: T) => void): Promise<T>
  /**
   * A transaction of its own, at once, for background work: in order with everything else on disk, but without waiting
   * for it. A power cut may undo it together with all that came after; a killed process does not.
   */
  inBackground<T>(write: () => T): T
  head(): number
  /**
   * Brings all of the write-ahead log into the file, and no more of it until it is let go: the file is as it is meanwhile.
   * @throws StoreUnavailable
   */
  holdLog(): () => void
  onCommit(listener: (head: number) => void): () => void
  /** commits what waits and takes nothing more */
  close(): void
}

/** Pages in the write-ahead log before they are brought into the file: 8 MB. */
const MOST_PAGES = 1000

/** @param end called after a failed fsync; must end the process */
export function createWriter(db: DatabaseSync, head: number, end: (error: unknown) => void): Writer {
  const listeners = new Set<(head: number) => void>()
  let waiting: Waiting[] = []
  let closed = false

  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  const savepoint = db.prepare('SAVEPOINT piece')
  const release = db.prepare('RELEASE piece')
  const undo = db.prepare('ROLLBACK TO piece')
  const look = db.prepare('PRAGMA wal_checkpoint(NOOP)')
  const checkpoint = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  let holders = 0

  const take: TakeSeq = (count) => {
    const first = head + 1
    head += count
    return first
  }

  function flush(): void {
    const group = waiting
    waiting = []
    if (group.length === 0) return
    const headBefore = head
    const settle: (() => void)[] = []
    try {
      begin.run()
      for (const piece of group) settle.push(runPiece(piece))
      commit.run()
    } catch (error) {
      head = headBefore
      abandon(error)
      for (const piece of group) piece.reject(new StoreUnavailable(error))
      return
    }
    for (const done of settle) done()
    bringIn()
    if (head !== headBefore) for (const listener of listeners) queueMicrotask(() => listener(head))
  }

  function runPiece(piece: Waiting): () => void {
    const headBefore = head
    savepoint.run()
    try {
      const result = piece.write(take) as never
      release.run()
      return () => {
        piece.committed?.(result)
        piece.resolve(result)
      }
    } catch (error) {
      if (isStoreFailure(error)) throw error
      head = headBefore
      undo.run()
      release.run()
      return () => piece.reject(error)
    }
  }

  function abandon(error: unknown): void {
    if (isFsyncFailure(error)) end(error)
    if (db.isTransaction) db.exec('ROLLBACK')
  }

  /**
   * SQLite does this by itself after a commit, but then keeps quiet about a failed fsync: the next one would succeed, the
   * log be written over, and with it the only copy of pages that never reached the file.
   */
  function bringIn(): void {
    if (holders > 0) return
    const { log, checkpointed } = look.get() as { log: number; checkpointed: number }
    if (log - checkpointed < MOST_PAGES) return
    try {
      checkpoint.run()
    } catch (error) {
      // all is safe in the log, which may grow until the file can
      if (isFsyncFailure(error)) end(error)
    }
  }

  function emptyLog(): void {
    try {
      const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
      if (busy !== 0) throw new Error('the write-ahead log is in use')
    } catch (error) {
      if (isFsyncFailure(error)) end(error)
      throw new StoreUnavailable(error)
    }
  }

  return {
    submit(write, committed) {
      if (closed) return Promise.reject(new StoreUnavailable('it is closed'))
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ write, committed, resolve, reject })
      })
    },
    inBackground(write) {
      // exec, not a prepared statement: this pragma acts when it is compiled
      db.exec('PRAGMA synchronous = NORMAL')
      try {
        begin.run()
        const result = write()
        commit.run()
        return result
      } catch (error) {
        abandon(error)
        throw isStoreFailure(error) ? new StoreUnavailable(error) : error
      } finally {
        db.exec('PRAGMA synchronous = FULL')
        bringIn()
      }
    },
    head: () => head,
    holdLog() {
      if (holders === 0) emptyLog()
      holders++
      return () => {
        holders--
      }
    },
    onCommit(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      closed = true
      flush()
    },
  }
}

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
  const state = stateOf(db, head, end)
  return {
    submit: (write, committed) => submit(state, write, committed),
    inBackground: (write) => inBackground(state, write),
    head: () => state.head,
    holdLog() {
      if (state.holders === 0) emptyLog(state)
      state.holders++
      return () => {
        state.holders--
      }
    },
    onCommit(listener) {
      state.listeners.add(listener)
      return () => state.listeners.delete(listener)
    },
    close() {
      state.isClosed = true
      flush(state)
    },
  }
}

type State = ReturnType<typeof stateOf>

const stateOf = (db: DatabaseSync, head: number, end: (error: unknown) => void) => ({
  db,
  head,
  end,
  listeners: new Set<(head: number) => void>(),
  waiting: [] as Waiting[],
  isClosed: false,
  /** how many hold the write-ahead log */
  holders: 0,
  begin: db.prepare('BEGIN IMMEDIATE'),
  commit: db.prepare('COMMIT'),
  savepoint: db.prepare('SAVEPOINT piece'),
  release: db.prepare('RELEASE piece'),
  undo: db.prepare('ROLLBACK TO piece'),
  look: db.prepare('PRAGMA wal_checkpoint(NOOP)'),
  checkpoint: db.prepare('PRAGMA wal_checkpoint(PASSIVE)'),
})

function submit<T>(state: State, write: (take: TakeSeq) => T, committed?: (result: T) => void): Promise<T> {
  if (state.isClosed) return Promise.reject(new StoreUnavailable('it is closed'))
  return new Promise((resolve, reject) => {
    if (state.waiting.length === 0) setImmediate(flush, state)
    state.waiting.push({ write, committed, resolve, reject })
  })
}

function flush(state: State): void {
  const group = state.waiting
  state.waiting = []
  if (group.length === 0) return
  const headBefore = state.head
  const settle: (() => void)[] = []
  try {
    state.begin.run()
    for (const piece of group) settle.push(runPiece(state, piece))
    state.commit.run()
  } catch (error) {
    state.head = headBefore
    abandon(state, error)
    for (const piece of group) piece.reject(new StoreUnavailable(error))
    return
  }
  for (const done of settle) done()
  bringIn(state)
  if (state.head !== headBefore)
    for (const listener of state.listeners) queueMicrotask(() => listener(state.head))
}

/** Writes one piece of a transaction; answers what to call after the commit. */
function runPiece(state: State, piece: Waiting): () => void {
  const headBefore = state.head
  state.savepoint.run()
  try {
    const result = piece.write((count) => take(state, count)) as never
    state.release.run()
    return () => {
      piece.committed?.(result)
      piece.resolve(result)
    }
  } catch (error) {
    if (isStoreFailure(error)) throw error
    state.head = headBefore
    state.undo.run()
    state.release.run()
    return () => piece.reject(error)
  }
}

function take(state: State, count: number): number {
  const first = state.head + 1
  state.head += count
  return first
}

function inBackground<T>(state: State, write: () => T): T {
  const { db, begin, commit } = state
  // exec, not a prepared statement: this pragma acts when it is compiled
  db.exec('PRAGMA synchronous = NORMAL')
  try {
    begin.run()
    const result = write()
    commit.run()
    return result
  } catch (error) {
    abandon(state, error)
    throw isStoreFailure(error) ? new StoreUnavailable(error) : error
  } finally {
    db.exec('PRAGMA synchronous = FULL')
    bringIn(state)
  }
}

function abandon({ db, end }: State, error: unknown): void {
  if (isFsyncFailure(error)) end(error)
  if (db.isTransaction) db.exec('ROLLBACK')
}

/**
 * SQLite does this by itself after a commit, but then keeps quiet about a failed fsync: the next one would succeed, the
 * log be written over, and with it the only copy of pages that never reached the file.
 */
function bringIn({ holders, look, checkpoint, end }: State): void {
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

function emptyLog({ db, end }: State): void {
  try {
    const { busy } = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
    if (busy !== 0) throw new Error('the write-ahead log is in use')
  } catch (error) {
    if (isFsyncFailure(error)) end(error)
    throw new StoreUnavailable(error)
  }
}

import type { BatchRow } from '../sqlite/batch-table.ts'
import { isStoreFailure } from '../sqlite/failures.ts'
import { StoreUnavailable } from '../store.ts'
import { Waiting } from '../waiting.ts'
import { LOST, wrongWith } from './continuity.ts'
import { type Copy, isBatch, type LogRow, type Original } from './copy.ts'
import type { Database } from './database.ts'
import { isDamage } from './failures.ts'
import { fetchAfter, fetchOne } from './fetching.ts'

/** Channel on which the head is published after each commit. */
const CHANNEL = 'log'
/** Ms between two looks at the head that nobody asked for. */
const LOOK_EVERY = 500
/** Ms that a published head waits: what this node wrote itself is here by then, without being fetched. */
const PUBLISHED_WAIT = 5
/** Ms until the next try where the database or the disk said no. */
const RETRY = 100
/** Ms for which looks may fail before those who wait are refused, and others. */
const PATIENCE = 5000

/** Whom a follower tells, each with the reason. */
export type FollowerListeners = {
  /** once, when the record is not the one that was copied any more, or has forgotten what this node has not yet seen */
  onStale(why: string): void
  /** at each look for as long as this node's disk has not taken the record for 5 s */
  onUnable(why: string): void
}

/**
 * Copies the record to this node, in order and without a gap, until it is stale.
 */
export class Follower {
  private readonly database: Database
  private readonly copy: Copy
  private readonly original: Original
  private readonly listeners: FollowerListeners
  private readonly commits = new Set<(head: number) => void>()
  private readonly batches = new Set<(batch: BatchRow) => void>()
  private readonly waiting = new Waiting()
  /** how often another server may have taken over, and when it was last seen that the copy's last entry is in the record */
  private servers = 0
  private trusted = 0
  private isBeginning = true
  private running: Promise<void> | undefined
  private again = false
  private wakeTimer: ReturnType<typeof setTimeout> | undefined
  private deletedThrough = 0
  /** since when no look has succeeded (monotonic ms); undefined: the last one did */
  private failingSince: number | undefined
  /** why nothing is copied any more */
  private over: string | undefined
  private readonly stops: (() => void)[]

  constructor(database: Database, copy: Copy, original: Original, listeners: FollowerListeners) {
    this.database = database
    this.copy = copy
    this.original = original
    this.listeners = listeners
    const looking = setInterval(() => this.wake(), LOOK_EVERY)
    this.stops = [
      () => clearInterval(looking),
      () => clearTimeout(this.wakeTimer),
      database.listen(CHANNEL, (message) => this.published(message)),
      database.onReconnect(() => this.reconnected()),
    ]
  }

  onCommit(listener: (head: number) => void): () => void {
    this.commits.add(listener)
    return () => this.commits.delete(listener)
  }

  onBatch(listener: (batch: BatchRow) => void): () => void {
    this.batches.add(listener)
    return () => this.batches.delete(listener)
  }

  /** Rows that this node appended, or received from the node that did: taken where they are next, else fetched with the others. */
  offer(rows: LogRow[]): void {
    const [first, last] = [rows[0], rows.at(-1)]
    if (first === undefined || last === undefined || this.over !== undefined) return
    const isHere = first.seq <= this.copy.head()
    if (isHere && first.seq > this.copy.batchesFrom() && !this.copy.holds(first)) this.stale(LOST)
    else if (!this.isTrusted() || first.seq > this.copy.head() + 1) this.wake()
    else
      try {
        this.take(rows, last.seq)
      } catch (error) {
        // the disk is full, perhaps: from the database it comes when there is room
        if (!(error instanceof StoreUnavailable)) throw error
        this.wake()
      }
  }

  /** Catches up for the first time: batches may have been deleted since this node was here last. Rejects where it is stale. */
  async begin(): Promise<void> {
    this.servers++
    await this.checkLast().catch((error: unknown) => {
      if (!isDamage(error)) throw error
    })
    await this.caughtUp()
    this.isBeginning = false
  }

  /**
   * Resolves when all is here that was there at the call, and nothing that was deleted by then. Rejects with StoreUnavailable as
   * `reached` does, and where the database does not say how much that is.
   */
  async caughtUp(): Promise<number> {
    const requested = this.copy.head()
    const state = await this.database.ask(
      (sql) => sql<{ head: number; through: number }[]>`SELECT head, through FROM log, batches_deleted`,
    )
    const { head, through } = state[0] ?? { head: 0, through: 0 }
    if (head < requested) this.stale(LOST)
    if (this.over !== undefined) throw new StoreUnavailable(this.over)
    await this.reached(head)
    this.noteDeleted(through)
    while (this.over === undefined && this.copy.deleteBatches(this.deletedThrough))
      await new Promise(setImmediate)
    return this.copy.head()
  }

  /** Resolves when all up to there is here. Rejects with StoreUnavailable where nothing could be fetched or written here for 5 s. */
  reached(seq: number): Promise<void> {
    if (seq <= this.copy.head()) return Promise.resolve()
    if (this.over !== undefined) return Promise.reject(new StoreUnavailable(this.over))
    const reached = this.waiting.for(seq)
    this.wake()
    return reached
  }

  /** Whether what is here is of the record, as far as is known. */
  follows(): boolean {
    return this.over === undefined
  }

  stop(why = 'it is closed'): void {
    if (this.over !== undefined) return
    this.over = why
    for (const stop of this.stops) stop()
    this.waiting.failed(new StoreUnavailable(why))
  }

  private stale(why: string): void {
    if (this.over !== undefined) return
    this.stop(why)
    try {
      if (why === LOST) this.copy.disown()
    } catch (error) {
      // the disk is full, perhaps: who opens it again finds the same
      if (!(error instanceof StoreUnavailable)) throw error
    }
    this.listeners.onStale(why)
  }

  /** `message`: the head, or that there is none any more. */
  private published(message: string): void {
    const isNews = () => !(Number(message) <= this.copy.head())
    if (!isNews()) return
    this.wakeTimer ??= setTimeout(() => {
      this.wakeTimer = undefined
      if (isNews()) this.wake()
    }, PUBLISHED_WAIT)
  }

  /** Another server may answer from now on. */
  private reconnected(): void {
    this.servers++
    this.wake()
  }

  private isTrusted(): boolean {
    return this.trusted === this.servers
  }

  /** The last entry that is here is in the record too; a batch may have been deleted there and not yet here. */
  private async checkLast(): Promise<void> {
    const requested = this.servers
    const last = this.copy.last()
    if (last !== undefined) {
      const found = await this.database.ask((sql) => fetchOne(sql, last.seq))
      if (this.over !== undefined) return
      if (found === undefined ? !isBatch(last) : !this.copy.holds(found)) this.stale(LOST)
    }
    this.trusted = requested
  }

  private wake(): void {
    this.again = true
    if (this.running !== undefined || this.over !== undefined) return
    this.running = this.run()
      .catch((error: unknown) => this.stale(String(error)))
      .finally(() => {
        this.running = undefined
      })
  }

  private async run(): Promise<void> {
    do {
      this.again = false
      try {
        if (await this.look()) this.again = true
        this.failingSince = undefined
      } catch (error) {
        // the copy is what it was: this node answers from it meanwhile
        if (!(error instanceof StoreUnavailable) && !isDamage(error)) throw error
        this.failed(error)
        await new Promise((resolve) => setTimeout(resolve, RETRY))
      }
    } while (this.again && this.over === undefined)
  }

  private failed(error: unknown): void {
    const now = performance.now()
    this.failingSince ??= now
    if (now - this.failingSince < PATIENCE) return
    const unavailable = error instanceof StoreUnavailable ? error : new StoreUnavailable(error)
    this.waiting.failed(unavailable)
    if (isStoreFailure(unavailable.cause)) this.listeners.onUnable(unavailable.message)
  }

  /** One look at the record; whether there is more to fetch. */
  private async look(): Promise<boolean> {
    const { database, copy, original } = this
    if (!this.isTrusted()) await this.checkLast()
    const requested = copy.head()
    const found = await database.ask((sql) => fetchAfter(sql, requested))
    if (this.over !== undefined) return false
    // what came from another server than the copy was held against says nothing yet
    if (!this.isTrusted()) return true
    const wrong = wrongWith(found, { original, requested, head: copy.head(), isBeginning: this.isBeginning })
    if (wrong !== undefined) {
      this.stale(wrong)
      return false
    }
    this.take(found.rows, found.through)
    this.noteDeleted(found.deletedThrough)
    return found.through < found.head || copy.deleteBatches(this.deletedThrough)
  }

  /** Puts rows behind what is here, tells of them, and answers who waited for them. */
  private take(rows: LogRow[], through: number): void {
    const { copy, batches, commits } = this
    const before = copy.head()
    if (through <= before) return
    const news = rows.filter(({ seq }) => seq > before)
    copy.take(news, through)
    for (const row of news) if (isBatch(row)) for (const listener of batches) listener(row)
    for (const listener of commits) queueMicrotask(() => listener(copy.head()))
    this.waiting.reached(through)
  }

  private noteDeleted(through: number): void {
    this.deletedThrough = Math.max(this.deletedThrough, Math.min(through, this.copy.head()))
  }
}

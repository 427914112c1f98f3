import type { BatchRow } from '../sqlite/records.ts'
import { StoreUnavailable } from '../store.ts'
import { LOST, wrongWith } from './continuity.ts'
import { type Copy, isBatch, type LogRow, type Original } from './copy.ts'
import type { Database } from './database.ts'
import { fetchAfter, fetchOne } from './fetching.ts'

/** Channel on which the head is published after each commit. */
const CHANNEL = 'log'
/** Ms between two looks at the head that nobody asked for. */
const LOOK_EVERY = 500
/** Ms that a published head waits: what this node wrote itself is here by then, without being fetched. */
const PUBLISHED_WAIT = 5
/** Ms until the next try where the database or the disk said no. */
const RETRY = 100

export type Follower = ReturnType<typeof createFollower>

/**
 * Copies the record to this node, in order and without a gap. `onStale` is called once, when the record is not the one
 * that was copied any more, or has forgotten what this node has not yet seen; nothing is copied after that.
 */
export function createFollower(
  database: Database,
  copy: Copy,
  original: Original,
  onStale: (why: string) => void,
) {
  const commits = new Set<(head: number) => void>()
  const batches = new Set<(batch: BatchRow) => void>()
  let waiting: { seq: number; resolve: () => void; reject: (error: unknown) => void }[] = []
  /** how often another server may have taken over, and when it was last seen that the copy's last entry is in the record */
  let servers = 0
  let trusted = 0
  let isBeginning = true
  let running: Promise<void> | undefined
  let again = false
  let wakeTimer: ReturnType<typeof setTimeout> | undefined
  let deletedThrough = 0
  let over: string | undefined

  function stop(why: string): void {
    if (over !== undefined) return
    over = why
    clearInterval(looking)
    clearTimeout(wakeTimer)
    unlisten()
    unreconnect()
    for (const { reject } of waiting) reject(new StoreUnavailable(why))
    waiting = []
  }

  function stale(why: string): void {
    if (over !== undefined) return
    stop(why)
    onStale(why)
  }

  /** Puts rows behind what is here, tells of them, and answers who waited for them. */
  function take(rows: LogRow[], through: number): void {
    const { head } = copy
    const before = head()
    if (through <= before) return
    const news = rows.filter(({ seq }) => seq > before)
    copy.take(news, through)
    for (const row of news) if (isBatch(row)) for (const listener of batches) listener(row)
    for (const listener of commits) queueMicrotask(() => listener(head()))
    const reached = waiting.filter(({ seq }) => seq <= through)
    if (reached.length === 0) return
    waiting = waiting.filter(({ seq }) => seq > through)
    for (const { resolve } of reached) resolve()
  }

  /** The last entry that is here is in the record too; a batch may have been deleted there and not yet here. */
  async function checkLast(): Promise<void> {
    const asked = servers
    const last = copy.last()
    if (last !== undefined) {
      const found = await database.ask((sql) => fetchOne(sql, last.seq))
      if (over !== undefined) return
      if (found === undefined ? !isBatch(last) : !copy.holds(found)) stale(LOST)
    }
    trusted = asked
  }

  /** One look at the record; whether there is more to fetch. */
  async function look(): Promise<boolean> {
    if (trusted !== servers) await checkLast()
    const asked = copy.head()
    const found = await database.ask((sql) => fetchAfter(sql, asked))
    if (over !== undefined) return false
    // what came from another server than the copy was held against says nothing yet
    if (trusted !== servers) return true
    const wrong = wrongWith(found, { original, asked, head: copy.head(), isBeginning })
    if (wrong !== undefined) {
      stale(wrong)
      return false
    }
    take(found.rows, found.through)
    deletedThrough = Math.max(deletedThrough, Math.min(found.deletedThrough, copy.head()))
    return found.through < found.head || copy.deleteBatches(deletedThrough)
  }

  async function run(): Promise<void> {
    do {
      again = false
      try {
        if (await look()) again = true
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        await new Promise((resolve) => setTimeout(resolve, RETRY))
      }
    } while (again && over === undefined)
  }

  function wake(): void {
    again = true
    if (running !== undefined || over !== undefined) return
    running = run()
      .catch((error: unknown) => stale(String(error)))
      .finally(() => {
        running = undefined
      })
  }

  function reached(seq: number): Promise<void> {
    if (seq <= copy.head()) return Promise.resolve()
    if (over !== undefined) return Promise.reject(new StoreUnavailable(over))
    return new Promise((resolve, reject) => {
      waiting.push({ seq, resolve, reject })
      wake()
    })
  }

  /** Resolves when all is here that was there at the call, and nothing that was deleted by then. */
  async function caughtUp(): Promise<number> {
    const state = await database.ask(
      (sql) => sql<{ head: number; through: number }[]>`SELECT head, through FROM log, batches_deleted`,
    )
    const { head, through } = state[0] ?? { head: 0, through: 0 }
    await reached(head)
    deletedThrough = Math.max(deletedThrough, Math.min(through, copy.head()))
    while (over === undefined && copy.deleteBatches(deletedThrough)) await new Promise(setImmediate)
    return copy.head()
  }

  const looking = setInterval(wake, LOOK_EVERY)
  const unlisten = database.listen(CHANNEL, (message) => {
    // the head, or that there is none any more
    const head = Number(message)
    if (!(head <= copy.head())) wakeTimer ??= setTimeout(wakeFor, PUBLISHED_WAIT, head)
  })
  function wakeFor(head: number): void {
    wakeTimer = undefined
    if (!(head <= copy.head())) wake()
  }
  const unreconnect = database.onReconnect(() => {
    servers++
    wake()
  })

  return {
    /** Rows that this node appended, or received from the node that did: taken where they are next, else fetched with the others. */
    offer(rows: LogRow[]): void {
      const [first, last] = [rows[0], rows.at(-1)]
      if (first === undefined || last === undefined || over !== undefined) return
      const isHere = first.seq <= copy.head()
      if (isHere && first.seq > copy.batchesFrom() && !copy.holds(first)) stale(LOST)
      else if (trusted !== servers || first.seq > copy.head() + 1) wake()
      else
        try {
          take(rows, last.seq)
        } catch (error) {
          // the disk is full, perhaps: from the database it comes when there is room
          if (!(error instanceof StoreUnavailable)) throw error
          wake()
        }
    },
    reached,
    caughtUp,
    /** Catches up for the first time: batches may have been deleted since this node was here last. */
    async begin(): Promise<void> {
      servers++
      await caughtUp()
      isBeginning = false
    },
    onCommit(listener: (head: number) => void): () => void {
      commits.add(listener)
      return () => commits.delete(listener)
    },
    onBatch(listener: (batch: BatchRow) => void): () => void {
      batches.add(listener)
      return () => batches.delete(listener)
    },
    stop: () => stop('it is closed'),
  }
}

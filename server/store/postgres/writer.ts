import { randomUUID } from 'node:crypto'
import { StoreUnavailable } from '../store.ts'
import type { Database } from './database.ts'
import { isConnectionFailure, isOtherEpoch } from './failures.ts'
import type { Follower } from './follower.ts'
import { type Answer, appendedBy, type FlushId, type Piece, sendFlush } from './write-batch.ts'

/** Ms that a piece may wait to be sent. */
const PATIENCE = 5000
/** Ms for a flush to be answered, before the same is asked on another connection. */
const ANSWER_WITHIN = 30_000
/** Ms until the next try where the database said that it can't just now. */
const RETRY = 100
/** Most that waits, and most in one flush. */
const MOST_WAITING = { pieces: 20_000, bytes: 64_000_000 }
const MOST_TOGETHER = { pieces: 1000, bytes: 8_000_000 }

type Waiting = {
  piece: Piece
  bytes: number
  since: number
  resolve: (answered: Answered) => void
  reject: (error: unknown) => void
}

/** What became of a piece, with its rows as facts where it is of some. */
export type Answered = ReturnType<typeof appendedBy> & { answer: Answer }

/**
 * Appends to the record. What is submitted while a flush is under way goes with the next one; each is one statement, so
 * the server never waits for us while others wait for it. One whose answer is lost is asked again under its number
 * until there is one: nothing is done twice, and nobody is told that it failed of what may be stored.
 */
export type Writer = {
  /**
   * Resolves when it is committed, and this node has it and all that was before it. Rejects with StoreUnavailable where it
   * could not be sent in 5 s, too much waits, or the database has no room; with the database's error for what it can't hold.
   */
  submit(piece: Piece): Promise<Answered>
  /** sends what waits and takes nothing more; what could not be settled by then is rejected */
  close(): Promise<void>
}

export function createWriter(database: Database, follower: Follower, epoch: number): Writer {
  const writer = randomUUID()
  let flushes = 0
  const waiting: Waiting[] = []
  let waitingBytes = 0
  let running: Promise<void> | undefined
  let isClosed = false
  /** set when closing took too long */
  let isGivenUp = false

  function expire(): void {
    const latest = performance.now() - PATIENCE
    while (waiting[0] !== undefined && (waiting[0].since <= latest || isGivenUp)) {
      const [late] = waiting.splice(0, 1)
      if (late) waitingBytes -= late.bytes
      late?.reject(new StoreUnavailable('nothing could be taken in time'))
    }
  }
  let expiredAt = performance.now()
  const expiring = setInterval(() => {
    // whoever was busy for longer could not have sent it
    const wasBusy = performance.now() - expiredAt > PATIENCE / 2
    expiredAt = performance.now()
    if (!wasBusy) expire()
  }, 200)

  function together(): Waiting[] {
    let bytes = 0
    let count = 0
    for (const each of waiting) {
      bytes += each.bytes
      if (count > 0 && (bytes > MOST_TOGETHER.bytes || count === MOST_TOGETHER.pieces)) break
      count++
    }
    const group = waiting.splice(0, count)
    for (const each of group) waitingBytes -= each.bytes
    return group
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      // a moment to wait for the database: what waits too long meanwhile is told so
      await database.up(RETRY).catch(() => {})
      if (database.isUp()) await write(together())
      else if (isClosed) isGivenUp = true
      expire()
    }
  }

  function start(): void {
    running ??= new Promise(setImmediate).then(run).finally(() => {
      running = undefined
      if (waiting.length > 0) start()
    })
  }

  /** Sends a group until it is known what became of it. */
  async function write(group: Waiting[]): Promise<void> {
    if (group.length === 0) return
    const id = { writer, flush: ++flushes, epoch }
    const pieces = group.map(({ piece }) => piece)
    let answers: Answer[]
    try {
      answers = await settled(id, pieces)
    } catch (error) {
      if (isOtherEpoch(error)) for (const { reject } of group) reject(new StoreUnavailable(error))
      else if (error instanceof StoreUnavailable || group.length === 1)
        for (const { reject } of group) reject(error)
      // one of them is what the database can't hold: the others shall not suffer for it
      else for (const one of group) await write([one])
      return
    }
    const answered = pieces.map((piece, i) => {
      const answer = answers[i] as Answer
      return { ...appendedBy(piece, answer), answer }
    })
    follower.offer(answered.flatMap(({ rows }) => rows))
    try {
      await follower.reached(Math.max(0, ...answers.map(lastOf)))
      for (const [i, { resolve }] of group.entries()) resolve(answered[i] as Answered)
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  async function settled(id: FlushId, pieces: Piece[]): Promise<Answer[]> {
    let mayBeStored = false
    for (;;) {
      let isSent = false
      try {
        return await database.ask((sql) => {
          isSent = true
          return sendFlush(sql, id, pieces)
        }, ANSWER_WITHIN)
      } catch (error) {
        const isUnavailable = error instanceof StoreUnavailable
        if (isUnavailable && isSent && isConnectionFailure(error.cause)) mayBeStored = true
        // under the lock the database looks first whether it has this flush: any other no is one to all tries
        if (!isUnavailable || !mayBeStored || isGivenUp) throw error
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY))
      await database.up(PATIENCE).catch(() => {})
    }
  }

  return {
    submit(piece) {
      const bytes = sizeOf(piece)
      if (isClosed) return Promise.reject(new StoreUnavailable('it is closed'))
      if (waiting.length >= MOST_WAITING.pieces || waitingBytes > MOST_WAITING.bytes)
        return Promise.reject(new StoreUnavailable('too much is waiting'))
      return new Promise((resolve, reject) => {
        waiting.push({ piece, bytes, since: performance.now(), resolve, reject })
        waitingBytes += bytes
        start()
      })
    },
    async close() {
      isClosed = true
      const late = setTimeout(() => {
        isGivenUp = true
      }, PATIENCE)
      await running
      clearTimeout(late)
      clearInterval(expiring)
    },
  }
}

/** The last number that somebody who hears this answer may look for. */
const lastOf = (answer: Answer): number => ('actual' in answer ? 0 : answer.first + answer.count - 1)

function sizeOf(piece: Piece): number {
  if (piece.kind === 'batch') return piece.bytes.length
  return piece.facts.reduce((sum, { json }) => sum + json.length + 200, 200)
}

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable } from '../store.ts'
import type { Database } from './database.ts'
import { isConnectionFailure, isOtherEpoch } from './failures.ts'
import type { Follower } from './follower.ts'
import { type Answer, appendedBy, type BatchId, sendWriteBatch, type Write } from './write-batch.ts'

/** Ms that a write may wait to be sent. */
const PATIENCE = 5000
/** Ms for a write batch to be answered, before it is sent again on another connection. */
const ANSWER_WITHIN = 30_000
/** Ms until the next try where the database said that it can't just now. */
const RETRY = 100
/** Most that waits, and most in one write batch. */
const MOST_WAITING = { writes: 20_000, bytes: 64_000_000 }
const MOST_TOGETHER = { writes: 1000, bytes: 8_000_000 }

type Waiting = {
  content: Write
  bytes: number
  since: number
  resolve: (answered: Answered) => void
  reject: (error: unknown) => void
}

/** What became of a write, with its rows, and its facts where it has some. */
export type Answered = ReturnType<typeof appendedBy> & { answer: Answer }

/**
 * Appends to the record. What is submitted while a write batch is under way goes with the next one; each is one statement, so
 * the server never waits for us while others wait for it. One whose answer is lost is sent again under its number
 * until there is one: nothing is done twice, and no sender hears "failed" of what may be stored.
 */
export type Writer = {
  /**
   * Resolves when it is committed, and this node has it and all that was before it. Rejects with StoreUnavailable where it
   * could not be sent in 5 s, too much waits, or the database has no room, and where it is committed, but this node cannot
   * fetch it or write it here: nothing more is sent until it can. With the database's error for what it can't hold.
   */
  submit(content: Write): Promise<Answered>
  /** sends what waits and takes nothing more; what could not be settled by then is rejected */
  close(): Promise<void>
}

type Entries = Pick<Follower, 'offer' | 'reached'>

/** @param epoch of the record as this node copied it: where it was begun anew since, nothing of this is taken */
export function createWriter(database: Database, follower: Entries, epoch: number): Writer {
  const state = stateOf(database, follower, epoch)
  let expiredAt = performance.now()
  const expiring = setInterval(() => {
    // whoever was busy for longer could not have sent it
    const wasBusy = performance.now() - expiredAt > PATIENCE / 2
    expiredAt = performance.now()
    if (!wasBusy) expire(state)
  }, 200)
  return {
    submit: (content) => submit(state, content),
    async close() {
      state.isClosed = true
      const late = setTimeout(() => {
        state.isGivenUp = true
      }, PATIENCE)
      await state.running
      clearTimeout(late)
      clearInterval(expiring)
    },
  }
}

type State = ReturnType<typeof stateOf>

const stateOf = (database: Database, follower: Entries, epoch: number) => ({
  database,
  follower,
  epoch,
  writer: randomUUID(),
  batches: 0,
  /** the last number that was committed: all up to there is to be here before more is sent */
  committed: 0,
  waiting: [] as Waiting[],
  waitingBytes: 0,
  running: undefined as Promise<void> | undefined,
  isClosed: false,
  /** set when closing took too long */
  isGivenUp: false,
})

function submit(state: State, content: Write): Promise<Answered> {
  const { waiting, waitingBytes, isClosed } = state
  const bytes = sizeOf(content)
  if (isClosed) return Promise.reject(new StoreUnavailable('it is closed'))
  if (waiting.length >= MOST_WAITING.writes || waitingBytes > MOST_WAITING.bytes)
    return Promise.reject(new StoreUnavailable('too many appends wait for PostgreSQL'))
  return new Promise((resolve, reject) => {
    waiting.push({ content, bytes, since: performance.now(), resolve, reject })
    state.waitingBytes += bytes
    start(state)
  })
}

function start(state: State): void {
  state.running ??= new Promise(setImmediate)
    .then(() => run(state))
    .finally(() => {
      state.running = undefined
      if (state.waiting.length > 0) start(state)
    })
}

async function run(state: State): Promise<void> {
  const { database, follower, waiting } = state
  while (waiting.length > 0) {
    // a moment to wait for the database: what waits too long meanwhile is refused
    await database.up(RETRY).catch(() => {})
    const isHere = await follower.reached(state.committed).then(
      () => true,
      () => false,
    )
    if (database.isUp() && isHere) await write(state, together(state))
    else if (state.isClosed) state.isGivenUp = true
    else await pause(RETRY)
    expire(state)
  }
}

/** Takes the first that wait, as many as one write batch holds. */
function together(state: State): Waiting[] {
  let bytes = 0
  let count = 0
  for (const each of state.waiting) {
    bytes += each.bytes
    if (count > 0 && (bytes > MOST_TOGETHER.bytes || count === MOST_TOGETHER.writes)) break
    count++
  }
  return takeFirst(state, count)
}

function takeFirst(state: State, count: number): Waiting[] {
  const taken = state.waiting.splice(0, count)
  for (const { bytes } of taken) state.waitingBytes -= bytes
  return taken
}

/** Refuses what waits for too long. */
function expire(state: State): void {
  const latest = performance.now() - PATIENCE
  const kept = state.waiting.findIndex(({ since }) => since > latest && !state.isGivenUp)
  for (const { reject } of takeFirst(state, kept < 0 ? state.waiting.length : kept))
    reject(new StoreUnavailable(`it could not be sent to PostgreSQL within ${PATIENCE / 1000} s`))
}

/** Sends a group until it is known what became of it. */
async function write(state: State, group: Waiting[]): Promise<void> {
  if (group.length === 0) return
  const { follower } = state
  const writes = group.map(({ content }) => content)
  let answers: Answer[]
  try {
    answers = await settled(state, writes)
  } catch (error) {
    if (isOtherEpoch(error)) for (const { reject } of group) reject(new StoreUnavailable(error))
    else if (error instanceof StoreUnavailable || group.length === 1)
      for (const { reject } of group) reject(error)
    // one of them is what the database can't hold: the others shall not suffer for it
    else for (const one of group) await write(state, [one])
    return
  }
  const answered = writes.map((content, i) => {
    const answer = answers[i] as Answer
    return { ...appendedBy(content, answer), answer }
  })
  follower.offer(answered.flatMap(({ rows }) => rows))
  try {
    state.committed = Math.max(state.committed, ...answers.map(lastOf))
    await follower.reached(state.committed)
    for (const [i, { resolve }] of group.entries()) resolve(answered[i] as Answered)
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}

/** Sends a write batch until the database answered it, or certainly has nothing of it. */
async function settled(state: State, writes: Write[]): Promise<Answer[]> {
  const { database, writer, epoch } = state
  const id: BatchId = { writer, flush: ++state.batches, epoch }
  let mayBeStored = false
  for (;;) {
    let isSent = false
    try {
      return await database.ask((sql) => {
        isSent = true
        return sendWriteBatch(sql, id, writes)
      }, ANSWER_WITHIN)
    } catch (error) {
      const isUnavailable = error instanceof StoreUnavailable
      if (isUnavailable && isSent && isConnectionFailure(error.cause)) mayBeStored = true
      // under the lock the database looks first whether it has this batch: any other refusal is one of all tries
      if (!isUnavailable || !mayBeStored || state.isGivenUp) throw error
    }
    await pause(RETRY)
    await database.up(PATIENCE).catch(() => {})
  }
}

/** The last number that somebody who hears this answer may look for. */
const lastOf = (answer: Answer): number => ('actual' in answer ? 0 : answer.first + answer.count - 1)

function sizeOf(content: Write): number {
  if (content.kind === 'batch') return content.bytes.length
  return content.facts.reduce((sum, { json }) => sum + json.length + 200, 200)
}

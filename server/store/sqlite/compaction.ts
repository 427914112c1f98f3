import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { decodeReadings } from '#machines/contracts/readings.ts'
import { dayPartsOf } from '../day-chunks.ts'
import type { NewestTimes } from '../newest-times.ts'
import type { RecentReadings, TailPart } from '../recent-readings.ts'
import type { Archive } from './archive.ts'
import type { Records } from './records.ts'

/** A part of the tail being written to the archive, device by device. */
type Job = TailPart & { nextDevice: number }
type StateRow = { done_through: number; job_through: number | null; next_device: number; newest: Uint8Array }
/** Batches read at a time at the start. */
const BATCHES_AT_ONCE = 64

type State = {
  readonly db: DatabaseSync
  readonly recent: RecentReadings
  readonly archive: Archive
  readonly newest: NewestTimes
  readonly sliceMs: number
  /** number of the last batch whose readings are all in chunks */
  doneThrough: number
  job: Job | undefined
  readonly update: StatementSync
  readonly updateNewest: StatementSync
}

/**
 * Turns the readings of the tail into chunks, some devices a call, each call one transaction that also notes how far
 * it came. Cut off anywhere, it goes on from there: the batches stay until the last device is written.
 * @param sliceMs ms of work per call
 */
export function createCompaction(
  db: DatabaseSync,
  recent: RecentReadings,
  archive: Archive,
  newest: NewestTimes,
  { sliceMs, batchesAfter }: { sliceMs: number } & Pick<Records, 'batchesAfter'>,
) {
  const state: State = {
    ...{ db, recent, archive, newest, sliceMs },
    doneThrough: 0,
    job: undefined,
    update: db.prepare('UPDATE compaction SET done_through = ?, job_through = ?, next_device = ?'),
    updateNewest: db.prepare('UPDATE compaction SET newest = ?'),
  }
  load(state, batchesAfter)
  return {
    /** does some of what is due; whether there is more */
    run: (now: number, force = false): boolean => run(state, now, force),
    doneThrough: () => state.doneThrough,
    /** stores the newest times, in a transaction of the caller */
    saveNewest: () => saveNewest(state),
  }
}

/** Takes up where the store was left: the tail is filled with the batches that are in no chunk yet. */
function load(state: State, batchesAfter: Records['batchesAfter']): void {
  const { db, recent, newest } = state
  const stored = db.prepare('SELECT * FROM compaction').get() as StateRow | undefined
  if (stored === undefined)
    throw new Error(
      'how far compaction is cannot be read (table compaction: its row is missing): restore-days without --device makes it anew out of what is there',
    )
  state.doneThrough = stored.done_through
  const times = new Float64Array(stored.newest.slice().buffer)
  newest.restore(times)
  for (const [device, at] of times.entries()) if (at >= 0) recent.tail.raiseNewest(device, at)
  for (let after = state.doneThrough; ; ) {
    const rows = batchesAfter(after, BATCHES_AT_ONCE)
    for (const row of rows) recent.append(row.seq, row.recorded_at, decodeReadings(row.bytes))
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.seq
  }
  if (stored.job_through === null) return
  const through = stored.job_through
  const job = { through, endRow: recent.rowsThrough(through), nextDevice: stored.next_device }
  state.job = job
  recent.taken(through)
  for (let device = 0; device < job.nextDevice; device++) noteNewest(state, device, job.endRow)
}

/** for devices a job had already written when it was cut off: their rows are still in the tail */
function noteNewest({ recent, newest }: State, device: number, endRow: number): void {
  const { at, length } = recent.tail.readingsOf(device, 0, Number.POSITIVE_INFINITY, endRow, [])
  for (let i = 0; i < length; i++) newest.raise(device, at[i] as number)
}

function saveNewest({ updateNewest, newest }: State): void {
  updateNewest.run(new Uint8Array(newest.copy().buffer))
}

function run(state: State, now: number, force: boolean): boolean {
  const { recent } = state
  if (state.job === undefined) {
    const due = recent.due(now, force)
    if (due === undefined) return false
    state.job = { ...due, nextDevice: 0 }
    recent.taken(due.through)
  }
  runSlice(state, state.job, now)
  return state.job !== undefined
}

function runSlice(state: State, job: Job, now: number): void {
  const { archive, recent, update, sliceMs } = state
  const { tail } = recent
  const started = performance.now()
  let next = job.nextDevice
  let finished = false
  archive.change(() => {
    do compactDevice(state, next++, job, now)
    while (next < tail.devices && performance.now() - started < sliceMs)
    finished = next >= tail.devices
    if (finished) {
      saveNewest(state)
      update.run(job.through, null, 0)
    } else update.run(state.doneThrough, job.through, next)
  })
  job.nextDevice = next
  if (!finished) return
  state.doneThrough = job.through
  state.job = undefined
  recent.forget(job.endRow)
}

function compactDevice(state: State, device: number, { through, endRow }: Job, now: number): void {
  const { recent, archive, newest } = state
  const newestBefore = newest.of(device)
  for (const one of dayPartsOf(recent.tail, device, endRow)) {
    archive.add(one, newestBefore, through, now)
    newest.raise(device, one.readings.at[one.readings.length - 1] as number)
  }
}

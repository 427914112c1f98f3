import type { DatabaseSync } from 'node:sqlite'
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
  const { tail } = recent
  const update = db.prepare('UPDATE compaction SET done_through = ?, job_through = ?, next_device = ?')
  const updateNewest = db.prepare('UPDATE compaction SET newest = ?')
  let doneThrough = 0
  let job: Job | undefined
  load()

  function load(): void {
    const state = db.prepare('SELECT * FROM compaction').get() as StateRow | undefined
    if (state === undefined)
      throw new Error(
        'how far compaction is cannot be read (table compaction: its row is missing): restore-days without --device makes it anew out of what is there',
      )
    doneThrough = state.done_through
    const times = new Float64Array(state.newest.slice().buffer)
    newest.restore(times)
    for (const [device, at] of times.entries()) if (at >= 0) tail.raiseNewest(device, at)
    for (let after = doneThrough; ; ) {
      const rows = batchesAfter(after, BATCHES_AT_ONCE)
      for (const row of rows) recent.append(row.seq, row.recorded_at, decodeReadings(row.bytes))
      const last = rows.at(-1)
      if (last === undefined) break
      after = last.seq
    }
    if (state.job_through === null) return
    const through = state.job_through
    job = { through, endRow: recent.rowsThrough(through), nextDevice: state.next_device }
    recent.taken(through)
    for (let device = 0; device < job.nextDevice; device++) noteNewest(device, job.endRow)
  }

  /** for devices a job had already written when it was cut off: their rows are still in the tail */
  function noteNewest(device: number, endRow: number): void {
    const { at, length } = tail.readingsOf(device, 0, Number.POSITIVE_INFINITY, endRow, [])
    for (let i = 0; i < length; i++) newest.raise(device, at[i] as number)
  }

  function saveNewest(): void {
    updateNewest.run(new Uint8Array(newest.copy().buffer))
  }

  function compactDevice(device: number, { through, endRow }: Job, now: number): void {
    const newestBefore = newest.of(device)
    for (const one of dayPartsOf(tail, device, endRow)) {
      archive.add(one, newestBefore, through, now)
      newest.raise(device, one.readings.at[one.readings.length - 1] as number)
    }
  }

  function runSlice(running: Job, now: number): void {
    const started = performance.now()
    let next = running.nextDevice
    let finished = false
    archive.change(() => {
      do compactDevice(next++, running, now)
      while (next < tail.devices && performance.now() - started < sliceMs)
      finished = next >= tail.devices
      if (finished) {
        saveNewest()
        update.run(running.through, null, 0)
      } else update.run(doneThrough, running.through, next)
    })
    running.nextDevice = next
    if (!finished) return
    doneThrough = running.through
    job = undefined
    recent.forget(running.endRow)
  }

  return {
    /** does some of what is due; whether there is more */
    run(now: number, force = false): boolean {
      if (job === undefined) {
        const due = recent.due(now, force)
        if (due === undefined) return false
        job = { ...due, nextDevice: 0 }
        recent.taken(due.through)
      }
      runSlice(job, now)
      return job !== undefined
    },
    doneThrough: () => doneThrough,
    /** stores the newest times, in a transaction of the caller */
    saveNewest,
  }
}

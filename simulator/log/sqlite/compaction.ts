import type { DatabaseSync } from 'node:sqlite'
import { decodeReadings } from '#machines/contracts/readings.ts'
import { type HotTail, inOrder } from '../hot-tail.ts'
import type { Archive } from './archive.ts'
import type { Past } from './past.ts'

const HOUR = 3_600_000
/** Fill of the tail at which it is compacted: the fuller, the more readings share a chunk; the rest is for what comes meanwhile. */
const START_AT = 0.75

/** Rows of the tail before `endRow`, all of batches up to `through`, being written to the archive, device by device. */
type Job = { through: number; endRow: number; nextDevice: number }
type StateRow = { done_through: number; job_through: number | null; next_device: number; newest: Uint8Array }

/**
 * Turns the readings of the tail into chunks, some devices a call, each call one transaction that also notes how far
 * it came. Cut off anywhere, it goes on from there: the batches stay until the last device is written.
 */
export type Compaction = ReturnType<typeof createCompaction>

/**
 * @param tailRows most readings to keep in memory; compaction starts at three quarters of that, or when an hour is over
 * @param sliceMs ms of work per call
 */
export function createCompaction(
  db: DatabaseSync,
  tail: HotTail,
  archive: Archive,
  past: Past,
  { tailRows, sliceMs }: { tailRows: number; sliceMs: number },
) {
  const update = db.prepare('UPDATE compaction SET done_through = ?, job_through = ?, next_device = ?')
  const updateNewest = db.prepare('UPDATE compaction SET newest = ?')
  /** newest archived \`at\` of each device */
  let newest = new Float64Array(0)
  let doneThrough = 0
  let lastSeq = 0
  /** when the first reading arrived that no job has taken up yet */
  let waitingSince: number | undefined
  let job: Job | undefined
  /** nothing after this number is compacted while there is room */
  let heldAt = Number.POSITIVE_INFINITY
  /** up to where in the tail the batches still in it go, oldest first */
  let marks: { seq: number; endRow: number }[] = []
  load()

  function load(): void {
    const state = db.prepare('SELECT * FROM compaction').get() as StateRow
    doneThrough = state.done_through
    newest = new Float64Array(state.newest.slice().buffer)
    for (const [device, at] of newest.entries()) if (at >= 0) tail.raiseNewest(device, at)
    const batches = db.prepare('SELECT seq, recorded_at, bytes FROM batches WHERE seq > ? ORDER BY seq')
    if (state.job_through !== null)
      job = { through: state.job_through, endRow: 0, nextDevice: state.next_device }
    for (const row of batches.iterate(doneThrough)) {
      const {
        seq,
        recorded_at: recordedAt,
        bytes,
      } = row as {
        seq: number
        recorded_at: number
        bytes: Uint8Array
      }
      tail.append(decodeReadings(bytes))
      marks.push({ seq, endRow: tail.end })
      lastSeq = seq
      if (job && seq <= job.through) job.endRow = tail.end
      else waitingSince ??= recordedAt
    }
    if (job) for (let device = 0; device < job.nextDevice; device++) noteNewest(device, job.endRow)
  }

  /** for devices a job had already written when it was cut off: their rows are still in the tail */
  function noteNewest(device: number, endRow: number): void {
    const { at, length } = tail.readingsOf(device, 0, Number.POSITIVE_INFINITY, endRow, [])
    for (let i = 0; i < length; i++) raise(device, at[i] as number)
  }

  function raise(device: number, at: number): void {
    if (device >= newest.length) {
      const larger = new Float64Array(Math.max(1024, tail.devices, device + 1)).fill(-1)
      larger.set(newest)
      newest = larger
    }
    if (at > (newest[device] as number)) newest[device] = at
  }

  function compactDevice(device: number, { through, endRow }: Job, now: number): void {
    const readings = inOrder(tail.readingsOf(device, 0, Number.POSITIVE_INFINITY, endRow))
    if (readings.length === 0) return
    const newestBefore = newest[device] ?? -1
    const mayHave = (from: number, last: number) => from <= newestBefore || past.overlaps(device, from, last)
    archive.add(device, readings, mayHave, through, now)
    raise(device, readings.at[readings.length - 1] as number)
  }

  function isDue(now: number): boolean {
    if (waitingSince === undefined) return false
    return (
      tail.length >= tailRows * START_AT ||
      (tail.length > 0 && Math.floor(waitingSince / HOUR) < Math.floor(now / HOUR))
    )
  }

  function runSlice(running: Job, now: number): void {
    const started = performance.now()
    const before = newest.slice()
    let next = running.nextDevice
    let finished = false
    try {
      archive.change(() => {
        do compactDevice(next++, running, now)
        while (next < tail.devices && performance.now() - started < sliceMs)
        finished = next >= tail.devices
        if (finished) {
          updateNewest.run(new Uint8Array(newest.buffer))
          update.run(running.through, null, 0)
        } else update.run(doneThrough, running.through, next)
      })
    } catch (error) {
      newest = before
      throw error
    }
    running.nextDevice = next
    if (!finished) return
    doneThrough = running.through
    job = undefined
    tail.forget(running.endRow)
    marks = marks.filter(({ endRow }) => endRow > running.endRow)
  }

  /** the row after the last one that came in with `seq` or before */
  function rowsThrough(seq: number): number {
    const first = marks.findIndex((mark) => mark.seq > seq)
    if (first === -1) return tail.end
    return first === 0 ? tail.first : (marks[first - 1]?.endRow ?? tail.first)
  }

  return {
    rowsThrough,
    hold(upTo: number | undefined): void {
      heldAt = upTo ?? Number.POSITIVE_INFINITY
    },
    /** notes a batch that was just added to the tail */
    appended(seq: number, recordedAt: number): void {
      lastSeq = seq
      marks.push({ seq, endRow: tail.end })
      waitingSince ??= recordedAt
    },
    /** does some of what is due; whether there is more */
    run(now: number, force = false): boolean {
      if (job === undefined) {
        if (!isDue(now) && !(force && waitingSince !== undefined)) return false
        const through = force ? lastSeq : Math.min(lastSeq, heldAt)
        const endRow = rowsThrough(through)
        if (endRow <= tail.first) return false
        job = { through, endRow, nextDevice: 0 }
        if (through >= lastSeq) waitingSince = undefined
      }
      runSlice(job, now)
      return job !== undefined
    },
    doneThrough: () => doneThrough,
    /** newest archived `at` of a device that came in as a reading; -1 for none */
    newest: (device: number) => newest[device] ?? -1,
  }
}
